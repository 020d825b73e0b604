/** A last question before something that can't be undone. */
import * as Effect from "effect/Effect"
import { usage, type UsageError } from "./Failure.ts"
import * as StdinLine from "./StdinLine.ts"
import * as Terminal from "./Terminal.ts"

export interface Question {
  /** The command that asks, e.g. `threads delete`. */
  readonly command: string
  readonly question: string
  /** True skips the question. */
  readonly yes: boolean
  /** The message if the person says no. */
  readonly otherwise: string
}

/** Goes on if a person says yes. Any other answer ends the command. */
export const confirm = Effect.fnUntraced(function* ({
  command,
  otherwise,
  question,
  yes
}: Question): Effect.fn.Return<void, UsageError> {
  if (yes) return
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    return yield* usage(command, "Nobody can be asked here. Say --yes if it is meant.")
  }
  Terminal.prompt(question)
  const answer = yield* StdinLine.askAnew(" [y/N] ")
  if (/^y(es)?$/i.test(answer?.trim() ?? "")) return
  Terminal.err(otherwise)
  return yield* Effect.interrupt
})
