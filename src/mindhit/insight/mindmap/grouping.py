"""Which pages stand together under which name.

The built-in engine finds groups by the words that pages have in common; some of them are real and some
are what was left. A group keeps together where it has a name: words that most of its pages share, or a
subject that most of them have. What has neither is no group: its pages join those of their own subject,
or stand with the other pages. A model's groups are taken as it named them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mindhit.insight.mindmap import labels, subjects
from mindhit.insight.mindmap.naming import CANDIDATES, Naming
from mindhit.insight.model import PageRead
from mindhit.language import Topic
from mindhit.language.builtin import detect_language

MOST_READ: Final = 500  # pages that are looked at for their subject; the others follow their group
SHARE_OF_SUBJECT: Final = 0.5  # of a group's pages, from which the group has their subject
FEWEST_PAGES: Final = 2  # of a group
SHARED_WORDS: Final = (
    2  # of the keywords, that make a page one of a group whose name it doesn't say
)
LANGUAGE_READ: Final = 600  # characters of a text


@dataclass(frozen=True, slots=True)
class Grouped:
    """Topics with the label they are shown under, and the pages that belong to none."""

    topics: tuple[Topic, ...]
    loose: tuple[int, ...]


def as_named(topics: Sequence[Topic], names: Sequence[str], naming: Naming) -> Grouped:
    """Groups of a model, under its labels."""
    several = [topic for topic in topics if len(topic.members) >= FEWEST_PAGES]
    loose = [m for topic in topics if len(topic.members) < FEWEST_PAGES for m in topic.members]
    return Grouped(
        tuple(_labelled(topic, naming.topic(topic, names)) for topic in several), tuple(loose)
    )


def by_name_and_subject(
    topics: Sequence[Topic], pages: Sequence[PageRead], language: str, naming: Naming
) -> Grouped:
    """Groups of the built-in engine that have a name, and pages of one subject."""
    of_page = _subjects(pages)
    named: list[Topic] = []
    of_subject: defaultdict[int, list[Topic]] = defaultdict(list)
    loose: list[int] = []
    for topic in topics:
        name = naming.shared(topic) if len(topic.members) >= FEWEST_PAGES else None
        about = [place for place in topic.members if name is None or naming.has(place, name)]
        subject = _subject_of(about, of_page)
        if name is None and subject is None:
            loose += topic.members
            continue
        if name is not None:
            fitting = _named(topic.members, name, naming)
            fitting |= {
                p
                for p in _alike(topic.members, fitting, pages)
                if of_page.get(p) in {None, subject}
            }
        else:
            fitting = _about(topic.members, of_page, subject, pages)
        loose += [place for place in topic.members if place not in fitting]
        if name is not None:
            named.append(_within(topic, fitting, name))
        else:
            assert subject is not None
            of_subject[subject].append(_within(topic, fitting, ""))
    for place in loose:
        if (subject := of_page.get(place)) is not None:
            of_subject[subject].append(Topic("", (place,), ()))
    joined = [
        _joined(group, subjects.name_of(subject, language)) for subject, group in of_subject.items()
    ]
    topics = [*named, *(topic for topic in joined if len(topic.members) >= FEWEST_PAGES)]
    inside = {member for topic in topics for member in topic.members}
    return Grouped(
        tuple(topics), tuple(place for place in range(len(pages)) if place not in inside)
    )


def _subjects(pages: Sequence[PageRead]) -> dict[int, int | None]:
    """Place → subject, of the pages with the most time."""
    by_time = sorted(range(len(pages)), key=lambda place: (-pages[place].duration_ms, place))
    return {place: subjects.subject_of(pages[place]) for place in by_time[:MOST_READ]}


def _subject_of(places: Sequence[int], of_page: Mapping[int, int | None]) -> int | None:
    """What most of these pages are about, as far as they were read."""
    read = [of_page[place] for place in places if place in of_page]
    counted = Counter(subject for subject in read if subject is not None)
    if not counted:
        return None
    [(subject, count)] = counted.most_common(1)
    return subject if count >= SHARE_OF_SUBJECT * len(read) else None


def _named(members: Sequence[int], name: str, naming: Naming) -> set[int]:
    return {place for place in members if naming.has(place, name)}


def _alike(
    members: Sequence[int], named: Collection[int], pages: Sequence[PageRead]
) -> Iterator[int]:
    """Pages that don't say the name of their group, and share keywords with those that do."""
    words = {stem for place in named for stem in _keywords(pages[place])}
    for place in members:
        if place not in named and len(_keywords(pages[place]) & words) >= SHARED_WORDS:
            yield place


def _keywords(page: PageRead) -> frozenset[str]:
    return labels.stems(" ".join(page.keywords[:CANDIDATES]))


def _about(
    members: Sequence[int],
    of_page: Mapping[int, int | None],
    subject: int | None,
    pages: Sequence[PageRead],
) -> set[int]:
    """Those that have the subject, or none and the language of those that have it: pages in a language that
    the engine doesn't know are together by chance."""
    having = [place for place in members if of_page.get(place) == subject]
    languages = {_language(pages[place]) for place in having}
    silent = [place for place in members if of_page.get(place) is None]
    return {*having, *(place for place in silent if _language(pages[place]) in languages)}


@lru_cache(maxsize=4096)
def _language(page: PageRead) -> str:
    return detect_language(f"{page.title}\n{page.text[:LANGUAGE_READ]}")


def _labelled(topic: Topic, label: str) -> Topic:
    return Topic(label, topic.members, topic.keywords, topic.subtopics)


def _within(topic: Topic, kept: Collection[int], label: str) -> Topic:
    """The topic without the pages that are plainly about something else."""
    parts = (_within(part, kept, part.label) for part in topic.subtopics)
    members = tuple(place for place in topic.members if place in kept)
    return Topic(label, members, topic.keywords, tuple(part for part in parts if part.members))


def _joined(group: Sequence[Topic], label: str) -> Topic:
    """One topic; those it was made of are its subtopics, where there are several with several pages."""
    if len(group) == 1:
        return _labelled(group[0], label)
    members = tuple(sorted(member for topic in group for member in topic.members))
    several = [topic for topic in group if len(topic.members) >= FEWEST_PAGES]
    subtopics = tuple(part for topic in several for part in (topic.subtopics or (topic,)))
    return Topic(label, members, (), subtopics)
