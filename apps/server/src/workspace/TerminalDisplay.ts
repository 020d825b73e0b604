/** Shows terminals while they print: each change at once, output at most ten times a second. */
import type { ToolTerminal } from "@signalbox/contracts/ToolCall"
import type { Secrets } from "@signalbox/redaction/Secrets"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import { type Terminal, viewOf } from "./Terminal.ts"

/** Milliseconds between two updates of the shown output. They grow up to `slowest` for a program that runs long. */
const pace = 100
const slowest = 1000

export interface TerminalDisplay {
  /** Shows the terminal as it is now. */
  readonly show: (terminal: Terminal) => void
  /** Shows the terminal soon, because it has printed something. */
  readonly printed: (terminal: Terminal) => void
}

export interface Options {
  readonly secrets: Secrets
  /** Monotonic milliseconds. */
  readonly now: () => number
  readonly show: (terminal: ToolTerminal) => void
}

export const make = Effect.fnUntraced(function* ({
  now,
  secrets,
  show: shown
}: Options): Effect.fn.Return<TerminalDisplay, never, Scope.Scope> {
  /** Terminals with output that is not shown yet. */
  const fresh = new Set<Terminal>()
  const somethingFresh = Latch.makeUnsafe(false)

  const show = (terminal: Terminal) => {
    fresh.delete(terminal)
    terminal.shownAt = now()
    shown(viewOf(terminal, secrets))
  }

  yield* Effect.gen(function* () {
    yield* somethingFresh.await
    for (const terminal of fresh) if (now() - terminal.shownAt >= paceOf(terminal, now())) show(terminal)
    if (fresh.size === 0) somethingFresh.closeUnsafe()
    yield* Effect.sleep(pace)
  }).pipe(Effect.forever, Effect.forkScoped)

  return {
    show,
    printed: (terminal) => {
      fresh.add(terminal)
      somethingFresh.openUnsafe()
    }
  }
})

const paceOf = ({ startedAt }: Terminal, now: number): number =>
  Math.min(slowest, Math.max(pace, (now - startedAt) / 20))
