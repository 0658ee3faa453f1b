"""What a reader on a slow line has to wait for."""

import gzip

LIMIT = 300_000  # bytes of a page with all that it asks for, as a server compresses it


def test_page_weighs_little(open_tab, url):
    tab = open_tab()  # with nothing in its cache
    bodies = {}
    tab.page.on("response", lambda got: bodies.setdefault(got.url, got))
    tab.open(url)
    tab.page.wait_for_load_state("networkidle")
    weights = {}
    for address, got in list(bodies.items()):
        body = got.body()
        weights[address] = min(len(body), len(gzip.compress(body)))
    heaviest = sorted(weights.items(), key=lambda item: -item[1])[:5]
    assert sum(weights.values()) < LIMIT, heaviest
