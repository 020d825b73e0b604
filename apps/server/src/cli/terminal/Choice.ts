/** Lets a person choose from a numbered list at the terminal. */
import * as Effect from "effect/Effect"
import { revealedLine } from "../../base/Plain.ts"
import * as StdinLine from "./StdinLine.ts"
import type { Terminal } from "./Terminal.ts"

export const list = (terminal: Terminal, labels: ReadonlyArray<string>) =>
  labels.forEach((label, index) => terminal.err(`    ${index + 1}  ${revealedLine(label, 400)}`))

/** The index of the choice, from 0; undefined if stdin has ended. */
export const choose = Effect.fnUntraced(function* (terminal: Terminal, labels: ReadonlyArray<string>) {
  list(terminal, labels)
  const chosen = yield* numbers(terminal, "Number: ", labels.length, { many: false, mayBeEmpty: false })
  return chosen?.[0]
})

/**
 * Asks until the answer consists of numbers from 1 to `count`, and returns them counted from 0. Ignores keys that were
 * typed before the question.
 */
export const numbers = Effect.fnUntraced(function* (
  terminal: Terminal,
  prompt: string,
  count: number,
  rules: { readonly many: boolean; readonly mayBeEmpty: boolean }
) {
  while (true) {
    const answer = yield* StdinLine.askAnew(prompt)
    if (answer === undefined) return undefined
    const words = answer.split(",").map((word) => word.trim())
    if (answer.trim() === "" && rules.mayBeEmpty) return []
    const picked = words.map((word) => (/^\d+$/.test(word) ? Number(word) - 1 : -1))
    const valid = picked.every((index) => index >= 0 && index < count) && (rules.many || picked.length === 1)
    if (valid) return picked
    terminal.err(`  A number from 1 to ${count}.`)
  }
})
