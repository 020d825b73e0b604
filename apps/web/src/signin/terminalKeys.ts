/** What keys are to a program in a terminal (xterm's control sequences). Pure. */

export interface Key {
  readonly key: string
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}

const cursorKeys: { readonly [key: string]: string } = {
  ArrowUp: "A",
  ArrowDown: "B",
  ArrowRight: "C",
  ArrowLeft: "D",
  End: "F",
  Home: "H"
}

const others: { readonly [key: string]: string } = {
  Enter: "\r",
  Backspace: "\x7f",
  Tab: "\t",
  Escape: "\x1b",
  Insert: "\x1b[2~",
  Delete: "\x1b[3~",
  PageUp: "\x1b[5~",
  PageDown: "\x1b[6~"
}

/** Undefined for keys that are the browser's: text comes as text, and Shift with Tab leaves the terminal. */
export const bytesOf = (event: Key, applicationCursor: boolean): string | undefined => {
  const { altKey, ctrlKey, key, metaKey, shiftKey } = event
  if (metaKey || (key === "Tab" && shiftKey)) return undefined
  const cursor = cursorKeys[key]
  if (cursor !== undefined) return `\x1b${applicationCursor ? "O" : "["}${cursor}`
  const other = others[key]
  if (other !== undefined) return altKey ? `\x1b${other}` : other
  // Ctrl V pastes; what it would be to the program is hardly ever wanted.
  if (ctrlKey && !altKey && /^[a-z@[\\\]^_]$/i.test(key) && key.toLowerCase() !== "v")
    return String.fromCharCode(key.toUpperCase().charCodeAt(0) & 0x1f)
  return altKey && !ctrlKey && /^[a-z0-9.]$/i.test(key) ? `\x1b${key}` : undefined
}

/** A paste as the program wants it. What could end the paste early is taken out. */
export const pasted = (text: string, bracketed: boolean): string => {
  const lines = text.replaceAll(/\r?\n/g, "\r")
  return bracketed ? `\x1b[200~${lines.replaceAll("\x1b", "")}\x1b[201~` : lines
}
