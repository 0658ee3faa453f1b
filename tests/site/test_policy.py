"""The policy of the built pages, on small pages; tests/browser/test_safety.py has the real ones."""

from base64 import b64encode
from hashlib import sha256

import pytest

from lesson20.site.errors import PageError
from lesson20.site.policy import inline_scripts, policy, protect

HEAD = '<html><head><meta charset="utf-8">'


def allowed(script):
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("<script>a = 1 < 2 && '</p>'</script>", ["a = 1 < 2 && '</p>'"]),
        ('<script type="module">a</script><script>\nb\n</script>', ["a", "\nb\n"]),
        ('<script type="text/javascript">&amp;</script>text', ["&amp;"]),
        ("<SCRIPT></SCRIPT>", [""]),
        ('<script src="a.js"></script>', []),
        ('<script type="application/json">{}</script>', []),
        ("<pre>&lt;script&gt;a&lt;/script&gt;</pre><p onclick='a'>", []),
    ],
)
def test_an_inline_script_is_what_the_browser_would_run(page, found):
    assert inline_scripts(page) == found


def test_the_policy_allows_the_scripts_of_all_pages_and_no_other():
    rules = policy(["<script>a</script><script>b</script>", "<script>b</script>"])
    [scripts] = [rule for rule in rules.split("; ") if rule.startswith("script-src ")]
    assert scripts.split()[2:] == sorted([allowed("a"), allowed("b")])
    assert "unsafe" not in rules
    assert "*" not in rules


def test_every_page_gets_the_same_policy_before_its_first_script(tmp_path):
    pages = [tmp_path / "404.html", tmp_path / "deep" / "index.html"]
    pages[1].parent.mkdir()
    for page in pages:
        page.write_text(f"{HEAD}<script>{page.name}</script>ß", encoding="utf-8")
    protect(tmp_path)
    texts = [page.read_text("utf-8") for page in pages]
    policies = [text.removeprefix(HEAD).split("<script>")[0] for text in texts]
    assert policies[0] == policies[1]
    assert all(allowed(page.name) in policies[0] for page in pages)
    assert [text.replace(policies[0], "") for text in texts] == [
        f"{HEAD}<script>{page.name}</script>ß" for page in pages
    ]


def test_a_page_without_a_place_for_it_stops_the_build(tmp_path):
    (tmp_path / "index.html").write_text("<p>no head</p>", encoding="utf-8")
    with pytest.raises(PageError, match=r"index\.html:1: expected <meta charset=.utf-8.> once"):
        protect(tmp_path)
