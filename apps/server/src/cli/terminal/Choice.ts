/** Choosing from a numbered list at the terminal. */
import * as Effect from "effect/Effect"
import { revealedLine } from "../../base/Plain.ts"
import * as StdinLine from "./StdinLine.ts"
import type { Terminal } from "./Terminal.ts"

export const list = (terminal: Terminal, labels: ReadonlyArray<string>) =>
  labels.forEach((label, index) => terminal.err(`    ${index + 1}  ${revealedLine(label, 400)}`))

/** Counted from 0; nothing when stdin has ended. */
export const choose = Effect.fnUntraced(function* (terminal: Terminal, labels: ReadonlyArray<string>) {
  list(terminal, labels)
  const chosen = yield* numbers(terminal, "Number: ", labels.length, { many: false, mayBeEmpty: false })
  return chosen?.[0]
})

/** Asks again until the answer is made of numbers from 1 to `count`; returns them counted from 0. Nothing typed ahead counts. */
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
