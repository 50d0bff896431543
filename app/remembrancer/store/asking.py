"""What somebody typed as an expression of the index: its words, their parts and their kin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from remembrancer.core import analyser, seeking
from remembrancer.core.analyser import Asked
from remembrancer.core.ranking import WEIGHTS, Form, Signal
from remembrancer.store.connections import Connections
from remembrancer.store.postings import Postings, located
from remembrancer.store.postings import expression as expression_of
from remembrancer.store.words import Words

_TAIL = 200  # characters at the end of a text, among which the last word is
_BEGUN = 2  # letters from which on the last word may still be on its way


def expression(connections: Connections, text: str) -> str | None:
    """An expression that finds what recall finds for a text; None when nothing would be found.

    Any of its words is enough, in whatever form; the last one may be only begun.
    """
    columns: dict[str, list[str]] = {}
    for form in forms(connections, text):
        column, term = located(form.text, phrase=form.signal is Signal.PHRASE)
        columns.setdefault(column, []).append(term)
    return " OR ".join(f"{c}({' OR '.join(terms)})" for c, terms in columns.items()) or None


def forms(connections: Connections, text: str) -> list[Form]:
    """The forms in which a memory may have the words of a text; only those that some memory has."""
    asked, last, postings = analyser.asked(text), _last(text), Postings(connections)

    def there(forms: Iterable[Form]) -> dict[Form, int]:
        phrase = Signal.PHRASE
        sought = {form: expression_of(form.text, phrase=form.signal is phrase) for form in forms}
        known = postings.of(list(sought.values()), 1, 0)
        return {form: known[one].frequency for form, one in sought.items()}

    def count(texts: Iterable[str]) -> dict[str, int]:
        # Every word that begins so would be read to learn that there is one: it is believed.
        asked_for = dict.fromkeys(texts, 1)
        whole = there(Form(each, Signal.WORDS, 1) for each in asked_for if each[-1] != "*")
        return asked_for | {form.text: known for form, known in whole.items()}

    phrases = (Form(each, Signal.PHRASE, 1) for each in _open(asked.phrases, last))
    found = [form for form, known in there(phrases).items() if known]
    words = tuple(_apart(asked, [form.text for form in found]))
    sought = seeking.sought(asked._replace(words=words), count, Words(connections), 0, WEIGHTS)
    found += (form for each in sought for form in each.forms)
    if len(last) >= _BEGUN and last in {word.folded for word in words}:
        found.append(Form(f"{last}*", Signal.AKIN, WEIGHTS.akin))
    return list({form.text: form for form in found}.values())


def _last(text: str) -> str:
    """The last word of a text, "" where there is none."""
    return next(reversed(analyser.terms(text[-_TAIL:])), "")


def _open(phrases: Iterable[str], last: str) -> Iterator[str]:
    """The phrases, of which the last may be only begun."""
    return (f"{phrase}*" if phrase.endswith(f" {last}") else phrase for phrase in phrases)


def _apart(asked: Asked, joined: Iterable[str]) -> Iterator[analyser.Word]:
    """The words without the numbers of what is there as it was typed, like an address."""
    numbers = {word for phrase in joined for word in phrase.rstrip("*").split()}
    for word in asked.words:
        if word.folded not in numbers or not any(map(str.isdigit, word.folded)):
            yield word
