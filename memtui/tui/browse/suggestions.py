"""Where the suggestions for the search bar are shown (S-31)."""

from __future__ import annotations

from memtui.tui.completing.suggestions import MAX_SHOWN, SuggestionList

MAX_OVER_LIST = 3  # where no detail is shown that could be covered instead of the results


class SearchSuggestions(SuggestionList):
    """Suggestions over the detail, which is beside the results or below them, so that the results stay in
    sight; where there is none, over the first results, but low."""

    def frame(self, width: int, column: int) -> tuple[int, int, int, int]:
        results, detail = (self.screen.query_one(id).region for id in ("#list", "#detail"))
        most, left, down = MAX_OVER_LIST, column, 0
        if detail.height > MAX_OVER_LIST + 1:
            most, down = min(MAX_SHOWN, detail.height - 2), detail.y - results.y
            if detail.x > results.x:
                width, left = min(width, detail.width), max(left, detail.x)
        return width, most, max(0, min(left, self.screen.size.width - width)), down
