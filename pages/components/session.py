"""The whole state of one reader's screen as one frozen value, and its form in the address bar."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from pydantic import ValidationError

from engine.corpus.corpus import FILTER_FIELDS
from engine.types import Bm25Setup, ChannelSetup, Filter, RerankSetup, Setup, Value

View = Literal["board", "cards", "table"]
Params = Mapping[str, Sequence[str]]
"""The parameters of an address: each name with its values."""

_SIMPLE = ("fusion", "k", "normaliser", "absence", "agreement", "fused_threshold", "shown")
_CHANNEL = ("weight", "depth", "threshold", "floor")
_GROUPS: Mapping[str, type[Bm25Setup] | type[RerankSetup]] = {"bm25": Bm25Setup, "rerank": RerankSetup}
_PIN = "pin"


class Session(Value):
    """What the address bar holds: with it, a colleague sees the same screen.

    `pinned` is the setup to compare with, `selected` the id of the chunk looked at. `marks` holds what single pages
    remember, by names of the form `page.name`.
    """

    collection: str | None = None
    query: str = ""
    setup: Setup = Setup()
    pinned: Setup | None = None
    selected: str | None = None
    view: View = "board"
    marks: tuple[tuple[str, str], ...] = ()

    def mark(self, name: str, default: str = "") -> str:
        """What a page remembers under `page.name`, or the default."""
        return dict(self.marks).get(name, default)

    def with_mark(self, name: str, value: str) -> Session:
        """A copy that remembers `value` under `page.name`; an empty value forgets it."""
        kept = {key: text for key, text in self.marks if key != name} | ({name: value} if value else {})
        return self.model_copy(update={"marks": tuple(sorted(kept.items()))})

    def in_collection(self, name: str) -> Session:
        """A copy in that collection, without what only the former one has: filters, the pin's too, and selection."""
        pinned = None if self.pinned is None else self.pinned.model_copy(update={"filters": ()})
        setup = self.setup.model_copy(update={"filters": ()})
        return self.changed(collection=name, selected=None, setup=setup, pinned=pinned)

    def changed(self, **changes: object) -> Session:
        """A copy with those fields changed."""
        return self.model_copy(update=changes)


def to_params(session: Session) -> dict[str, list[str]]:
    """The address parameters of a session; what stands at its default is left out."""
    params = {
        "c": [session.collection] if session.collection is not None else [],
        "q": [session.query] if session.query else [],
        **_setup_params(session.setup, ""),
        **({} if session.pinned is None else {_PIN: ["1"], **_setup_params(session.pinned, f"{_PIN}.")}),
        "at": [session.selected] if session.selected is not None else [],
        "view": [session.view] if session.view != "board" else [],
        **{name: [value] for name, value in session.marks},
    }
    return {name: values for name, values in params.items() if values}


def from_params(params: Params, pages: Sequence[str] = ()) -> tuple[Session, tuple[str, ...]]:
    """The session that an address describes, and a note for every value in it that had to fall back.

    `pages` are the names of pages whose marks (`page.name`) are kept.
    """
    notes: list[str] = []
    one = {name: values[-1] for name, values in params.items() if values}
    pinned = _read_setup(params, f"{_PIN}.", notes) if one.get(_PIN) == "1" else None
    session = Session(
        collection=one.get("c") or None,
        query=one.get("q", ""),
        setup=_read_setup(params, "", notes),
        pinned=pinned,
        selected=one.get("at") or None,
        view=_read_view(one.get("view", "board"), notes),
        marks=tuple(sorted((name, value) for name, value in one.items() if _is_mark(name, pages) and value)),
    )
    return session, tuple(notes)


def _is_mark(name: str, pages: Sequence[str]) -> bool:
    """Whether a parameter is what a page remembers: a page may have the name of a knob, but a knob has no dot there."""
    page, dot, _ = name.partition(".")
    return bool(dot) and page in pages


def _setup_params(setup: Setup, prefix: str) -> dict[str, list[str]]:
    params = {name: _changed(setup, Setup(), name) for name in _SIMPLE}
    for group, model in _GROUPS.items():
        values = getattr(setup, group)
        params |= {f"{group}.{name}": _changed(values, model(), name) for name in model.model_fields}
    for channel in setup.channels:
        default = ChannelSetup(name=channel.name)
        params |= {f"{name}.{channel.name}": _changed(channel, default, name) for name in _CHANNEL}
    params |= {f"filter.{chosen.field}": list(chosen.values) for chosen in setup.filters}
    return {f"{prefix}{name}": values for name, values in params.items() if values}


def _changed(value: Value, default: Value, name: str) -> list[str]:
    mine = getattr(value, name)
    return [] if mine == getattr(default, name) else [_as_text(mine)]


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _read_setup(params: Params, prefix: str, notes: list[str]) -> Setup:
    mine = {name.removeprefix(prefix): values for name, values in params.items() if name.startswith(prefix) and values}
    simple = dict(_valid(Setup, {name: mine[name][-1] for name in _SIMPLE if name in mine}, notes))
    groups = {group: _read_group(group, mine, notes) for group in _GROUPS}
    setup = _together({**simple, **groups, "filters": _filters(mine, notes)}, notes)
    for name, values in mine.items():
        field, _, channel = name.partition(".")
        if field in _CHANNEL and channel:
            setup = setup.with_channel(channel, **dict(_valid(ChannelSetup, {field: values[-1]}, notes, channel)))
    return setup


def _read_group(group: str, mine: Params, notes: list[str]) -> Value:
    model = _GROUPS[group]
    texts = {name: mine[f"{group}.{name}"][-1] for name in model.model_fields if f"{group}.{name}" in mine}
    return model(**dict(_valid(model, texts, notes)))


def _together(values: dict[str, Any], notes: list[str]) -> Setup:
    """The setup of values that are possible each; where two of them are not together, absent chunks get the default."""
    try:
        return Setup(**values)
    except ValidationError as error:
        reason = error.errors()[0]["msg"].removeprefix("Value error, ")
        notes.append(f"What the link asks for is not possible together: {reason}. They get what the normaliser says.")
        return Setup(**{**values, "absence": Setup.model_fields["absence"].default})


def _valid(model: type[Value], texts: Mapping[str, str], notes: list[str], name: str = "") -> Iterator[tuple[str, Any]]:
    """Each field that is possible, as its type; a note for each that is not."""
    for field, text in texts.items():
        fixed = {"name": name} if name else {}
        try:
            yield field, getattr(model.model_validate({**fixed, field: text}), field)
        except ValidationError as error:
            title = f"{model.model_fields[field].title or field}{f' of {name}' if name else ''}"
            default = model.model_fields[field].default
            instead = "none" if default is None else _as_text(default)
            reason = error.errors()[0]["msg"].replace("Input should", "it should")
            notes.append(f"{title} cannot be {text!r}, as the link asks ({reason}); it is {instead} instead.")


def _filters(mine: Params, notes: list[str]) -> tuple[Filter, ...]:
    filters = []
    for name, values in mine.items():
        field = name.removeprefix("filter.")
        if field == name:
            continue
        if field in FILTER_FIELDS or (field.startswith("metadata.") and field != "metadata."):
            filters.append(Filter(field=field, values=tuple(values)))
        else:
            notes.append(f"The link filters by {field!r}, which is not a field of a chunk; the filter is left out.")
    return tuple(filters)


def _read_view(text: str, notes: list[str]) -> View:
    for view in get_args(View):
        if view == text:
            return view
    notes.append(f"There is no view {text!r}, as the link asks; the board is shown.")
    return "board"
