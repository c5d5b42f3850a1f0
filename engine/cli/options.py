"""Command line options turned into the values of the engine, with the ranges that `Setup` states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, TypedDict, TypeVar

import typer
from pydantic import ValidationError

from engine.cli.console import ProgressStyle
from engine.errors import BadInput, shortened
from engine.types import Agreement, Bm25Setup, ChannelSetup, Filter, Setup, Value, Variant

V = TypeVar("V", bound=Value)

Name = Annotated[str, typer.Argument(help="The collection.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Watch = Annotated[ProgressStyle, typer.Option("--progress", help="A bar, a JSON line per step, or nothing.")]
PerChannel = Annotated[list[str] | None, typer.Option(metavar="CHANNEL=VALUE", help="Once per channel.")]
Depth = Annotated[list[str] | None, typer.Option(metavar="N|CHANNEL=N", help="How far each channel is searched.")]
K = Annotated[float, typer.Option("--k", help=Setup.model_fields["k"].description)]
FusedThreshold = Annotated[float | None, typer.Option(help=Setup.model_fields["fused_threshold"].description)]
AgreementOf = Annotated[Agreement, typer.Option("--agreement", help=Setup.model_fields["agreement"].description)]
VariantOf = Annotated[Variant, typer.Option("--variant", help=Bm25Setup.model_fields["variant"].description)]
K1 = Annotated[float, typer.Option("--k1", help=Bm25Setup.model_fields["k1"].description)]
B = Annotated[float, typer.Option("--b", help=Bm25Setup.model_fields["b"].description)]
Filters = Annotated[list[str] | None, typer.Option("--filter", metavar="FIELD=VALUE", help="Keep only such chunks.")]


def pairs(option: str, texts: Sequence[str] | None) -> dict[str, str]:
    """`name=value` texts as a mapping; `BadInput` names the option where one has another form."""
    found = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise BadInput(
                f"--{option} {text!r} is not of the form name=value.", f"Write for example --{option} bm25=1."
            )
        found[name] = value
    return found


def filters(texts: Sequence[str] | None) -> tuple[Filter, ...]:
    """`field=value` texts as filters; values of one field are alternatives."""
    values: dict[str, list[str]] = {}
    for text in texts or ():
        ((field, value),) = pairs("filter", [text]).items()
        values.setdefault(field, []).append(value)
    return tuple(Filter(field=field, values=tuple(of)) for field, of in values.items())


class Knobs(TypedDict):
    """The options of a setup as the command line gives them; those of a channel are `channel=value` texts."""

    depth: Sequence[str] | None
    weight: Sequence[str] | None
    threshold: Sequence[str] | None
    k: float
    agreement: Agreement
    fused_threshold: float | None
    variant: Variant
    k1: float
    b: float
    filters: Sequence[str] | None


def setup_of(channels: Sequence[str], knobs: Knobs, *, shown: int = 10) -> Setup:
    """The setup that the options describe, over those channels; `BadInput` for one that is out of range."""
    return validated(
        Setup,
        channels=channel_setups(channels, depth=knobs["depth"], weight=knobs["weight"], threshold=knobs["threshold"]),
        bm25={"variant": knobs["variant"], "k1": knobs["k1"], "b": knobs["b"]},
        k=knobs["k"],
        agreement=knobs["agreement"],
        fused_threshold=knobs["fused_threshold"],
        filters=filters(knobs["filters"]),
        shown=shown,
    )


def channel_setups(
    channels: Sequence[str],
    *,
    depth: Sequence[str] | None,
    weight: Sequence[str] | None,
    threshold: Sequence[str] | None,
) -> tuple[ChannelSetup, ...]:
    """The knobs of each channel of a collection; `BadInput` for a channel that it does not have."""
    common = [text for text in depth or () if "=" not in text]
    knobs: dict[str, Mapping[str, str]] = {
        "weight": pairs("weight", weight),
        "threshold": pairs("threshold", threshold),
        "depth": {
            **dict.fromkeys(channels, common[-1] if common else "100"),
            **pairs("depth", [text for text in depth or () if "=" in text]),
        },
    }
    for option, values in knobs.items():
        for name in values:
            if name not in channels:
                raise BadInput(f"--{option}: there is no channel {name!r}.", f"Channels: {', '.join(channels)}.")
    return tuple(
        validated(ChannelSetup, name=name, **{knob: of[name] for knob, of in knobs.items() if name in of})
        for name in channels
    )


def validated(kind: type[V], **values: object) -> V:
    """A value of that kind; `BadInput` with the first fault where something is out of range."""
    with _told_plainly():
        return kind.model_validate(values)


def validated_json(kind: type[V], text: str) -> V:
    """A value of that kind from JSON; `BadInput` with the first fault."""
    with _told_plainly():
        return kind.model_validate_json(text)


@contextmanager
def _told_plainly() -> Iterator[None]:
    try:
        yield
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "options"
        raise BadInput(f"{where} = {shortened(repr(first['input']))}: {first['msg']}.", "See --help.") from error
