/** The sessions that an agent has opened for probes, in all of its processes. */
import * as Effect from "effect/Effect"
import type * as Wire from "./Wire.ts"

export interface MadeSessions {
  /** Returns the wire, and notes the sessions that open by it. */
  readonly noting: (wire: Wire.Wire) => Wire.Wire
  readonly ids: () => ReadonlySet<string>
}

/** Methods that make a session. */
const openers: ReadonlySet<string> = new Set(["session/new", "session/fork"])

export const make = (): MadeSessions => {
  const ids = new Set<string>()
  return {
    noting: (wire) => ({
      ...wire,
      ask: (method, params, within) =>
        Effect.tap(wire.ask(method, params, within), (answer) =>
          Effect.sync(() => {
            const id = answer.type === "result" ? answer.result["sessionId"] : undefined
            if (typeof id === "string" && openers.has(method)) ids.add(id)
          })
        )
    }),
    ids: () => ids
  }
}
