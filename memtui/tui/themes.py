"""Two quiet themes with one accent colour each; every colour in the styles comes from here."""

from __future__ import annotations

from textual.theme import Theme

# What a theme of Textual's own would lack: text that is less important, and pane borders.
DEFAULTS = {
    "quiet": "$foreground-muted",
    "line": "$panel",
    "cursor": "$boost",
    "cursor-idle": "$panel",
    "track": "$panel",
    "bar": "$foreground-muted",
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

THEMES = (DARK, LIGHT)
