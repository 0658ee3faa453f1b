"""What a page may do to its reader: run the site's own scripts, and keep the palette. No more.

That all works under this policy the other tests see, which open the same pages: a tab keeps what
the browser refused among its problems.
"""

import re

import pytest
from playwright.sync_api import expect

ACT = {
    "an inline script": "add('script', { textContent: 'window.ran = 1' })",
    "a handler in the markup": "add('p').innerHTML = '<img src=x onerror=\"window.ran = 1\">'",
    "code in a text": "setTimeout('window.ran = 1')",
    "code in an address": "add('a', { href: 'javascript:window.ran = 1' }).click()",
    "a script from elsewhere": "add('script', { src: FOREIGN })",
    "an image from elsewhere": "add('img', { src: FOREIGN })",
    "a style from elsewhere": "add('link', { rel: 'stylesheet', href: FOREIGN })",
    "an inline style": "add('style', { textContent: 'p { color: red }' })",
    "a frame": "add('iframe', { src: FOREIGN })",
    "a plugin": "document.body.append(add('object', { data: '/index.html' }))",
    "a call elsewhere": "fetch(FOREIGN).catch(() => {})",
    "another base": "add('base', { href: FOREIGN })",
    "a form that is sent": "add('form', { action: '/' }).submit()",
}
REFUSED = """(act) => new Promise((resolve) => {
  const FOREIGN = "http://foreign.example/";
  const add = (tag, more) =>
    document.head.appendChild(Object.assign(document.createElement(tag), more));
  document.addEventListener("securitypolicyviolation", () => resolve(true), { once: true });
  setTimeout(() => resolve(false), 2000);
  act(FOREIGN, add);
})"""


@pytest.fixture(scope="module")
def victim(open_tab):
    """A tab for a page that is quickly opened; every page has the same policy."""
    return open_tab()


@pytest.mark.parametrize("what", ACT)
def test_page_refuses(victim, what):
    victim.open("404.html")
    act = f"(FOREIGN, add) => {{ {ACT[what]} }}"
    assert victim.page.evaluate(f"({REFUSED})({act})")
    assert not victim.page.evaluate("window.ran")
    assert victim.problems  # so that no test overlooks what a page of ours is refused


def test_the_sites_own_is_not_refused(victim):
    victim.open("404.html")
    act = "(FOREIGN, add) => add('img', { src: '/assets/images/favicon.png' })"
    assert not victim.page.evaluate(f"({REFUSED})({act})")
    assert victim.problems == []


@pytest.mark.parametrize("first", ["nowhere/at/all", "labs/train-the-belt/", "404.html"])
def test_pages_change_without_a_load_wherever_the_reader_came_in(open_tab, first):
    """The policy is that of the first page, and each depth of folders has a script of its own."""
    tab = open_tab(viewport={"width": 1280, "height": 800})
    tab.open(first)
    tab.wait_until_quiet()  # the theme has to know the pages
    tab.problems.clear()  # that `nowhere` is not there
    tab.page.evaluate("window.isTheSame = true")
    for url in ["blame/", "reference/notation/", "labs/cliff/", "lstm/"]:
        tab.page.locator(f"nav.md-nav--primary a[href$='{url}']").evaluate("link => link.click()")
        expect(tab.page).to_have_url(re.compile(f"/{url}$"))
        # A link of the page before would be gone at the click, and load.
        here = f"nav.md-nav--primary a.md-nav__link--active[href$='{url}']"
        expect(tab.page.locator(here)).to_be_attached()
    assert tab.page.evaluate("window.isTheSame")
    assert tab.page.locator(".scene").count() > 0
    assert tab.problems == []


def test_a_visit_leaves_nothing_but_the_palette(open_tab):
    tab = open_tab(viewport={"width": 1280, "height": 800})
    tab.open("")
    tab.page.get_by_title("Switch to").first.click()
    for url in ["blame/", "labs/train-the-belt/", "reference/glossary/"]:
        tab.open(url)
    kept = "[...Object.keys(localStorage), ...Object.keys(sessionStorage)]"
    assert set(tab.page.evaluate(kept)) <= {"/.__palette"}
    assert tab.page.evaluate("localStorage.length") == 1
    assert tab.page.evaluate("indexedDB.databases()") == []
    assert tab.page.evaluate("caches.keys()") == []
    assert tab.page.context.cookies() == []
    assert tab.problems == []
