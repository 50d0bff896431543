"""How memo browses: the board of tags with their numbers by kind, and the titles under one tag."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from remembrancer.agents.dialects.memo_frame import one_line, quoted
from remembrancer.agents.dialects.memo_lines import Facts, Lines, Reply, fitted
from remembrancer.agents.dialects.memo_speech import Speech
from remembrancer.agents.discretion import discreet
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Memory
from remembrancer.service.notes_board import Board, TagCount
from remembrancer.service.notes_reading import Titles

_HEADING = 6  # letters of a kind at the head of its column
_NAME_WIDTH = 40


@dataclass(frozen=True, slots=True)
class Page:
    """Which rows are wanted: page `number` (from 1) of `limit` rows, or with `every` all of them.

    `plain`: the limit is the usual one, so the next call need not name it.
    """

    number: int
    limit: int
    plain: bool
    every: bool = False

    @property
    def offset(self) -> int:
        """The rows before it."""
        return 0 if self.every else (self.number - 1) * self.limit

    def pages(self, rows: int) -> int:
        """How many pages there are."""
        return -(-rows // self.limit)

    def after(self, shown: int, wanted: int) -> Page:
        """The page to ask for next: shorter ones where not all that was wanted could be shown."""
        if shown == wanted and not self.every:
            return Page(self.number + 1, self.limit, self.plain)
        size = max(1, shown)
        return Page((self.offset + shown) // size + 1, size, plain=False)

    def call(self, speech: Speech, tag: str = "") -> str:
        """The call for it."""
        german = speech.language == "de"
        given = [quoted(tag)] if tag else []
        given += [] if self.plain else [f"limit={self.limit}"]
        given += [f"{'seite' if german else 'page'}={self.number}"] if self.number > 1 else []
        return f"{'themen' if german else 'topics'}({', '.join(given)})"


def board(found: Board, page: Page, lines: Lines, budget: int | None) -> Reply:
    """The tags and how their entries spread over the kinds."""
    speech = lines.speech
    rows = found.tags if page.every else found.tags[page.offset : page.offset + page.limit]
    entries = speech.count(found.entries, "entry")
    if not found.tags:
        return Reply(speech("board_empty", entries=entries), _board_facts(found, ()))
    tags = speech.count(len(found.tags), "tag")
    if not rows:
        return _no_page(page, tags, len(found.tags), speech)
    drawn = _table(rows, speech)
    facts = [_row_facts(row, speech) for row in rows]

    def build(count: int) -> Reply:
        left = len(found.tags) - page.offset - count
        tail = [speech("untagged", entries=speech.count(found.untagged, "entry"))]
        tail = tail if found.untagged else []
        value = _board_facts(found, facts[:count], left)
        if left > 0:
            value["next"] = page.after(count, len(rows)).call(speech)
            tail.append(speech("board_left", count=left, call=value["next"]))
        head = speech("board", tags=tags, entries=entries)
        return Reply("\n".join([head, *drawn[: count + 1], *tail]), value)

    return fitted(build, len(rows), budget)


def _table(rows: Sequence[TagCount], speech: Speech) -> list[str]:
    columns = [speech("board_total"), *(word[:_HEADING] for word in speech.kinds())]
    names = [speech("board_tag"), *(one_line(row.tag) for row in rows)]
    width = min(max(map(len, names)), _NAME_WIDTH)
    cells = [columns, *(_cells(row, speech) for row in rows)]
    widths = [max(len(line[n]) for line in cells) for n in range(len(columns))]
    return [
        " ".join([name.ljust(width), *(c.rjust(w) for c, w in zip(line, widths, strict=True))])
        for name, line in zip(names, cells, strict=True)
    ]


def _cells(row: TagCount, speech: Speech) -> list[str]:
    spread = _spread(row.kinds, speech)
    return [str(row.total), *(str(spread.get(word) or ".") for word in speech.kinds())]


def _spread(kinds: Mapping[Kind, int], speech: Speech) -> dict[str, int]:
    """Word of a kind -> how many; in the order of the words, without those that have none."""
    found = dict.fromkeys(speech.kinds(), 0)
    for kind, count in kinds.items():
        found[speech.kind(kind)] += count
    return {word: count for word, count in found.items() if count}


def _row_facts(row: TagCount, speech: Speech) -> Facts:
    return {"tag": row.tag, "total": row.total, "kinds": _spread(row.kinds, speech)}


def _board_facts(found: Board, rows: Sequence[Facts], left: int = 0) -> Facts:
    return {"tags": list(rows), "total": found.entries, "untagged": found.untagged, "left": left}


def titles(found: Titles, page: Page, lines: Lines, budget: int | None) -> Reply:
    """The title lines under one tag."""
    speech, tag, total = lines.speech, found.tag.tag, found.tag.total
    entries = speech.count(total, "entry")
    if not found.page:
        return _no_page(page, speech("topic", tag=one_line(tag), entries=entries), total, speech)
    memories = _by_kind(found.page, speech) if page.every else found.page
    drawn = [lines.title(memory, tag) for memory in memories]
    facts = [lines.facts(memory) for memory in memories]
    spread = _spread(found.tag.kinds, speech)
    head = [speech("topic", tag=one_line(tag), entries=entries)]
    head.append("  " + ", ".join(f"{word} {count}" for word, count in spread.items()))

    def build(count: int) -> Reply:
        left = total - page.offset - count
        value: Facts = {"tag": tag, "total": total, "kinds": spread, "left": left}
        value["entries"] = facts[:count]
        if page.every:
            body = _grouped(memories[:count], drawn, spread, speech)
        else:
            pages = page.pages(total)
            body = [speech("page", page=page.number, pages=pages), *drawn[:count]]
        tail = [_titles_left(left, page, count, found, value, speech)] if left > 0 else []
        return Reply("\n".join([*head, *body, *tail]), value)

    return fitted(build, len(memories), budget)


def _titles_left(
    left: int, page: Page, count: int, found: Titles, value: Facts, speech: Speech
) -> str:
    after = Page(1, 200, plain=False) if page.every else page.after(count, len(found.page))
    value["next"] = after.call(speech, found.tag.tag)
    key = "titles_cut" if page.every else "titles_left"
    return speech(key, count=left, call=value["next"])


def _by_kind(memories: Sequence[Memory], speech: Speech) -> list[Memory]:
    order = {word: at for at, word in enumerate(speech.kinds())}
    return sorted(memories, key=lambda memory: order[speech.kind(memory.kind)])


def _grouped(
    memories: Sequence[Memory], drawn: Sequence[str], spread: Mapping[str, int], speech: Speech
) -> list[str]:
    found: list[str] = []
    last = ""
    for memory, line in zip(memories, drawn, strict=False):
        word = speech.kind(memory.kind)
        if word != last:
            found.append(f"{word} ({spread[word]}):")
        found.append(line)
        last = word
    return found


def _no_page(page: Page, what: str, rows: int, speech: Speech) -> Reply:
    text = speech(
        "no_page", page=page.number, what=what, pages=speech.count(page.pages(rows), "page")
    )
    return Reply(text, {"total": rows, "left": 0, "tags": [], "entries": []})


def no_tag(tag: str, alike: Sequence[str], speech: Speech) -> Reply:
    """The answer about a tag that nothing living stands under."""
    tag = discreet(tag)[:200]
    text = speech("no_tag", tag=quoted(tag))
    shown = ", ".join(map(one_line, alike))
    text += speech("alike", tags=shown) if alike else " " + speech("hint_topics")
    return Reply(text, {"tag": tag, "total": 0, "left": 0, "entries": [], "alike": [*alike]})
