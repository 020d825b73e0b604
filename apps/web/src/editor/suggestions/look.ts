/** How suggestions look. The colours are those of the page. */
import { EditorView } from "@codemirror/view"

export const look = EditorView.theme({
  ".cm-ghost": {
    color: "var(--ink3)",
    textDecoration: "underline dotted var(--edge) 1px",
    textUnderlineOffset: "4px"
  },
  // Its width is what the keys have room in.
  "&": { containerType: "inline-size" },
  ".cm-newLines": { padding: "0" },
  ".cm-newLine": {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    minHeight: "calc(var(--t-12) * 19 / 12)",
    padding: "0 16px 0 6px"
  },
  // Keys that have no room beside their line stand below it, where they are seen.
  ".cm-newLine:has(.cm-keys)": { boxSizing: "border-box", maxWidth: "calc(100cqw - 96px)" },
  ".cm-newWords": { flex: "none", whiteSpace: "pre" },
  ".cm-newLines-change": { backgroundColor: "var(--green-tint)" },
  ".cm-newText": { borderRadius: "2px", backgroundColor: "var(--green-tint2)" },
  ".cm-line.cm-goneLine": { backgroundColor: "var(--red-tint)" },
  ".cm-gone": {
    borderRadius: "2px",
    backgroundColor: "var(--red-tint2)",
    textDecoration: "line-through 1px"
  },
  ".cm-keys": {
    display: "inline-flex",
    alignItems: "center",
    gap: "12px",
    marginLeft: "auto",
    paddingLeft: "24px",
    font: "400 var(--t-12) / calc(18 / 12) var(--sans)",
    color: "var(--ink2)",
    whiteSpace: "nowrap"
  },
  ".cm-line .cm-keys": { verticalAlign: "bottom" },
  ".cm-keys kbd, .cm-hint kbd": {
    padding: "0 4px",
    border: "1px solid var(--edge)",
    borderRadius: "var(--r1)",
    backgroundColor: "var(--card)",
    color: "var(--ink)",
    font: "400 var(--t-11) / calc(14 / 11) var(--mono)"
  },
  ".cm-suggestionGutter": { width: "18px", textAlign: "center", fontWeight: "700" },
  ".cm-sign": { lineHeight: "calc(var(--t-12) * 19 / 12)" },
  ".cm-sign-gone": { color: "var(--red)" },
  ".cm-sign-new": { color: "var(--green)" },
  ".cm-gutterElement.cm-goneGround": { backgroundColor: "var(--red-tint)" },
  ".cm-gutterElement.cm-newGround": { backgroundColor: "var(--green-tint)" },
  ".cm-sign-ghost": { color: "var(--ink3)" },
  ".cm-sign-target": { color: "var(--blue)" },
  ".cm-hint": {
    position: "absolute",
    left: "70px",
    bottom: "10px",
    zIndex: "2",
    display: "inline-flex",
    alignItems: "center",
    gap: "8px",
    maxWidth: "calc(100% - 86px)",
    minHeight: "var(--hit)",
    padding: "0 10px 0 8px",
    border: "1px solid var(--edge)",
    borderRadius: "var(--r1)",
    backgroundColor: "var(--card)",
    boxShadow: "var(--shadow)",
    color: "var(--ink)",
    font: "400 var(--t-12) / calc(18 / 12) var(--sans)",
    whiteSpace: "nowrap",
    cursor: "pointer"
  },
  ".cm-hint svg": { flex: "none", width: "14px", height: "14px", color: "var(--ink2)" },
  ".cm-hint svg path": { fill: "none", stroke: "currentColor", strokeWidth: "1.4", strokeLinecap: "round" },
  ".cm-hint[hidden]": { display: "none" },
  ".cm-hint:hover": { backgroundColor: "var(--hover)" },
  ".cm-hint:focus-visible": { outline: "2px solid var(--blue)", outlineOffset: "1px" },
  ".cm-hint code": {
    overflow: "hidden",
    textOverflow: "ellipsis",
    fontFamily: "var(--mono)",
    color: "var(--ink2)",
    whiteSpace: "pre"
  },
  ".cm-hint ins": { textDecoration: "none", color: "var(--ink)" },
  ".cm-dock": { display: "none" },
  ".cm-panels-bottom": { borderTop: "none" },
  "@media (pointer: coarse), (max-width: 640px)": {
    ".cm-keys": { display: "none" },
    ".cm-hint": { left: "8px", maxWidth: "calc(100% - 26px)" },
    ".cm-hint kbd": { display: "none" },
    ".cm-dock": {
      display: "flex",
      gap: "8px",
      padding: "8px",
      borderTop: "1px solid var(--edge)",
      backgroundColor: "var(--desk)"
    },
    ".cm-dock .cm-button": { flex: "1 1 auto", padding: "0 6px", whiteSpace: "nowrap" },
    ".cm-dock .cm-button[hidden]": { display: "none" },
    ".cm-dock .cm-button-solid": {
      borderColor: "var(--ink)",
      backgroundColor: "var(--ink)",
      color: "var(--ink-inv)"
    }
  }
})
