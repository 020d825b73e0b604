/** How code looks: the colours of the page, which reach into the shadow root of the editor. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language"
import { EditorView } from "@codemirror/view"
import { tags } from "@lezer/highlight"

const layout = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--card)", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--mono)",
    fontSize: "var(--t-12)",
    lineHeight: "calc(19 / 12)",
    fontVariantLigatures: "none",
    scrollbarWidth: "thin"
  },
  ".cm-content": { caretColor: "var(--ink)", padding: "4px 0 40vh" },
  ".cm-cursor, .cm-dropCursor": { borderLeft: "2px solid var(--ink)" },
  ".cm-line": { padding: "0 16px 0 6px" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--ink3)", border: "none" },
  ".cm-lineNumbers": { fontSize: "var(--t-11)" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "44px", padding: "0 16px 0 4px" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--well) 70%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)", fontWeight: "600" },
  "&:not(.cm-focused) .cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--pick)"
  },
  ".cm-selectionMatch": { backgroundColor: "var(--hover)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "transparent",
    outline: "1px solid var(--edge)"
  },
  ".cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket": {
    backgroundColor: "transparent",
    color: "var(--red)"
  },
  ".cm-specialChar": { color: "var(--red)" },
  ".cm-searchMatch": { backgroundColor: "var(--amber-tint)", outline: "1px solid var(--amber-lamp)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--amber-tint)", outline: "2px solid var(--amber-lamp)" },
  ".cm-unsavedGutter": { width: "4px" },
  // Edges are borders: the ground of a line reaches through them.
  ".cm-unsavedGutter .cm-gutterElement": { boxSizing: "border-box" },
  ".cm-unsavedGutter .cm-gutterElement.cm-unsavedLine": { borderLeft: "2px solid var(--blue)" },
  ".cm-gutterElement.cm-conflictGround, .cm-conflictGround .cm-by": { backgroundColor: "var(--amber-tint)" },
  ".cm-conflict": { backgroundColor: "var(--amber-tint)" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": {
    padding: "4px 44px 4px 16px",
    font: "400 var(--t-13) / calc(18 / 13) var(--sans)"
  },
  ".cm-panel.cm-search label": { whiteSpace: "nowrap", fontSize: "var(--t-12)" },
  ".cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label": {
    margin: "3px 8px 3px 0",
    verticalAlign: "middle"
  },
  ".cm-panel.cm-search .cm-textfield": { width: "min(240px, 100%)" },
  ".cm-textfield": {
    minHeight: "var(--hit)",
    padding: "0 8px",
    border: "1px solid var(--edge)",
    borderRadius: "var(--r1)",
    backgroundColor: "var(--card)",
    color: "inherit",
    font: "inherit"
  },
  ".cm-button": {
    minHeight: "var(--hit)",
    padding: "0 10px",
    border: "1px solid var(--edge)",
    borderRadius: "var(--r1)",
    backgroundImage: "none",
    backgroundColor: "var(--card)",
    color: "var(--ink)",
    font: "600 var(--t-13) / calc(18 / 13) var(--sans)"
  },
  ".cm-button:hover": { backgroundColor: "var(--hover)" },
  ".cm-button:active": { backgroundImage: "none", backgroundColor: "var(--pick)" },
  ".cm-textfield:focus-visible, .cm-button:focus-visible": { outline: "2px solid var(--blue)", outlineOffset: "1px" },
  ".cm-panel.cm-search [name=close]": {
    top: "6px",
    right: "8px",
    width: "var(--hit)",
    height: "var(--hit)",
    fontSize: "var(--t-16)",
    color: "var(--ink2)"
  },
  // Two texts beside each other
  ".cm-changedLine, &.cm-merge-a .cm-changedLine, &.cm-merge-b .cm-changedLine": {
    backgroundColor: "var(--blue-tint)"
  },
  "&.cm-merge-a .cm-changedLine": { backgroundColor: "var(--red-tint)" },
  "&.cm-merge-b .cm-changedLine": { backgroundColor: "var(--green-tint)" },
  "&.cm-merge-a .cm-changedText, .cm-deletedText": { background: "var(--red-tint2)" },
  "&.cm-merge-b .cm-changedText": { background: "var(--green-tint2)" },
  ".cm-deletedChunk": { padding: "0 16px 0 6px", backgroundColor: "var(--red-tint)" },
  ".cm-deletedChunk .cm-deletedText": { background: "var(--red-tint2)" },
  ".cm-deletedLine, .cm-deletedLine del": { textDecoration: "line-through 1px" },
  ".cm-deletedLineGutter": { backgroundColor: "var(--red)" },
  "&.cm-merge-a .cm-changedLineGutter": { backgroundColor: "var(--red)" },
  "&.cm-merge-b .cm-changedLineGutter": { backgroundColor: "var(--green)" },
  "&.cm-merge-a .cm-content, &.cm-merge-b .cm-content": { paddingBottom: "4px" },
  ".cm-collapsedLines::before, .cm-collapsedLines::after": { content: "none" },
  ".cm-collapsedLines": { background: "var(--well)", color: "var(--ink2)", font: "400 var(--t-12) var(--sans)" }
})

const code = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.self, tags.bool, tags.null, tags.atom], color: "var(--ansi-magenta)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.attributeValue], color: "var(--green)" },
  { tag: [tags.number, tags.escape, tags.url, tags.link], color: "var(--blue)" },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.tagName], color: "var(--ansi-cyan)" },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: "var(--ink3)" },
  { tag: tags.heading, fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.invalid, color: "var(--red)" }
])

export const look = [layout, syntaxHighlighting(code)]
