/** A last question before something is done that can't be taken back. */
import * as Effect from "effect/Effect"
import { usage, type UsageError } from "./Failure.ts"
import * as StdinLine from "./StdinLine.ts"
import * as Terminal from "./Terminal.ts"

export interface Question {
  /** The command that asks, e.g. `threads delete`. */
  readonly command: string
  readonly question: string
  /** Nobody has to be asked. */
  readonly yes: boolean
  /** What is said when it is not meant. */
  readonly otherwise: string
}

/** Goes on when a person says yes; anything else ends the command. */
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
