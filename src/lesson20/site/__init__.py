"""The machinery of the site: it runs the blocks of a page and knows nothing of neural networks.

Read `blocks` first. `pages` finds the blocks and claims of a page; `fence` is their road into
the built page, `examples` their road into the tests.
"""
