"""What a page tells machines about itself: search engines, and sites that show links to it.

A MkDocs hook. It gives the templates `resource`, the page as a LearningResource of schema.org, and
`card`, the address of a picture of it. All of it needs addresses: where the site has none, there
is none of it.
"""

import functools
import json
import pkgutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import yaml
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from lesson20.site.questions import lesson

type Json = dict[str, Any]

LICENCES = "https://spdx.org/licenses/"


def on_page_context(context: Any, page: Page, config: MkDocsConfig, nav: Navigation) -> Any:
    """Describe a page, and draw its card; its question was found with its content."""
    if not config.site_url:
        return context
    context["resource"] = script(learning_resource(page, config))
    if drawer := config.extra.get("cards"):
        card = Path(page.file.abs_dest_path).with_name("card.png")
        card.parent.mkdir(parents=True, exist_ok=True)
        cards = _cards(drawer, config.site_name)
        card.write_bytes(cards.png(_title(page), page.meta["question"]))
        context["card"] = {"url": urljoin(page.canonical_url or "", card.name), "alt": cards.alt}
    return context


@functools.cache
def _cards(name: str, site_name: str) -> Any:
    """What draws the cards is the lesson's own; mkdocs.yml names it, as `module:class`."""
    return pkgutil.resolve_name(name)(site_name)


def learning_resource(page: Page, config: MkDocsConfig) -> Json:
    """A page as a LearningResource of schema.org, which is part of the lesson as a whole."""
    pages = lesson(config.nav or [])
    is_lesson = page.file.src_uri in pages
    section = page.parent.title.lower().removesuffix("s") if page.parent else None
    known = {
        "inLanguage": config.theme["language"],
        "isAccessibleForFree": True,
        **(config.extra.get("resource") or {}),
        **citation(Path(config.config_file_path).with_name("CITATION.cff")),
    }
    whole = {
        "@type": "LearningResource",
        "name": config.site_name,
        "description": config.site_description,
        "url": config.site_url,
    }
    part = {
        "@context": "https://schema.org",
        "@type": "LearningResource",
        "name": _title(page),
        "description": page.meta.get("description"),
        "url": page.canonical_url,
        "teaches": page.meta["question"],
        "learningResourceType": "lesson" if is_lesson else section,
        "position": pages.index(page.file.src_uri) + 1 if is_lesson else None,
        **known,
        "isPartOf": whole,
    }
    return {name: value for name, value in part.items() if value is not None}


def _title(page: Page) -> str:
    return str(page.meta.get("title", page.title))


def citation(path: Path) -> Json:
    """What CITATION.cff says of authors and licences, in the words of schema.org."""
    if not path.exists():
        return {}
    said = yaml.safe_load(path.read_text(encoding="utf-8"))
    licences = said.get("license", [])
    licences = [licences] if isinstance(licences, str) else licences
    found = {
        "author": [_author(author) for author in said.get("authors", [])],
        "license": [f"{LICENCES}{licence}" for licence in licences],
    }
    return {name: values for name, values in found.items() if values}


def _author(author: Mapping[str, str]) -> Json:
    """CITATION.cff names a person in parts; what has one name is an organization."""
    if "name" in author:
        return {"@type": "Organization", "name": author["name"]}
    parts = [author.get(part, "") for part in ("given-names", "name-particle", "family-names")]
    return {"@type": "Person", "name": " ".join(filter(None, parts))}


def script(data: Json) -> str:
    """JSON that may stand within a script element, whatever its texts."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
