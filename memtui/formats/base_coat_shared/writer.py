"""Writing files of Base Coat's shared memory: new ones, and single values of existing ones."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from memtui.formats.base_coat_shared import wording
from memtui.formats.base_coat_shared.document import PATTERN, Document
from memtui.formats.base_coat_shared.reader import MAX_PATTERN, MIN_CONFIDENCE, slug
from memtui.formats.contract.records import clean
from memtui.formats.media.files.draft import Draft
from memtui.formats.syntax import yaml_scalars
from memtui.formats.syntax.frontmatter import Patch
from memtui.formats.syntax.markdown import strip_blank_lines
from memtui.formats.syntax.timestamps import format_like, seconds_of
from memtui.formats.syntax.yaml_scalars import Style, Value
from memtui.values import FieldValue

_UNQUOTED = Value("0", Style.PLAIN, 0, 0, 0, 0)  # how numbers are written
_MAX_SUBJECT = 200  # bytes, since a subject becomes the name of a file
_CUT_CHARACTERS, _CUT_BYTES = 60, 96  # to which a domain or a subject is cut
_TITLE_WORDS = 6  # of a pattern that make a title or a subject


def checked_pattern(text: str) -> str:
    """Return a pattern without blank lines around it. Raise Refused if the format does not allow it."""
    text = strip_blank_lines(text)
    if not text.strip():
        raise wording.empty_content()
    if len(text) > MAX_PATTERN:
        raise wording.too_long(len(text), MAX_PATTERN)
    return text


def set_pattern(draft: Draft, name: str, text: str) -> None:
    """Set the text of the section “Pattern”. Raise Refused where it would not be read back as that."""
    document = Document(draft.files[name])
    text = checked_pattern(text)
    section = document.section(PATTERN)
    if section is None:
        raise wording.no_pattern_section()
    if document.head is not None and any(code == "unclosed-head" for code, _ in document.head.problems):
        raise wording.unclosed_head()
    if document.text(PATTERN) == text:
        return
    newline = document.newline
    new = text.replace("\n", newline.decode()).encode()
    if section.start == section.end:  # the section is empty
        line_ended = document.data[: section.head].endswith(b"\n")
        new = (b"" if line_ended else newline) + newline + new + newline
        draft.splice(name, section.head, section.head, new)
    else:
        draft.splice(name, section.start, section.end, new)
    after = Document(draft.files[name])
    if after.text(PATTERN) != text or len(after.sections) != len(document.sections):
        raise wording.not_one_section()


def set_category(draft: Draft, name: str, category: str) -> None:
    """Set the category in the head."""
    if category != Document(draft.files[name]).head_text("category"):
        draft.splice(name, *_patch(draft, name, "category", category, None, "subject"))


def set_confidence(draft: Draft, name: str, confidence: float) -> None:
    """Set the confidence in the head, limited to 0–1."""
    text = format_confidence(max(0.0, min(1.0, confidence)))
    draft.splice(name, *_patch(draft, name, "confidence", text, _UNQUOTED, "category", "subject"))


def set_validated(draft: Draft, name: str, when: float) -> None:
    """Set the day on which the memory was last validated; where an agent sets a later one, undo keeps it."""
    document = Document(draft.files[name])
    old = document.head_text("last_validated")
    day = str(format_like(when, old)) if seconds_of(old) is not None else _day(when)
    if day == old:
        return
    like = document.head.values.get("created") if document.head is not None else None
    patch = _patch(draft, name, "last_validated", day, like or _UNQUOTED, "created", "confidence", "subject")
    draft.splice(name, *patch, best_effort=True)


def new_file(fields: Mapping[str, FieldValue], subject: str, text: str, now: float) -> bytes:
    """Return a complete file in the layout that Base Coat uses."""
    spell = yaml_scalars.format_scalar
    confidence = fields.get("confidence")
    share = MIN_CONFIDENCE if confidence is None else max(0.0, min(1.0, confidence))
    created, validated = fields.get("created_at"), fields.get("last_confirmed_at")
    given = fields.get("extra")
    extra = dict(given) if isinstance(given, Mapping) else {}
    lines = [
        f"subject: {_quoted(subject)}",
        f"category: {_quoted(str(fields.get('category') or 'convention'))}",
        f"confidence: {format_confidence(share)}",
        f"created: {_quoted(_day(float(created or now)))}",
        f"applies_to: {_head_value(extra.pop('applies_to', 'all teams'))}",
    ]
    if validated is not None:
        lines.append(f"last_validated: {_quoted(_day(float(validated)))}")
    if fields.get("tags"):
        extra.pop("tags", None)
        lines.append(f"tags: {_head_value(fields['tags'])}")
    lines += [f"{spell(key)}: {_head_value(value)}" for key, value in extra.items() if _fits_head(key, value)]
    title = " ".join(clean(str(fields.get("title") or "")).split()) or first_words(text)
    evidence = strip_blank_lines(clean(str(fields.get("source_excerpt") or "")))
    evidence = evidence or wording.NOTED_ON.format(day=_day(now))
    body = ["", f"# {title}", "", "## Pattern", "", text, "", "## Evidence", "", evidence, ""]
    return "\n".join(["---", *lines, "---", *body]).encode()


def file_name(subject: str) -> str:
    """Return the file name of a subject: domain/subject.md. Raise Refused if the subject makes none."""
    domain, _, rest = subject.partition(":")
    if not slug(domain) or not slug(rest):
        raise wording.bad_subject(subject)
    if not _is_short(subject):
        raise wording.long_subject(_MAX_SUBJECT)
    return f"{slug(domain)}/{slug(rest)}.md"


def subject_of(fields: Mapping[str, FieldValue]) -> str:
    """Return domain:subject for a memory of another store."""
    subject = " ".join(str(fields.get("subject") or "").split())
    domain, colon, rest = subject.partition(":")
    if colon and slug(domain) and slug(rest):
        return subject if _is_short(subject) else f"{_shortened(slug(domain))}:{_shortened(slug(rest))}"
    content = first_words(str(fields.get("content") or ""))
    for text in (subject, fields.get("key"), fields.get("title"), content):
        if words := _shortened(slug(str(text or ""))):
            return f"general:{words}"
    return "general:memory"


def numbered(subject: str, number: int) -> str:
    """Return domain:subject with a number, cut where it would be too long for a file."""
    wanted = f"{subject}-{number}"
    if _is_short(wanted):
        return wanted
    return f"{':'.join(_shortened(slug(each)) for each in subject.split(':', 1))}-{number}"


def _is_short(subject: str) -> bool:
    """Return whether a subject, and the slugs made of it, are short enough to name a file."""
    return all(len(text.encode()) <= _MAX_SUBJECT for text in (subject, *map(slug, subject.split(":", 1))))


def _shortened(words: str) -> str:
    """Return the beginning of a slug, so short that two of them make a subject."""
    return words[:_CUT_CHARACTERS].encode()[:_CUT_BYTES].decode(errors="ignore").strip("-")


def first_words(text: str) -> str:
    """Return the beginning of a text, as a title."""
    return " ".join(clean(text).lstrip("#-*> ").split()[:_TITLE_WORDS])


def _quoted(text: str) -> str:
    """Return a text in double quotes, as in the heads that Base Coat writes."""
    return yaml_scalars.format_scalar(text, Value(text, Style.DOUBLE, 0, 0, 0, 0))


def format_confidence(confidence: float) -> str:
    """Return a confidence with two decimals, or up to four where it needs them."""
    short = f"{confidence:.2f}"
    return short if abs(float(short) - confidence) < 1e-9 else f"{confidence:.4f}".rstrip("0")


def _patch(draft: Draft, name: str, key: str, text: str, like: Value | None, *after: str) -> Patch:
    """Return the patch that sets a value of the head; a missing key is added behind the first of `after`.
    `like` is a value whose style a plain or new one takes. Raise Refused where there is no head."""
    head = Document(draft.files[name]).head
    if head is None:
        raise wording.no_head(key)
    if key in head.values:
        start, end, new = head.put(key, text)
        if like is not None and head.values[key].style in (Style.PLAIN, Style.EMPTY):
            gap = " " if start == end else ""
            new = (gap + yaml_scalars.format_scalar(text, like)).encode()
        return start, end, new
    behind = next(
        (each for each in (*after, *reversed(head.values)) if each in head.values and "." not in each), ""
    )
    if not behind:
        raise wording.empty_head(key)
    start, end, new = head.insert(key, text, behind)
    if like is not None:
        indent = " " * head.values[behind].indent
        new = f"{indent}{key}: {yaml_scalars.format_scalar(text, like)}".encode() + head.newline
    return start, end, new


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def _fits_head(key: object, value: object) -> bool:
    """Return whether a head of one level can hold this."""
    is_text = isinstance(value, (str, list, tuple)) and isinstance(key, str)
    return is_text and bool(key) and not any(char in str(key) for char in ".:#\n")


def _head_value(value: FieldValue) -> str:
    """Return a text or a list as it is written in the head."""
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_quoted(clean(str(item))) for item in value)}]"
    return _quoted(clean(str(value)))
