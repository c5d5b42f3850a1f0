"""Ids: kept exactly as text, given where a row has none, and settled where one comes again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.corpus.drafts import Draft
from engine.corpus.options import OnRepeated
from engine.corpus.problems import ProblemLog
from engine.corpus.report import listed
from engine.errors import BadInput


def give_missing_ids(drafts: Sequence[Draft], log: ProblemLog, source: str) -> None:
    """Give every draft with a blank id its substitute (`row-12`), made unique, and note it.

    Where no row has an id, one note says so for all.
    """
    missing = [draft for draft in drafts if not draft.chunk_id.strip()]
    taken = {draft.chunk_id for draft in drafts}
    for draft in missing:
        given, count = draft.substitute_id, 1
        while given in taken:
            count += 1
            given = f"{draft.substitute_id}-{count}"
        draft.chunk_id = given
        taken.add(given)
    if missing and len(missing) == len(drafts) > 1:
        first, last = missing[0].chunk_id, missing[-1].chunk_id
        named = f"the rows are named {first!r} to {last!r}"
        log.add(source, "guess", f"no column of ids was found; {named}. Map a column to id if there is one.")
        return
    for draft in missing:
        log.add(draft.where, "no id", f"no id; given the id {draft.chunk_id!r}")


def settle_repeated(
    drafts: Sequence[Draft], on_repeated: OnRepeated, log: ProblemLog
) -> tuple[list[Draft], tuple[str, ...]]:
    """The drafts that stay, in order, and the ids that came more than once. `BadInput` where they are to be refused."""
    counts = Counter(draft.chunk_id for draft in drafts)
    repeated = tuple(chunk_id for chunk_id, count in counts.items() if count > 1)
    if not repeated:
        return list(drafts), ()
    if on_repeated == "refuse":
        ids = f"{len(repeated):,} repeated {'id' if len(repeated) == 1 else 'ids'}: {listed(repeated)}"
        raise BadInput(
            f"{len(drafts):,} read, {ids}.", "Choose to keep the first or the last of each, or correct the ids."
        )
    winners: dict[str, Draft] = {}
    for draft in drafts:
        if on_repeated == "last" or draft.chunk_id not in winners:
            winners[draft.chunk_id] = draft
    for draft in drafts:
        winner = winners[draft.chunk_id]
        if winner is not draft:
            log.add(draft.where, "repeated id", f"id {draft.chunk_id!r} comes again; {winner.where} is kept")
    return [draft for draft in drafts if winners[draft.chunk_id] is draft], repeated
