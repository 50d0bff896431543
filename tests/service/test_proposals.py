"""What an agent may only propose waits, changes nothing, and is done as the person decides."""

from __future__ import annotations

import pytest

from notation import WINDOW, build, sketch
from remembrancer.core.author import Access, Author, AuthorKind
from remembrancer.core.entity import Scope
from remembrancer.core.errors import BadValue, Conflict, NotFound, Refused, Waiting
from remembrancer.core.journal import Deed
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Edit, Status
from remembrancer.core.proposal import Proposal, ProposalState
from remembrancer.core.rules import Rule, Verdict, read, written
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library
from remembrancer.service.one_path import Secrets

ROBIN = Author("robin", AuthorKind.AGENT, Access.PROPOSE, agent_id=1)
HELD: Doing = {"author": ROBIN, "origin": "native"}


def by(*rules: Rule, access: Access = Access.WRITE) -> Doing:
    """An agent under these rules."""
    return {"author": Author("robin", AuthorKind.AGENT, access, None, 1, rules), "origin": "native"}


@pytest.fixture(autouse=True)
def shed(library: Library) -> None:
    library.agents.add("robin", access=Access.PROPOSE, **WINDOW)
    build(library, "shed: the lamp is red; barn; policy = shared; shed -near-> barn")


def proposed(library: Library, text: str = "the door sticks") -> Proposal:
    """What waits after an agent wanted to remember a text."""
    with pytest.raises(Waiting):
        library.memories.remember(Draft(text, "shed"), **HELD)
    return library.proposals.waiting()[-1]


def revising(library: Library, edit: Edit) -> Proposal:
    """What waits after an agent wanted to change the first memory."""
    with pytest.raises(Waiting):
        library.memories.revise(1, edit, **HELD)
    return library.proposals.waiting()[-1]


def test_a_proposal_changes_nothing_and_says_that_it_waits(library: Library) -> None:
    before = sketch(library)
    with pytest.raises(Waiting, match="waiting for the person") as told:
        library.memories.remember(Draft("the door sticks", "shed"), **HELD)
    assert sketch(library) == before
    assert told.value.facts == {"proposal": 1}
    [waiting] = library.proposals.waiting()
    assert (waiting.author, waiting.label(), waiting.state) == (
        "robin", "the door sticks", ProposalState.WAITING,
    )  # fmt: skip
    assert library.proposals.count() == 1


def test_an_accepted_proposal_is_the_agents_deed(library: Library) -> None:
    waiting = proposed(library)
    library.proposals.accept(waiting.id, **WINDOW)
    assert "shed: the door sticks" in sketch(library)
    memory = library.memories.get(2)
    assert (memory.author, memory.revision) == ("robin", 1)
    lines = library.journal.batch(library.journal.newest(1)[0].batch)
    assert [(x.deed, x.author) for x in lines] == [
        (Deed.ACCEPT, "you"), (Deed.REMEMBER, "robin"),
    ]  # fmt: skip
    assert library.proposals.count() == 0
    assert library.proposals.decided()[0].state is ProposalState.ACCEPTED


def test_no_agent_can_decide_not_even_about_its_own(library: Library) -> None:
    waiting = proposed(library)
    for doing in (HELD, by()):
        with pytest.raises(Refused, match="Only the person"):
            library.proposals.accept(waiting.id, **doing)
        with pytest.raises(Refused, match="Only the person"):
            library.proposals.refuse(waiting.id, **doing)


def test_what_was_refused_is_not_proposed_again(library: Library) -> None:
    waiting = proposed(library)
    library.proposals.refuse(waiting.id, why="it was mended", **WINDOW)
    for text in ("the door sticks", "The door  sticks "):
        with pytest.raises(Refused, match="it was mended"):
            library.memories.remember(Draft(text, "shed"), **HELD)
    assert library.proposals.count() == 0
    proposed(library, "the roof leaks")


def test_what_waits_already_is_not_proposed_twice(library: Library) -> None:
    assert proposed(library).id == proposed(library).id
    assert library.proposals.count() == 1


def test_a_text_may_be_edited_before_it_is_accepted(library: Library) -> None:
    waiting = proposed(library)
    library.proposals.accept(waiting.id, edits={0: {"content": "the door sticks a bit"}}, **WINDOW)
    assert library.memories.get(2).content == "the door sticks a bit"
    assert library.proposals.get(waiting.id).changes[0].after["content"] == "the door sticks a bit"


