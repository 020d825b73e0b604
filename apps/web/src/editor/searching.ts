/** Searching in the text of a file, with a panel above it. It comes a moment after the text. */
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search"
import type { Extension } from "@codemirror/state"
import { keymap } from "@codemirror/view"

export { openSearchPanel } from "@codemirror/search"

export const searching: Extension = [highlightSelectionMatches(), search({ top: true }), keymap.of(searchKeymap)]
