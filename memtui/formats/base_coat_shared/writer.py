"""Files of Base Coat's shared memory, written: made, or changed where a change means it and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from memtui.errors import NotSaved, Refused
from memtui.formats.base_coat_shared.document import PATTERN, Sheet, told
from memtui.formats.base_coat_shared.reader import ENOUGH, LENGTH, slug
from memtui.formats.contract.adapter import clean
from memtui.formats.media.files.draft import Draft
from memtui.formats.syntax import frontmatter
from memtui.formats.syntax.frontmatter import Patch, Style, Value
from memtui.formats.syntax.timestamps import in_the_form_of, seconds_of

_BARE = Value("0", Style.PLAIN, 0, 0, 0, 0)  # how a number is spelled: without quotes
_SUBJECT_LENGTH = 200  # bytes; it makes the name of a file
_LETTERS, _BYTES = 60, 96  # of a domain or a subject that is cut off
_WORDS = 6  # of a pattern that make a title or a subject


def checked(text: str) -> str:
    """A pattern, if the format allows it."""
    text = told(text)
    if not text.strip():
        raise NotSaved("empty", "the content cannot be empty.", "Dismiss the memory instead.")
    if len(text) > LENGTH:
        raise NotSaved(
            "too-long",
            f"a shared pattern has at most {LENGTH} characters, and this has {len(text)}.",
            f"Shorten it by {len(text) - LENGTH}.",
        )
    return text


def set_pattern(draft: Draft, name: str, text: str) -> None:
    """Bring the text of the section “Pattern” to `text`."""
    sheet = Sheet(draft.files[name])
    text = checked(text)
    section = sheet.section(PATTERN)
    if section is None:
        raise NotSaved("no-field", "the file has no section “Pattern”.", "Nothing was changed.")
    if sheet.head is not None and any(code == "unclosed-head" for code, _ in sheet.head.odd):
        raise NotSaved("head", "the file's head has no end, so its text has no beginning.")
    if sheet.text(PATTERN) == text:
        return
    new = text.replace("\n", sheet.newline.decode()).encode()
    if section.start == section.end:  # nothing stands under the heading yet
        ended = sheet.data[: section.head].endswith(b"\n")
        new = (b"" if ended else sheet.newline) + sheet.newline + new + sheet.newline
        draft.splice(name, section.head, section.head, new)
    else:
        draft.splice(name, section.start, section.end, new)
    after = Sheet(draft.files[name])
    if after.text(PATTERN) != text or len(after.sections) != len(sheet.sections):
        raise misread()


def misread() -> Refused:
    """What is said of a pattern that a reader would take for something else."""
    return NotSaved(
        "shape",
        "in the file this would be read as more than one section, or as something else.",
        "Nothing was changed. Leave out lines that begin with # and marks of code that do not end.",
    )


def set_category(draft: Draft, name: str, category: str) -> None:
    if category != Sheet(draft.files[name]).says("category"):
        draft.splice(name, *_patch(draft, name, "category", category, None, "subject"))


def set_confidence(draft: Draft, name: str, confidence: float) -> None:
    number = max(0.0, min(1.0, confidence))
    draft.splice(name, *_patch(draft, name, "confidence", spelled(number), _BARE, "category", "subject"))


def set_validated(draft: Draft, name: str, when: float) -> None:
    """The day on which a person last said that it holds; where an agent says so later, that stays."""
    sheet = Sheet(draft.files[name])
    said = sheet.says("last_validated")
    day = str(in_the_form_of(when, said)) if seconds_of(said) is not None else _day(when)
    if day == said:
        return
    like = sheet.head.values.get("created") if sheet.head is not None else None
    patch = _patch(draft, name, "last_validated", day, like or _BARE, "created", "confidence", "subject")
    draft.splice(name, *patch, soft=True)


def new_file(fields: Mapping[str, Any], subject: str, text: str, now: float) -> bytes:
    """A whole file as Base Coat would have it."""
    spell = frontmatter.spell
    confidence = fields.get("confidence")
    created, validated = fields.get("created_at"), fields.get("last_confirmed_at")
    given = fields.get("extra")
    extra = dict(given) if isinstance(given, Mapping) else {}
    lines = [
        f"subject: {quoted(subject)}",
        f"category: {quoted(str(fields.get('category') or 'convention'))}",
        f"confidence: {spelled(ENOUGH if confidence is None else max(0.0, min(1.0, confidence)))}",
        f"created: {quoted(_day(float(created or now)))}",
        f"applies_to: {_listed(extra.pop('applies_to', 'all teams'))}",
    ]
    if validated is not None:
        lines.append(f"last_validated: {quoted(_day(float(validated)))}")
    if fields.get("tags"):
        extra.pop("tags", None)
        lines.append(f"tags: {_listed(fields['tags'])}")
    lines += [f"{spell(key)}: {_listed(value)}" for key, value in extra.items() if _simple(key, value)]
    title = " ".join(clean(str(fields.get("title") or "")).split()) or first_words(text)
    evidence = told(clean(str(fields.get("source_excerpt") or ""))) or f"- Noted on {_day(now)}."
    body = ["", f"# {title}", "", "## Pattern", "", text, "", "## Evidence", "", evidence, ""]
    return "\n".join(["---", *lines, "---", *body]).encode()


def placed(subject: str) -> str:
    """Where the file of a subject stands. Raises Refused."""
    domain, _, rest = subject.partition(":")
    if not slug(domain) or not slug(rest):
        raise NotSaved(
            "subject",
            f"a shared memory has a domain and a subject; “{subject}” names none.",
            "Write it as domain:subject, for instance testing:run-before-merge.",
        )
    if not _is_short(subject):
        raise NotSaved(
            "subject",
            "the subject is too long for the name of a file.",
            f"Write it as domain:subject, in {_SUBJECT_LENGTH} letters at most.",
        )
    return f"{slug(domain)}/{slug(rest)}.md"


def subject_of(fields: Mapping[str, Any]) -> str:
    """The domain and subject of a memory of another store."""
    said = " ".join(str(fields.get("subject") or "").split())
    domain, colon, rest = said.partition(":")
    if colon and slug(domain) and slug(rest):
        return said if _is_short(said) else f"{_shortened(slug(domain))}:{_shortened(slug(rest))}"
    for name in (said, fields.get("key"), fields.get("title"), first_words(str(fields.get("content") or ""))):
        if words := _shortened(slug(str(name or ""))):
            return f"general:{words}"
    return "general:memory"


def _is_short(subject: str) -> bool:
    """Whether a subject, and what is made of it, can name a file."""
    return all(len(text.encode()) <= _SUBJECT_LENGTH for text in (subject, *map(slug, subject.split(":", 1))))


def _shortened(words: str) -> str:
    """The beginning of a slug, of two of which a subject can be made."""
    return words[:_LETTERS].encode()[:_BYTES].decode(errors="ignore").strip("-")


def first_words(text: str) -> str:
    """The beginning of a text, as a title."""
    return " ".join(clean(text).lstrip("#-*> ").split()[:_WORDS])


def quoted(text: str) -> str:
    """A text between double quotes, as Base Coat writes those of its heads."""
    return frontmatter.spell(text, Value(text, Style.DOUBLE, 0, 0, 0, 0))


def spelled(confidence: float) -> str:
    """A confidence with two decimals, or more where it has them."""
    short = f"{confidence:.2f}"
    return short if abs(float(short) - confidence) < 1e-9 else f"{confidence:.4f}".rstrip("0")


def _patch(draft: Draft, name: str, key: str, text: str, like: Value | None, *after: str) -> Patch:
    """The patch that sets a value of the head, added behind the first of `after` if it is not there."""
    head = Sheet(draft.files[name]).head
    if head is None:
        raise NotSaved("no-field", f"the file has no head that could hold its {key}.")
    if key in head.values:
        start, end, new = head.put(key, text)
        if like is not None and head.values[key].style in (Style.PLAIN, Style.EMPTY):
            gap = " " if start == end else ""
            new = (gap + frontmatter.spell(text, like)).encode()
        return start, end, new
    behind = next(
        (each for each in (*after, *reversed(head.values)) if each in head.values and "." not in each), ""
    )
    if not behind:
        raise NotSaved("no-field", f"the file's head is empty and has no place for its {key}.")
    start, end, new = head.insert(key, text, behind)
    if like is not None:
        indent = " " * head.values[behind].indent
        new = f"{indent}{key}: {frontmatter.spell(text, like)}".encode() + head.newline
    return start, end, new


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def _simple(key: Any, value: Any) -> bool:
    """Whether a head of one level can hold this."""
    plain = isinstance(value, (str, list, tuple)) and isinstance(key, str)
    return plain and bool(key) and not any(char in key for char in ".:#\n")


def _listed(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(quoted(clean(str(item))) for item in value)}]"
    return quoted(clean(str(value)))