def test_an_edit_that_cannot_be_leaves_the_proposal_waiting(library: Library) -> None:
    waiting = proposed(library)
    with pytest.raises(BadValue):
        library.proposals.accept(waiting.id, edits={0: {"confidence": 7.0}}, **WINDOW)
    with pytest.raises(Refused, match="vault"):
        library.proposals.accept(waiting.id, edits={0: {"content": "password: hunter2"}}, **WINDOW)
    assert library.proposals.count() == 1


def test_a_proposal_upon_what_stayed_is_carried_out(library: Library) -> None:
    waiting = revising(library, Edit(content="the lamp is green", tags=("light",)))
    assert waiting.changes[0].fields() == {"content": "the lamp is green", "tags": ["light"]}
    library.proposals.accept(waiting.id, **WINDOW)
    memory = library.memories.get(1)
    assert (memory.content, memory.tags, memory.revision) == ("the lamp is green", ("light",), 2)


def test_other_fields_that_changed_meanwhile_stay(library: Library) -> None:
    waiting = revising(library, Edit(content="the lamp is green"))
    library.memories.revise(1, Edit(pinned=True, title="lamp"), **WINDOW)
    assert library.proposals.stale(waiting)
    library.proposals.accept(waiting.id, **WINDOW)
    memory = library.memories.get(1)
    assert (memory.content, memory.pinned, memory.title) == ("the lamp is green", True, "lamp")
    assert memory.revision == 3


def test_the_same_field_changed_meanwhile_is_the_persons_choice(library: Library) -> None:
    waiting = revising(library, Edit(content="the lamp is green"))
    library.memories.revise(1, Edit(content="the lamp is blue"), **WINDOW)
    with pytest.raises(Conflict, match="content of memory 1") as told:
        library.proposals.accept(waiting.id, **WINDOW)
    assert told.value.facts["fields"] == ("content",)
    assert library.memories.get(1).content == "the lamp is blue"
    library.proposals.accept(waiting.id, over=True, **WINDOW)
    assert library.memories.get(1).content == "the lamp is green"


def test_another_text_is_not_held_up_by_a_verification_of_the_former(library: Library) -> None:
    library.memories.verify(1, **WINDOW)
    waiting = revising(library, Edit(content="the lamp is green"))
    library.memories.verify(1, **WINDOW)
    library.proposals.accept(waiting.id, **WINDOW)
    memory = library.memories.get(1)
    assert (memory.content, memory.verified_at) == ("the lamp is green", None)


def test_a_deletion_waits_and_a_changed_memory_is_not_deleted_unseen(library: Library) -> None:
    with pytest.raises(Waiting):
        library.memories.delete(1, **HELD)
    waiting = library.proposals.waiting()[0]
    library.memories.revise(1, Edit(content="the lamp is blue"), **WINDOW)
    with pytest.raises(Conflict, match="changed since"):
        library.proposals.accept(waiting.id, **WINDOW)
    library.proposals.accept(waiting.id, over=True, **WINDOW)
    assert library.memories.get(1).status is Status.DELETED


def test_a_target_that_is_gone_is_told(library: Library) -> None:
    waiting = revising(library, Edit(content="the lamp is green"))
    library.memories.delete(1, **WINDOW)
    with pytest.raises(Conflict, match="is gone"):
        library.proposals.accept(waiting.id, **WINDOW)


def test_a_whole_call_is_one_proposal_of_which_parts_may_be_left_out(library: Library) -> None:
    with pytest.raises(Waiting):
        library.graph.create([NewEntity("yard", "place", ("is big", "is wet"))], **HELD)
    [waiting] = library.proposals.waiting()
    assert [str(c.subject) for c in waiting.changes] == ["entity", "memory", "memory"]
    library.proposals.accept(waiting.id, without=[1], **WINDOW)
    assert "yard: is wet" in sketch(library)
    assert "is big" not in sketch(library)


