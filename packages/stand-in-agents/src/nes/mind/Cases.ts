/** The next case of a switch: the first member of an enum or a union that has none yet. */
import { lineAbove } from "./Lines.ts"
import { listsWith } from "./Lists.ts"
import type { Scene } from "./Scene.ts"

/** How many lines above are read. */
const reach = 200

const label = /^\s*case\s+([^\s:]{1,100})\s*:/
const begun = /^\s*case\s+([^\s:]{0,100})$/

/** The labels of the cases above, up to the switch. */
const labelsAbove = (text: string, lineStart: number): ReadonlyArray<string> => {
  const labels: Array<string> = []
  let line = lineAbove(text, lineStart)
  for (let count = 0; line && count < reach; count++) {
    const content = text.slice(line.start, line.end)
    if (/\b(?:switch|match)\b/.test(content)) break
    const [, found] = label.exec(content) ?? []
    if (found !== undefined) labels.unshift(found)
    line = lineAbove(text, line.start)
  }
  return labels
}

/** The part of a label up to its last dot: `Kind.` of `Kind.One`. */
const ownerOf = (name: string): string => (/^["']/.test(name) ? "" : name.slice(0, name.lastIndexOf(".") + 1))

/** The rest of a line that begins with `case`. */
export const nextCase = ({ others, text }: Scene, lineStart: number, typed: string): string | undefined => {
  const [, start] = begun.exec(typed) ?? []
  const labels = labelsAbove(text, lineStart)
  const [first] = labels
  if (start === undefined || first === undefined) return undefined
  const owner = ownerOf(first)
  if (!labels.every((each) => ownerOf(each) === owner)) return undefined
  const seen = labels.map((each) => each.slice(owner.length))
  for (const known of [text, ...others.map((other) => other.text)]) {
    for (const members of listsWith(known, seen)) {
      const next = members.find((member) => !seen.includes(member) && (owner + member).startsWith(start))
      if (next !== undefined) return `${(owner + next).slice(start.length)}:`
    }
  }
  return undefined
}
