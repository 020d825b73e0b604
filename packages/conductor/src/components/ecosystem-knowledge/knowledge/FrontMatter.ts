/**
 * The members at the top of a `SKILL.md`, between two lines of `---`: as much of YAML as names and descriptions need. A member is one line,
 * a quoted text, or a text that goes on in indented lines.
 */

const mostLines = 400

const lineEnd = /\r?\n/

/** A text in quotes, without them; any other text without its comment. */
const plain = (text: string): string => {
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"'))
    try {
      return String(JSON.parse(text))
    } catch {
      return text.slice(1, -1)
    }
  if (text.length > 1 && text.startsWith("'") && text.endsWith("'")) return text.slice(1, -1).replaceAll("''", "'")
  const comment = text.indexOf(" #")
  return (comment === -1 ? text : text.slice(0, comment)).trimEnd()
}

const block = new Set(["|", ">", "|-", ">-", "|+", ">+"])

/** Undefined if the text does not begin with such members, or if they have no end. */
export const of = (text: string): ReadonlyMap<string, string> | undefined => {
  const lines = text.replace("\ufeff", "").split(lineEnd, mostLines)
  if (lines[0]?.trimEnd() !== "---") return undefined
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === "---")
  if (end === -1) return undefined
  const members = new Map<string, string>()
  for (let at = 1; at < end;) {
    const line = lines[at] ?? ""
    at += 1
    const colon = line.indexOf(":")
    if (colon < 1 || line.startsWith(" ") || line.startsWith("\t") || line.startsWith("#")) continue
    const begun = line.slice(colon + 1).trim()
    const parts = block.has(begun) ? [] : [begun]
    for (; at < end && /^(?:[ \t]|$)/.test(lines[at] ?? ""); at += 1) parts.push((lines[at] ?? "").trim())
    members.set(line.slice(0, colon).trim(), plain(parts.join(" ").trim()))
  }
  return members
}
