/** What is too much of a line to be read at all, and characters that hide what a line says. Linear, and before any parsing. */
import type { Obstacle } from "./ShellReading.ts"

/** A longer line is not parsed. The parser needs milliseconds for nested lines of this length. */
export const mostCharacters = 8192

/** More substitutions or deeper brackets in one line are not parsed. */
export const mostNested = 64

/** More functions or coprocesses in one line are not parsed: each may be the body of the one before. */
export const mostFunctions = 512

/** The reason for which a line is not parsed. */
export const refusal = (line: string): Obstacle | undefined => {
  if (line.length > mostCharacters) return { text: cut(line), why: `is longer than ${mostCharacters} characters` }
  return mayNestDeeply(line)
    ? { text: cut(line), why: `nests more than ${mostNested} commands or brackets` }
    : undefined
}

/** Counts what can nest, and the depth of brackets. Brackets in quotes count too: what is quoted is known after parsing only. */
const mayNestDeeply = (line: string): boolean => {
  let substitutions = 0
  let functions = 0
  let depth = 0
  let last = ""
  for (const [sign] of line.matchAll(/[^\s\w'"/.,:=-]/g)) {
    if (sign === "`") substitutions += 0.5
    else if (sign === "(" || sign === "{") {
      if (sign === "(" && (last === "$" || last === "<" || last === ">")) substitutions += 1
      depth += 1
    } else if (sign === ")" || sign === "}") {
      if (last === "(") functions += 1
      depth = Math.max(0, depth - 1)
    }
    if (depth > mostNested || substitutions > mostNested || functions > mostFunctions) return true
    if (sign !== "\\") last = sign
  }
  return line.split("coproc").length - 1 > mostFunctions
}

/**
 * Every sign but those that are seen, and that no shell takes for a sign of its own: dashes, quotes, arrows, ticks, frames. At the
 * beginning of a word, a dash looks like an option, and a quote like one of the shell.
 */
const unseen =
  /[^\n\t\x20-\x7e\p{L}\p{N}–—…‘’“”„«»•·→←↑↓⇒✓✔✗✘×÷±°§©®™€£¥─│├└┌┐┘┤┬┴┼═║✅❌]|\p{Default_Ignorable_Code_Point}|(?<=^|\s)[–—‘’“”„]/u

/** The first character that may be unseen, or may be taken for another one. Letters and digits of every script are seen. */
export const hidden = (line: string): Obstacle | undefined => {
  const character = unseen.exec(line)?.[0]
  if (character === undefined) return undefined
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")
  return { text: character, why: `is the character U+${code}, which may be unseen or look like another one` }
}

/** At most 200 characters of a piece. */
export const cut = (piece: string): string => piece.slice(0, 200)
