"""What only MkDocs can do: tell in one line what is wrong, offer downloads, protect the pages.

The pages do not depend on these hooks. Without them MkDocs ends with a traceback or a list of
warnings, neither a page nor the data of a figure can be taken away, a page asks for several style
sheets, and none has a policy.
"""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.plugins import event_priority
from mkdocs.structure.files import Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils import get_build_timestamp, get_relative_url
from nbclient.exceptions import CellExecutionError

from lesson20.site import archive, data, download, policy, questions, styles
from lesson20.site.blocks import Block
from lesson20.site.errors import PageError
from lesson20.site.pages import parse, run

TABLES: dict[str, list[str]] = {}  # of each page, the data of its figures


def on_startup(command: str, dirty: bool) -> None:
    """Notice `mkdocs serve`, which will load this module anew before each build."""
    policy.is_wanted = command != "serve"


def on_config(config: MkDocsConfig) -> None:
    """Ask the extension that runs the pages for the data of their figures."""
    config.mdx_configs.setdefault("lesson20.site.fence", {})["tables"] = TABLES


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> None:
    """Refuse a page that no reader would find."""
    for file in files.documentation_pages():
        if file.page not in nav.pages and file.inclusion is not InclusionLevel.NOT_IN_NAV:
            page = f"docs/{file.src_uri}"
            raise PageError(page, 1, "a place in the nav of mkdocs.yml", "none")


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Offer the lesson as an archive, and a page that has blocks as files.

    They are written once the page is known to be right.
    """
    name, text = f"docs/{page.file.src_uri}", page.file.content_string
    page.meta["question"] = questions.question(text, name)
    whole = archive.offer(get_relative_url(archive.NAME, page.url))
    if not any(isinstance(item, Block) for item in parse(text, name)):
        return html + whole
    text = questions.fill(text, Path("docs"), questions.lesson(config.nav or []))
    folder = Path(page.file.abs_dest_path).parent
    html = data.offer(html, TABLES[name], folder, Path(name).stem)
    links = download.write_page(text, name, page.canonical_url or "", folder)
    package = get_relative_url(download.WHEEL, page.url)
    return html + download.offer(links, package, config.site_url or "") + whole


@event_priority(-100)  # after the search has written its index
def on_post_build(config: MkDocsConfig) -> None:
    """Join the style sheets, put the package beside the pages and all into the archive; protect."""
    site = Path(config.site_dir)
    styles.join(site)
    download.build_wheel(Path(config.config_file_path).parent, site)
    archive.write(site, get_build_timestamp())
    if policy.is_wanted:
        policy.protect(site)


def on_build_error(error: Exception) -> None:
    """End with a page's error alone; `mkdocs serve` shows it and goes on."""
    if isinstance(error, CellExecutionError):
        error = _in_its_lab(error)
    if isinstance(error, PageError):
        raise Abort(str(error).strip()) from None


def _in_its_lab(error: CellExecutionError) -> Exception:
    """A kernel knows no line of the lab's source: run the labs here to find the one that raises."""
    for lab in sorted(Path("docs/labs").glob("*.md")):
        try:
            list(run(parse(lab.read_text(encoding="utf-8-sig"), lab.as_posix())))
        except PageError as found:
            return found
    return error