def test_a_part_that_needs_what_was_left_out_is_told(library: Library) -> None:
    with pytest.raises(Waiting):
        library.graph.create([NewEntity("yard", "place", ("is big",))], **HELD)
    [waiting] = library.proposals.waiting()
    with pytest.raises(Conflict, match="create it first"):
        library.proposals.accept(waiting.id, without=[0], **WINDOW)
    with pytest.raises(Refused, match="Nothing of the proposal"):
        library.proposals.accept(waiting.id, without=[0, 1], **WINDOW)
    assert library.proposals.count() == 1


def test_the_graph_may_be_proposed(library: Library) -> None:
    for work in (
        lambda: library.graph.relate([Triple("barn", "shed", "behind")], **HELD),
        lambda: library.graph.unrelate([Triple("shed", "barn", "near")], **HELD),
        lambda: library.scopes.set("barn", Scope.SHARED, expected=0, confirmed=True, **HELD),
        lambda: library.graph.change("policy", new_name="rules", **HELD),
    ):
        with pytest.raises(Waiting):
            work()
    assert library.proposals.accept_all([1, 2, 3, 4], **WINDOW) == {}
    picture = sketch(library)
    assert "barn:thing = shared" in picture
    assert "rules:thing = shared" in picture
    assert "barn -behind-> shed" in picture
    assert "shed -near-> barn" not in picture


def test_an_entity_goes_with_all_it_had(library: Library) -> None:
    with pytest.raises(Waiting):
        library.graph.delete(["shed"], **HELD)
    library.proposals.accept(1, **WINDOW)
    assert "shed" not in sketch(library)


def test_what_several_proposals_could_not_be_is_told_by_their_numbers(library: Library) -> None:
    first, second = proposed(library), proposed(library, "the roof leaks")
    library.proposals.refuse(first.id, **WINDOW)
    found = library.proposals.accept_all([first.id, second.id, 99], **WINDOW)
    assert list(found) == [first.id, 99]
    assert "roof" in sketch(library)
    with pytest.raises(NotFound):
        library.proposals.get(99)


def test_several_are_one_deed_of_which_a_failure_leaves_nothing(library: Library) -> None:
    with pytest.raises(Waiting):
        library.graph.create([NewEntity("yard", "place", ("is big",))], **HELD)
    changed = revising(library, Edit(content="the lamp is green"))
    fresh = proposed(library)
    library.memories.revise(1, Edit(content="the lamp is blue"), **WINDOW)
    found = library.proposals.accept_all([1, changed.id, fresh.id], **WINDOW)
    assert list(found) == [changed.id]
    assert library.memories.get(1).content == "the lamp is blue"
    assert [p.id for p in library.proposals.waiting()] == [changed.id]
    lines = library.journal.batch(library.journal.newest(1)[0].batch)
    assert [(x.deed, x.author) for x in lines] == [
        (Deed.ACCEPT, "you"), (Deed.CREATE_ENTITY, "robin"), (Deed.REMEMBER, "robin"),
        (Deed.ACCEPT, "you"), (Deed.REMEMBER, "robin"),
    ]  # fmt: skip
    library.journal.undo(lines[0].batch, **WINDOW)
    assert library.proposals.count() == 3
    assert "yard" not in sketch(library)


def test_several_are_refused_for_one_reason(library: Library) -> None:
    ids = [proposed(library).id, proposed(library, "the roof leaks").id]
    assert library.proposals.refuse_all(ids, why="all mended", **WINDOW) == {}
    with pytest.raises(Refused, match="all mended"):
        library.memories.remember(Draft("the roof leaks", "shed"), **HELD)
    library.journal.undo(library.journal.newest(1)[0].batch, **WINDOW)
    assert library.proposals.count() == 2


def test_a_proposed_value_counts_over_the_revision_that_was_seen_alone(library: Library) -> None:
    waiting = revising(library, Edit(content="the lamp is green"))
    seen = library.memories.revise(1, Edit(content="the lamp is blue"), **WINDOW).revision
    library.memories.revise(1, Edit(content="the lamp is gone"), **WINDOW)
    with pytest.raises(Conflict, match="content of memory 1"):
        library.proposals.accept(waiting.id, over={1: seen}, **WINDOW)
    library.proposals.accept(waiting.id, over={1: seen + 1}, **WINDOW)
    assert library.memories.get(1).content == "the lamp is green"


