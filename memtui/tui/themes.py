"""Four themes with one accent colour each; every colour in the styles comes from here."""

from __future__ import annotations

from textual.theme import Theme

# Defaults for themes of Textual's own, which lack these.
DEFAULTS = {
    "quiet": "$foreground-muted",
    "line": "$panel",
    "cursor": "$boost",
    "cursor-idle": "$panel",
    "track": "$panel",
    "bar": "$foreground-muted",
    # Border types, not colours.
    "frame": "round",
    "frame-focus": "heavy",
}

DARK = Theme(
    name="memtui-dark",
    primary="#7fb8c4",
    secondary="#7fb8c4",
    accent="#7fb8c4",
    foreground="#d3d7dd",
    background="#14171b",
    surface="#14171b",
    panel="#1d2127",
    boost="#1d2127",
    success="#8fb98a",
    warning="#d9b36c",
    error="#e08a80",
    dark=True,
    variables={
        "quiet": "#8b939e",
        "line": "#3a414b",
        "cursor": "#22303a",
        "cursor-idle": "#1d2127",
        "track": "#3a414b",
        "bar": "#66717e",
        "input-selection-background": "#35525c",
        "scrollbar": "#3a414b",
        "scrollbar-hover": "#4a525d",
        "scrollbar-active": "#7fb8c4",
        "scrollbar-background": "#14171b",
        "scrollbar-background-hover": "#14171b",
        "scrollbar-background-active": "#14171b",
        "scrollbar-corner-color": "#14171b",
    },
)

LIGHT = Theme(
    name="memtui-light",
    primary="#1f6f80",
    secondary="#1f6f80",
    accent="#1f6f80",
    foreground="#2b3036",
    background="#faf9f6",
    surface="#faf9f6",
    panel="#efede7",
    boost="#efede7",
    success="#3f7a3a",
    warning="#8a5f00",
    error="#b03a2e",
    dark=False,
    variables={
        "quiet": "#676e77",
        "line": "#c9c6bd",
        "cursor": "#dcebed",
        "cursor-idle": "#efede7",
        "track": "#c9c6bd",
        "bar": "#9a9a94",
        "input-selection-background": "#bcdbe0",
        "scrollbar": "#c9c6bd",
        "scrollbar-hover": "#b5b2a8",
        "scrollbar-active": "#1f6f80",
        "scrollbar-background": "#faf9f6",
        "scrollbar-background-hover": "#faf9f6",
        "scrollbar-background-active": "#faf9f6",
        "scrollbar-corner-color": "#faf9f6",
    },
)

# A contrast of at least 7:1 for every text, and clearly visible borders.
CONTRAST = Theme(
    name="memtui-contrast",
    primary="#ffd75f",
    secondary="#ffd75f",
    accent="#ffd75f",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    boost="#1c1c1c",
    success="#87ff87",
    warning="#ffaf5f",
    error="#ff9f9f",
    dark=True,
    variables={
        "quiet": "#d0d0d0",
        "line": "#d0d0d0",
        "cursor": "#002c42",
        "cursor-idle": "#303030",
        "track": "#a8a8a8",
        "bar": "#ffffff",
        "frame": "heavy",
        "frame-focus": "thick",
        "input-selection-background": "#005f87",
        "scrollbar": "#a8a8a8",
        "scrollbar-hover": "#d0d0d0",
        "scrollbar-active": "#ffd75f",
        "scrollbar-background": "#000000",
        "scrollbar-background-hover": "#000000",
        "scrollbar-background-active": "#000000",
        "scrollbar-corner-color": "#000000",
    },
)

# Only the terminal's own 16 colours. Quiet text is dim, never grey: in some palettes bright black has the
# colour of the background.
ANSI = Theme(
    name="memtui-ansi",
    ansi=True,
    primary="ansi_cyan",
    secondary="ansi_cyan",
    accent="ansi_cyan",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    success="ansi_green",
    warning="ansi_yellow",
    error="ansi_red",
    dark=True,
    variables={
        # Required by Textual's own styles of ANSI themes.
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        "border-blurred": "ansi_default",
        "block-cursor-background": "ansi_default",
        "block-cursor-foreground": "ansi_default",
        "quiet": "ansi_default",
        "line": "ansi_default",
        "cursor": "ansi_default",
        "cursor-idle": "ansi_default",
        "track": "ansi_default",
        "bar": "ansi_default",
        "input-cursor-background": "ansi_default",
        "input-cursor-foreground": "ansi_default",
        "input-cursor-text-style": "reverse",
        "input-selection-background": "ansi_blue",
        "input-selection-foreground": "ansi_white",
        "screen-selection-background": "ansi_blue",
        "screen-selection-foreground": "ansi_white",
        "scrollbar": "ansi_default",
        "scrollbar-hover": "ansi_cyan",
        "scrollbar-active": "ansi_cyan",
        "scrollbar-background": "ansi_default",
        "scrollbar-background-hover": "ansi_default",
        "scrollbar-background-active": "ansi_default",
        "scrollbar-corner-color": "ansi_default",
    },
)

THEMES = (DARK, LIGHT, CONTRAST, ANSI)


def short(theme: str) -> str:
    """Return the name for settings and palette: contrast."""
    return theme.removeprefix("memtui-")


def after(theme: str) -> str:
    """Return the name of the next theme."""
    names = [each.name for each in THEMES]
    return names[(names.index(theme) + 1) % len(names)] if theme in names else names[0]
