/**
 * The arguments of a program that may be paths. Every argument may be one: `cat notes`, `--file=notes`, `-Isrc`, `@notes`, `a:b`. Rules that
 * deny and built-in rules look at all of them.
 */
import type { Word } from "../shell/ShellReading.ts"

export interface Mention {
  readonly text: string
  /** It is a folder, and these patterns say which names below it are meant. */
  readonly below?: ReadonlyArray<string>
  /** It is a part of an argument, and may be no path. */
  readonly isDoubtful?: true
}

/** Arguments with more paths are not looked at. */
const most = 64

/** The longest argument that is taken apart: no path is longer. */
const longest = 4096

/** The mentions of a simple command, each once. A text says why there are none: its arguments are too many, or too long. */
export const of = ([program, ...args]: ReadonlyArray<Word>): ReadonlyArray<Mention> | string => {
  const found = new Map<string, Mention>()
  const add = (mention: Mention) => {
    const key = [mention.text, ...(mention.below ?? [])].join("\0")
    const known = found.get(key)
    if (known === undefined || known.isDoubtful === true) found.set(key, mention)
  }
  if (program?.type === "literal" && program.value.includes("/")) add({ text: program.value })
  for (const word of args) {
    if (word.type === "pattern") {
      add({ text: word.folder === "" ? "." : word.folder, below: word.below })
      // Where no file fits, the program gets the text itself.
      if (word.text.startsWith("-")) for (const { text } of inText(word.text)) add({ text, isDoubtful: true })
    } else if (word.type === "literal") {
      if (word.value.length > longest) return `has an argument of more than ${longest} characters`
      for (const mention of inText(word.value)) add(mention)
    }
    if (found.size > most) return `names more than ${most} files`
  }
  return [...found.values()]
}

const inText = (value: string): ReadonlyArray<Mention> => {
  const isOption = value.startsWith("-")
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(value)
  const equals = value.indexOf("=")
  const plain = [
    ...(isOption || isAddress ? [] : [value]),
    ...(equals === -1 || isAddress ? [] : [value.slice(equals + 1)]),
    ...(/^-[A-Za-z][/~.]/.test(value) ? [value.slice(2)] : []),
    ...(value.startsWith("@") ? [value.slice(1)] : []),
    ...(isAddress ? fileOf(value) : value.includes(":") ? value.split(":").filter((part) => part.includes("/")) : [])
  ]
  const doubtful = [
    ...(isAddress ? [value] : []),
    ...(/^-[^-]/.test(value) ? glued(value) : []),
    ...(/[=:][@<]/.test(value) ? [value.slice(value.search(/[=:][@<]/) + 2)] : []),
    // Text of people is full of these signs.
    ...(isAddress || /\s/.test(value)
      ? []
      : value.split(/[=,:;@]/).filter((part) => /[/.]/.test(part) && part !== value))
  ]
  return [
    ...plain.map((text): Mention => ({ text })),
    ...doubtful.map((text): Mention => ({ text, isDoubtful: true }))
  ].filter(({ text }) => text !== "")
}

/** The values that may be glued to short options: `-ofile`, `-xzfdir/file`. */
const glued = (value: string): ReadonlyArray<string> => {
  const sign = value.search(/[/.~]/)
  return (sign === -1 ? [2] : [2, 3, 4, 5, sign]).map((from) => value.slice(from))
}

/** The path of an address of a file. */
const fileOf = (address: string): ReadonlyArray<string> => {
  if (!/^file:/i.test(address) || !URL.canParse(address)) return []
  const { pathname } = new URL(address)
  try {
    return [...new Set([decodeURIComponent(pathname), pathname])]
  } catch {
    return [pathname]
  }
}
