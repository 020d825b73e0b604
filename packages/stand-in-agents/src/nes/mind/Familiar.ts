/** The rest of a line that stands in the file already: below the same line, or wherever only one line begins so. */
import { lineAbove, lineBreak } from "./Lines.ts"
import type { Scene } from "./Scene.ts"

/** The longest rest that is offered, in UTF-16 units. */
const longest = 200
/** How much must be typed of a line that stands below another line than there. */
const least = 6

const linesOf = (text: string): ReadonlyArray<string> => text.split(lineBreak).map((line) => line.trim())

export const familiar = ({ text }: Scene, lineStart: number, typed: string): string | undefined => {
  const start = typed.trimStart()
  if (start === "") return undefined
  const above = lineAbove(text, lineStart)
  const previous = above ? text.slice(above.start, above.end).trim() : ""
  const before = linesOf(text.slice(0, lineStart))
  const lines = [...before, ...linesOf(text.slice(lineStart))]
  const rests = new Set<string>()
  for (const [index, line] of lines.entries()) {
    const rest = line.slice(start.length)
    if (rest.trim() === "" || rest.length > longest || !line.startsWith(start)) continue
    if (previous !== "" && lines[index - 1] === previous) return rest
    rests.add(rest)
  }
  const [only] = rests
  return rests.size === 1 && start.length >= least ? only : undefined
}
