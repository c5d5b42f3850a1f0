"""Which column is which field of a chunk, guessed from the names in English, French, Spanish and Vietnamese."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from engine.corpus.cells import as_text
from engine.corpus.records import Record
from engine.text.normalise import fold

# For each field its usual names, the surest first, folded and with `_` between words.
NAMES: Mapping[str, tuple[str, ...]] = {
    "id": (
        *("id", "_id", "chunk_id", "chunkid", "passage_id", "doc_id", "docid", "docno", "pid", "uid", "uuid", "key"),
        *("identifier", "identifiant", "identificador", "ma_so", "ma", "code", "codigo", "clave", "ref", "document_id"),
    ),
    "text": (
        *("text", "content", "contents", "body", "passage", "chunk", "chunk_text", "page_content", "document_text"),
        *(
            "texte",
            "contenu",
            "corps",
            "texto",
            "contenido",
            "cuerpo",
            "noi_dung",
            "van_ban",
            "abstract",
            "description",
        ),
    ),
    "title": (
        *("title", "titre", "titulo", "tieu_de", "ten", "label", "libelle", "intitule", "heading", "name", "nombre"),
        *("etiqueta", "nhan", "subject", "headline"),
    ),
    "summary": ("summary", "resume", "resumen", "tom_tat"),
    "language": ("language", "lang", "langue", "idioma", "lengua", "ngon_ngu"),
    "number": ("number", "numero", "num", "no", "so", "so_hieu", "code", "codigo", "ma_so"),
    "domain": ("domain", "domaine", "dominio", "linh_vuc"),
    "entities": ("entities", "entites", "entidades", "thuc_the", "keywords", "mots_cles", "palabras_clave", "tu_khoa"),
    "relations": ("relations", "relaciones", "quan_he"),
    "references": ("references", "refs", "referencias", "tham_chieu"),
    "location": ("location", "localisation", "ubicacion", "vi_tri"),
    "metadata": ("metadata", "meta", "metadonnees", "metadatos"),
    "location.document_id": (
        *(
            "document_id",
            "doc_id",
            "docid",
            "document",
            "doc",
            "parent_id",
            "source_id",
            "file",
            "filename",
            "file_name",
        ),
        *("fichier", "documento", "archivo", "tai_lieu", "tap_tin"),
    ),
    "location.part": ("part", "partie", "parte", "phan"),
    "location.chapter": ("chapter", "chapitre", "capitulo", "chuong"),
    "location.section": ("section", "seccion", "muc"),
    "location.article": ("article", "articulo", "dieu"),
    "location.paragraph": ("paragraph", "paragraphe", "parrafo", "khoan"),
    "location.page": ("page", "page_number", "page_no", "pagina", "trang"),
}
_WORD_GAP = re.compile(r"[\W_]+")
_USUAL = frozenset(name.replace(".", "_") for field, names in NAMES.items() for name in (field, *names))
_SHARED = frozenset({("id", "number")})
"""A column that may serve two fields: a code is the identity of its row and the number that people search for."""


def plain_name(column: str) -> str:
    """A column name as `NAMES` has it: `Nội dung` → `noi_dung`, `_id` → `_id`."""
    folded = fold(column.strip().replace("°", "o"))
    words = _WORD_GAP.sub("_", folded).strip("_")
    return f"_{words}" if folded.startswith("_") else words


def has_usual_name(column: str) -> bool:
    """Whether the name alone says which field a column may fill."""
    return plain_name(column) in _USUAL


def guess_fields(
    columns: Sequence[str], head: Sequence[Record] = (), wanted: Collection[str] = NAMES.keys()
) -> dict[str, str]:
    """The field → column mapping that the names suggest, with the first rows deciding what they leave open.

    Only fields in `wanted` are filled.

    A column serves one field; a code serves `id` and `number`. Without a column of a text's name, the text is the
    unclaimed column with the longest values, then the title.
    """
    by_name: dict[str, str] = {}
    for column in columns:
        by_name.setdefault(plain_name(column), column)
    chosen: dict[str, str] = {}
    for field, names in NAMES.items():
        if field not in wanted:
            continue
        usual = (plain_name(field), *names)
        found = next((by_name[name] for name in usual if name in by_name and _free(field, by_name[name], chosen)), None)
        if found is not None and not (field == "id" and _is_shared_document(found, head)):
            chosen[field] = found
    if "id" in wanted and "id" not in chosen:
        chosen = {**_with_own_id(chosen, columns, head), **chosen}
    return _with_text(chosen, columns, head) if "text" in wanted else chosen


def _free(field: str, column: str, chosen: Mapping[str, str]) -> bool:
    users = [user for user, taken in chosen.items() if taken == column]
    return all((user, field) in _SHARED for user in users)


def _is_shared_document(column: str, head: Sequence[Record]) -> bool:
    """Whether an id of documents comes with several rows, so that it says where a row is from, not which it is."""
    if plain_name(column) not in ("document_id", "doc_id", "docid"):
        return False
    values = [as_text(record.values.get(column)) for record in head]
    return len(set(values)) < len(values)


def _with_own_id(chosen: Mapping[str, str], columns: Sequence[str], head: Sequence[Record]) -> dict[str, str]:
    """The first unclaimed column named after an id (`ticket_id`, `id_dossier`) whose first values all differ."""
    for column in columns:
        words = plain_name(column).strip("_").split("_")
        values = [as_text(record.values.get(column)) for record in head]
        differ = all(values) and len(set(values)) == len(values) > 1
        if "id" in (words[0], words[-1]) and column not in chosen.values() and differ:
            return {"id": column}
    return {}


def _with_text(chosen: dict[str, str], columns: Sequence[str], head: Sequence[Record]) -> dict[str, str]:
    if "text" in chosen:
        return chosen
    taken = set(chosen.values())
    longest = max(
        (column for column in columns if column not in taken), key=lambda name: _length(name, head), default=""
    )
    if longest and _length(longest, head) > 0:
        return {**chosen, "text": longest}
    if "title" in chosen:
        return {**{field: column for field, column in chosen.items() if field != "title"}, "text": chosen["title"]}
    return chosen


def _length(column: str, head: Iterable[Record]) -> int:
    return sum(len(value) for record in head if isinstance(value := record.values.get(column), str))
