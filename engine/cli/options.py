"""Command line options turned into the values of the engine, with the ranges that `Setup` states."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any, TypeVar

import typer
from pydantic import ValidationError
from typer.models import OptionInfo

from engine.cli.console import ProgressStyle
from engine.errors import BadInput, shortened
from engine.types import (
    Absence,
    Agreement,
    Bm25Setup,
    ChannelSetup,
    Filter,
    FusionName,
    NormaliserName,
    RerankSetup,
    Setup,
    Value,
    Variant,
)

V = TypeVar("V", bound=Value)

Name = Annotated[str, typer.Argument(help="The collection.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Watch = Annotated[ProgressStyle, typer.Option("--progress", help="A bar, a JSON line per step, or nothing.")]

_DEFAULT = Setup()
_SIMPLE = ("fusion", "k", "normaliser", "absence", "agreement", "fused_threshold")


def _knob(model: type[Value], field: str, *names: str, metavar: str | None = None) -> OptionInfo:
    """An option with the description that the registry of knobs has for the field."""
    option: OptionInfo = typer.Option(*names, help=model.model_fields[field].description, metavar=metavar)
    return option


def _per_channel(field: str, metavar: str = "CHANNEL=VALUE") -> OptionInfo:
    """An option that is given once per channel."""
    return _knob(ChannelSetup, field, metavar=metavar)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupOptions:
    """The options of a setup, the same for every command that takes one; see `takes_setup`."""

    depth: Annotated[list[str] | None, _per_channel("depth", "N|CHANNEL=N")] = None
    weight: Annotated[list[str] | None, _per_channel("weight")] = None
    threshold: Annotated[list[str] | None, _per_channel("threshold")] = None
    fusion: Annotated[FusionName, _knob(Setup, "fusion")] = _DEFAULT.fusion
    k: Annotated[float, _knob(Setup, "k", "--k")] = _DEFAULT.k
    normaliser: Annotated[NormaliserName, _knob(Setup, "normaliser")] = _DEFAULT.normaliser
    absence: Annotated[Absence, _knob(Setup, "absence")] = _DEFAULT.absence
    floor: Annotated[list[str] | None, _per_channel("floor")] = None
    agreement: Annotated[Agreement, _knob(Setup, "agreement")] = _DEFAULT.agreement
    fused_threshold: Annotated[float | None, _knob(Setup, "fused_threshold")] = None
    rerank: Annotated[str, _knob(RerankSetup, "model", metavar="MODEL")] = _DEFAULT.rerank.model
    rerank_depth: Annotated[int, _knob(RerankSetup, "depth")] = _DEFAULT.rerank.depth
    rerank_threshold: Annotated[float | None, _knob(RerankSetup, "threshold")] = None
    rerank_blend: Annotated[float, _knob(RerankSetup, "blend")] = _DEFAULT.rerank.blend
    rerank_anyway: Annotated[bool, _knob(RerankSetup, "anyway", "--rerank-anyway")] = False
    filter: Annotated[list[str] | None, typer.Option(metavar="FIELD=VALUE", help="Keep only such chunks.")] = None
    variant: Annotated[Variant, _knob(Bm25Setup, "variant")] = _DEFAULT.bm25.variant
    k1: Annotated[float, _knob(Bm25Setup, "k1", "--k1")] = _DEFAULT.bm25.k1
    b: Annotated[float, _knob(Bm25Setup, "b", "--b")] = _DEFAULT.bm25.b

    def setup(self, channels: Sequence[str], *, shown: int = _DEFAULT.shown) -> Setup:
        """The setup that the options describe, over those channels; `BadInput` for one that is out of range."""
        return validated(
            Setup,
            channels=channel_setups(
                channels, depth=self.depth, weight=self.weight, threshold=self.threshold, floor=self.floor
            ),
            bm25={name: getattr(self, name) for name in Bm25Setup.model_fields},
            rerank={
                "model": self.rerank,
                **{name: getattr(self, f"rerank_{name}") for name in RerankSetup.model_fields if name != "model"},
            },
            filters=filters(self.filter),
            shown=shown,
            **{name: getattr(self, name) for name in _SIMPLE},
        )


def takes_setup(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer sees it: in the place of its parameter `options` stands every option of `SetupOptions`."""
    shared = inspect.signature(SetupOptions, eval_str=True).parameters
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
        parameters += shared.values() if name == "options" else [parameter]

    @wraps(command)
    def called(**values: Any) -> None:  # noqa: ANN401 - each has the type of its option
        own = {name: value for name, value in values.items() if name not in shared}
        options = SetupOptions(**{name: value for name, value in values.items() if name in shared})
        command(**own, options=options)

    by_name = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
    called.__signature__ = inspect.Signature(by_name)  # type: ignore[attr-defined]
    called.__annotations__ = {each.name: each.annotation for each in by_name}
    return called


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


def channel_setups(
    channels: Sequence[str],
    *,
    depth: Sequence[str] | None,
    weight: Sequence[str] | None,
    threshold: Sequence[str] | None,
    floor: Sequence[str] | None,
) -> tuple[ChannelSetup, ...]:
    """The knobs of each channel of a collection; `BadInput` for a channel that it does not have."""
    common = [text for text in depth or () if "=" not in text]
    knobs: dict[str, Mapping[str, str]] = {
        "weight": pairs("weight", weight),
        "threshold": pairs("threshold", threshold),
        "floor": pairs("floor", floor),
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
        if first["type"] == "value_error" and not first["loc"]:  # values possible each, but not together
            raise BadInput(f"{first['msg'].removeprefix('Value error, ').capitalize()}.", "See --help.") from error
        where = ".".join(str(part) for part in first["loc"]) or "options"
        raise BadInput(f"{where} = {shortened(repr(first['input']))}: {first['msg']}.", "See --help.") from error
