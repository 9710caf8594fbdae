"""A minimal Textual app: the baseline for the first paint."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class Bare(App[None]):
    """One line of text."""

    def compose(self) -> ComposeResult:
        yield Static("bare and ready")


if __name__ == "__main__":
    Bare().run()
