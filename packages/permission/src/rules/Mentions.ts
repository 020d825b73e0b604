/**
 * The arguments of a program that may be paths. Every argument may be one: `cat notes`, `--file=notes`, `-Isrc`, `@notes`, `a:b`. Rules that
 * deny and built-in rules look at all of them.
 */
import type { Word } from "../shell/ShellReading.ts"

export interface Mention {
  readonly text: string
  /** It is a folder, and a pattern behind it names files in it. */
  readonly isPattern?: true
}

/** Arguments with more paths are not looked at. */
export const most = 64

/** The mentions of a simple command, each once. Undefined if there are more than `most`. */
export const of = ([program, ...args]: ReadonlyArray<Word>): ReadonlyArray<Mention> | undefined => {
  const texts = new Map<string, Mention>()
  const add = (mention: Mention) => texts.set(`${mention.isPattern === true ? "*" : ""}${mention.text}`, mention)
  if (program?.type === "literal" && program.value.includes("/")) add({ text: program.value })
  for (const word of args) {
    if (word.type === "pattern") add({ text: word.folder === "" ? "." : word.folder, isPattern: true })
    else if (word.type === "literal") for (const text of inText(word.value)) add({ text })
    if (texts.size > most) return undefined
  }
  return [...texts.values()]
}

/** The longest argument that is taken apart: names of files are shorter, and texts such as messages are not paths. */
const longestPath = 4096

const inText = (value: string): ReadonlyArray<string> => {
  if (value === "" || value.length > longestPath || value.includes("\n")) return []
  const address = /^([a-z][a-z0-9+.-]*):\/\//i.exec(value)
  if (address !== null) return address[1]?.toLowerCase() === "file" ? [value.slice(address[0].length)] : []
  const inside = [
    ...(value.startsWith("-") ? [] : [value]),
    ...value.split("=").slice(1, 2),
    ...(/^-[A-Za-z][/~.]/.test(value) ? [value.slice(2)] : []),
    ...(value.startsWith("@") ? [value.slice(1)] : []),
    ...(value.includes(":") ? value.split(":").filter((part) => part.includes("/")) : [])
  ]
  return inside.filter((text) => text !== "")
}