def test_a_secret_of_an_edit_is_masked_where_the_person_says_so(library: Library) -> None:
    waiting = proposed(library)
    edits = {0: {"content": "password: hunter2-Zq81xx"}}
    library.proposals.accept(waiting.id, edits=edits, secrets=Secrets.MASK, **WINDOW)
    assert "hunter2" not in library.memories.get(2).content


def test_the_line_of_a_decision_is_found_while_it_stands(library: Library) -> None:
    waiting = proposed(library)
    assert library.proposals.decision(waiting.id) is None
    library.proposals.refuse(waiting.id, **WINDOW)
    line = library.proposals.decision(waiting.id)
    assert line is not None
    library.journal.undo(line.batch, **WINDOW)
    assert library.proposals.decision(waiting.id) is None


def test_rules_say_more_than_the_access(library: Library) -> None:
    lets = by(Rule(Verdict.HOLD, Kind.DECISION), Rule(Verdict.REFUSE, scope=Scope.SHARED))
    library.memories.remember(Draft("is wet", "shed"), **lets)
    with pytest.raises(Waiting):
        library.memories.remember(Draft("we sell it", "shed", kind=Kind.DECISION), **lets)
    with pytest.raises(Refused, match="does not let this agent"):
        library.memories.remember(Draft("all must knock", "policy"), **lets)
    free = by(Rule(Verdict.PASS, Kind.LESSON), access=Access.PROPOSE)
    library.memories.remember(Draft("oil helps", "shed", kind=Kind.LESSON), **free)
    assert "oil helps" in sketch(library)
    assert "all must knock" not in sketch(library)


def test_rules_come_back_as_they_were_written() -> None:
    rules = (Rule(Verdict.HOLD, Kind.DECISION, Scope.GROUP), Rule(Verdict.PASS))
    assert read(written(rules)) == rules
    for text in ("{", "[[1]]", '[["pass", "fish", null]]'):
        with pytest.raises(BadValue):
            read(text)


def test_the_rules_of_an_agent_are_kept_and_undone(library: Library) -> None:
    agent, _ = library.agents.add("wren", **WINDOW)
    kept = (Rule(Verdict.HOLD, Kind.DECISION),)
    library.agents.change(
        agent.id, access=agent.access, dialect=agent.dialect, entity=None, rules=kept, **WINDOW
    )
    assert library.agents.get(agent.id).author().rules == kept
    library.agents.change(agent.id, access=Access.READ, dialect="memo", entity=None, **WINDOW)
    assert library.agents.get(agent.id).author().rules == kept
    library.journal.undo(library.journal.head(), **WINDOW)
    library.journal.undo(library.journal.head() - 2, force=True, **WINDOW)
    assert library.agents.get(agent.id).author().rules == ()


def test_an_accepted_proposal_can_be_undone_and_waits_again(library: Library) -> None:
    waiting = proposed(library)
    library.proposals.accept(waiting.id, **WINDOW)
    library.journal.undo(library.journal.newest(1)[0].batch, **WINDOW)
    assert "sticks" not in sketch(library)
    assert library.proposals.count() == 1


def test_a_refusal_can_be_undone(library: Library) -> None:
    waiting = proposed(library)
    library.proposals.refuse(waiting.id, **WINDOW)
    library.journal.undo(library.journal.head(), **WINDOW)
    assert library.proposals.get(waiting.id).state is ProposalState.WAITING


def test_a_reader_proposes_nothing(library: Library) -> None:
    with pytest.raises(Refused, match="only read"):
        library.memories.remember(Draft("wet", "shed"), **by(access=Access.READ))
    assert library.proposals.count() == 0


def test_forgetting_a_memory_for_good_takes_what_was_proposed_about_it(library: Library) -> None:
    revising(library, Edit(content="the xylophone is green"))
    library.memories.purge(1, **WINDOW)
    assert library.proposals.waiting() == []
    library.upkeep.tidy()
    assert b"xylophone" not in library.path.read_bytes()


def test_a_call_with_a_key_that_waits_is_proposed_once(library: Library) -> None:
    for _ in range(2):
        with pytest.raises(Waiting), library.once(1, "k", b"call"):
            library.memories.remember(Draft("the door sticks", "shed"), **HELD)
    assert library.proposals.count() == 1
