"""Pages and topics into a tree of labels: what stands on the map, and under what.

- Few pages are topics themselves: a map of six pages that says "starter" once helps nobody.
- More are grouped (`grouping.py`). A group's pages stand below it under their own names, which people
  wrote; a large one's are divided into subtopics first.
- Pages that belong to no group share one branch, so that the map is not a list.
- Keywords are leaves, and only those that say something new and that a page says more than once.

Every page is in exactly one branch below the root, and on every node above it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from mindhit.insight.mindmap import labels
from mindhit.insight.mindmap.grouping import Grouped, as_named, by_name_and_subject
from mindhit.insight.mindmap.naming import Naming
from mindhit.insight.mindmap.wholes import whole_word
from mindhit.insight.model import READ_CHARACTERS, NodeType, PageRead
from mindhit.language import Topic

FEW_PAGES: Final = 9  # are topics themselves
MOST_TOPICS: Final = 10
MOST_NAMED: Final = 6  # pages that stand under a topic by name
MOST_ALONE: Final = 3  # pages without a group that are topics of their own
MOST_NODES: Final = 90  # keywords fill up to here
KEYWORDS: Final = {NodeType.TOPIC: 4, NodeType.SUBTOPIC: 2}
MOST_SHARED_KEYWORDS: Final = 5  # of a session
MAIN_SHARE: Final = 0.6  # of the pages, from which one topic is what the whole was about
LABELS_IN_TITLE: Final = 2
RANKS: Final = 6  # keywords of a page that are looked at
OTHERS: Final = {"en": "Other pages", "ko": "기타 페이지"}


@dataclass(slots=True)
class Branch:
    """A node to be: its label, the places of its pages, and what hangs on it."""

    label: str
    type: NodeType
    pages: tuple[int, ...]
    children: list[Branch] = field(default_factory=list)


def outline(
    title: str,
    pages: Sequence[PageRead],
    topics: Sequence[Topic],
    language: str = "en",
    *,
    trusts_labels: bool = True,
) -> Branch:
    """The tree of a session. `topics` hold places of `pages`; a page in none is an other one. Without a
    title it gets one from what stands on it."""
    names = _page_names(pages)
    root = Branch(labels.clean(title), NodeType.ROOT, tuple(range(len(pages))))
    if len(pages) <= FEW_PAGES:
        root.children = _by_name(root.pages, names, NodeType.TOPIC)
    else:
        naming = Naming(pages, trusts_labels=trusts_labels)
        found = _spread(_complete(topics, len(pages)))
        if trusts_labels:
            grouped = as_named(found, names, naming)
        else:
            grouped = by_name_and_subject(found, pages, language, naming)
        root.children = _topics(grouped, pages, names, language, naming)
    _sort(root, pages)
    _distinguish(root)
    root.label = root.label or labels.clean(title_of(root, pages))
    _add_keywords(root, pages)
    return root


def title_of(root: Branch, pages: Sequence[PageRead]) -> str:
    """A name for all pages: what most of them share, else the main topics, else the longest page."""
    if not pages:
        return ""
    shared = Naming(pages).whole()
    topics = [topic for topic in root.children if topic.label not in OTHERS.values()]
    if shared is not None:
        return labels.capitalised(shared)
    if len(pages) > FEW_PAGES and topics:
        if len(topics[0].pages) >= MAIN_SHARE * len(pages):
            return topics[0].label
        return ", ".join(topic.label for topic in topics[:LABELS_IN_TITLE])
    longest = max(range(len(pages)), key=lambda place: (pages[place].duration_ms, -place))
    return _page_names(pages)[longest]


def shared_keywords(pages: Sequence[PageRead], most: int = MOST_SHARED_KEYWORDS) -> list[str]:
    """The words that say what a session is about, the most fitting first."""
    return _chosen(_scores(range(len(pages)), pages), (), most)


def _page_names(pages: Sequence[PageRead]) -> list[str]:
    titles: defaultdict[str, list[str]] = defaultdict(list)
    for page in pages:
        titles[page.domain].append(page.title)
    sites = labels.site_names(titles)
    return [labels.page_label(page.title, page.domain, sites[page.domain]) for page in pages]


def _complete(topics: Sequence[Topic], count: int) -> list[Topic]:
    """Topics whose members exist, each in the first topic that has it."""
    seen: set[int] = set()
    found = []
    for topic in topics:
        members = tuple(m for m in topic.members if 0 <= m < count and m not in seen)
        seen.update(members)
        if members:
            divided = _divided(topic.subtopics, set(members))
            found.append(Topic(topic.label, members, topic.keywords, divided))
    rest = [Topic("", (place,), ()) for place in range(count) if place not in seen]
    return [*found, *rest]


def _divided(subtopics: Sequence[Topic], members: set[int]) -> tuple[Topic, ...]:
    """Subtopics with members of their topic only; none where they are not at least two."""
    left = set(members)
    found = []
    for each in subtopics:
        inside = tuple(place for place in each.members if place in left)
        left.difference_update(inside)
        if inside:
            found.append(Topic(each.label, inside, each.keywords))
    return tuple(found) if len(found) > 1 and not left else ()


def _spread(topics: Sequence[Topic]) -> list[Topic]:
    """Where all is one group, its parts: the root says already what they share."""
    groups = [topic for topic in topics if len(topic.members) > 1]
    if len(groups) != 1 or len(groups[0].subtopics) < 2:
        return list(topics)
    return [*groups[0].subtopics, *(topic for topic in topics if len(topic.members) == 1)]


def _topics(
    grouped: Grouped,
    pages: Sequence[PageRead],
    names: Sequence[str],
    language: str,
    naming: Naming,
) -> list[Branch]:
    groups = sorted(grouped.topics, key=lambda topic: -_time(topic.members, pages))
    shown, small = groups[:MOST_TOPICS], groups[MOST_TOPICS:]
    alone = sorted({*grouped.loose, *(member for topic in small for member in topic.members)})
    branches = [_branch(topic, pages, names, naming) for topic in shown]
    if len(alone) <= MOST_ALONE and not small:
        return [*branches, *_by_name(alone, names, NodeType.TOPIC)]
    others = Branch(OTHERS.get(language, OTHERS["en"]), NodeType.TOPIC, tuple(alone))
    others.children = _named(alone, pages, names, most=MOST_NAMED + 2)
    return [*branches, others]


def _branch(
    topic: Topic, pages: Sequence[PageRead], names: Sequence[str], naming: Naming
) -> Branch:
    """A topic; its subtopics where they have a name that most of their pages share, else its pages."""
    made = Branch(topic.label, NodeType.TOPIC, topic.members)
    divided = []
    for each in topic.subtopics:
        label = naming.subtopic(each, made.label)
        if label is not None and len(each.members) > 1:
            divided.append(Branch(label, NodeType.SUBTOPIC, each.members))
    inside = {place for branch in divided for place in branch.pages}
    rest = [place for place in topic.members if place not in inside]
    room = max(0, MOST_NAMED - len(divided))
    made.children = [*divided, *_named(rest, pages, names, most=room)]
    return made


def _by_name(places: Iterable[int], names: Sequence[str], type_: NodeType) -> list[Branch]:
    """A node for each name; pages of the same name share one."""
    same: defaultdict[str, list[int]] = defaultdict(list)
    for place in places:
        same[labels.normalised(names[place])].append(place)
    return [Branch(names[found[0]], type_, tuple(found)) for found in same.values()]


def _named(
    places: Sequence[int], pages: Sequence[PageRead], names: Sequence[str], *, most: int
) -> list[Branch]:
    """The pages with the most time, by name; the others count for their topic."""
    found = _by_name(places, names, NodeType.SUBTOPIC)
    found.sort(key=lambda branch: -_time(branch.pages, pages))
    return found[:most]


def _time(places: Iterable[int], pages: Sequence[PageRead]) -> int:
    return sum(pages[place].duration_ms for place in places)


def _sort(root: Branch, pages: Sequence[PageRead]) -> None:
    """By time, then by when they were first read; what is left over comes last."""
    others = set(OTHERS.values())
    for branch in (root, *root.children):
        branch.children.sort(
            key=lambda each: (each.label in others, -_time(each.pages, pages), each.pages)
        )


def _distinguish(root: Branch) -> None:
    """No two siblings with one label: their pages are one node's. None repeats its parent's alone."""
    for branch in (root, *root.children):
        kept: dict[str, Branch] = {}
        for child in branch.children:
            first = kept.setdefault(labels.normalised(child.label), child)
            if first is not child:
                first.pages = tuple(sorted({*first.pages, *child.pages}))
                first.children += child.children
        branch.children = list(kept.values())
        if len(branch.children) == 1 and branch is not root:
            [only] = branch.children
            if labels.normalised(only.label) == labels.normalised(branch.label):
                branch.children = only.children
    for branch in root.children:  # what was joined may repeat a label one level down
        kept = {}
        for child in branch.children:
            kept.setdefault(labels.normalised(child.label), child)
        branch.children = list(kept.values())


def _add_keywords(root: Branch, pages: Sequence[PageRead]) -> None:
    """As leaves, in turns: every node its first keyword before any gets a second."""
    hosts: list[tuple[Branch, tuple[Branch, ...]]] = [
        (topic, (root, topic)) for topic in root.children if not topic.children
    ]
    hosts += [(sub, (root, topic, sub)) for topic in root.children for sub in topic.children]
    used = [branch.label for topic in root.children for branch in (topic, *topic.children)]
    count = 1 + len(used)
    wanted = {
        id(host): _chosen(
            _scores(host.pages, pages),
            [*used, *(each.label for each in above)],
            KEYWORDS[host.type],
        )
        for host, above in hosts
    }
    taken: list[str] = []
    for turn in range(max(KEYWORDS.values())):
        for host, _ in hosts:
            found = wanted[id(host)]
            if turn >= len(found) or count >= MOST_NODES:
                continue
            word = found[turn]
            if any(labels.overlap(word, each) for each in taken):
                continue
            taken.append(word)
            count += 1
            having = tuple(place for place in host.pages if _has(pages[place], word))
            host.children.append(Branch(word, NodeType.KEYWORD, having or host.pages))


def _has(page: PageRead, word: str) -> bool:
    wanted = labels.normalised(word)
    known = (whole_word(each, page.text, page.title) for each in page.keywords)
    return any(each is not None and labels.normalised(each) == wanted for each in known)


def _scores(places: Iterable[int], pages: Sequence[PageRead]) -> Counter[str]:
    """Keywords of these pages: high in the lists of many, of pages with much time."""
    places = list(places)
    whole = max(1, _time(places, pages))
    scores: Counter[str] = Counter()
    spelled: dict[str, str] = {}
    for place in places:
        page = pages[place]
        weight = 1 + len(places) * page.duration_ms / whole
        passing = _said_in_passing(page)
        for rank, word in enumerate(page.keywords[:RANKS]):
            entire = None if word in passing else whole_word(word, page.text, page.title)
            if entire is None:
                continue
            key = labels.normalised(entire)
            spelled.setdefault(key, labels.named(entire))
            several = 1.25 if 2 <= len(labels.stems(entire)) <= 3 else 1.0
            scores[key] += weight * several / (2 + rank)  # type: ignore[assignment]  # floats count too
    return Counter({spelled[key]: score for key, score in scores.items()})


@lru_cache(maxsize=4096)
def _said_in_passing(page: PageRead) -> frozenset[str]:
    """Keywords that a page says once: what it is about it says again, or in its title; of a text that was
    cut, in its summary. A model's word may not stand in the text at all."""
    text = page.text.casefold()
    also = page.title.casefold()
    if len(page.text) >= READ_CHARACTERS:
        also += f" {(page.summary or '').casefold()}"
    return frozenset(
        word
        for word in page.keywords[:RANKS]
        if word.casefold() not in also and len(_beginnings(word.casefold(), text)) == 1
    )


def _beginnings(word: str, text: str) -> list[str]:
    """Where it stands as a word or begins one: "art" is not in "start"."""
    return re.findall(rf"(?<!\w){re.escape(word)}", text)


def _chosen(scores: Counter[str], used: Iterable[str], most: int) -> list[str]:
    found: list[str] = []
    avoided = list(used)
    for word in sorted(scores, key=lambda each: (-scores[each], each)):
        if len(found) >= most:
            break
        if labels.is_telling(word) and not any(labels.overlap(word, each) for each in avoided):
            found.append(labels.shorten(word, 40))
            avoided.append(word)
    return found
