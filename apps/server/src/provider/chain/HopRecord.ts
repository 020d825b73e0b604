/** Records what the parts of a chain say to each other. What the first part and people's side say stands on the tape as the wire. */
import type { Observer } from "@signalbox/conductor/Observer"
import * as Position from "@signalbox/conductor/Position"
import * as Trace from "@signalbox/conductor/Trace"
import * as Secrets from "@signalbox/redaction/Secrets"

export interface Options {
  /** How many parts the chain has before its agent. */
  readonly proxies: number
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  /** Gets each message as a `TraceEvent`, in JSON text without keys of known forms. */
  readonly write: (event: string) => void
}

export const make = ({ now, proxies, write }: Options): Observer => {
  const began = now()
  const trace = Trace.make({
    proxies,
    now: () => (now() - began) / 1000,
    // The tape takes out those of its session.
    secrets: Secrets.of({}),
    write
  })
  const isWire = (from: number, to: number) => from === Position.client || to === Position.client
  return {
    request: (from, to, id, words) => {
      if (!isWire(from, to)) trace.request(from, to, id, words)
    },
    notification: (from, to, words) => {
      if (!isWire(from, to)) trace.notification(from, to, words)
    },
    response: (from, to, id, answer) => {
      if (!isWire(from, to)) trace.response(from, to, id, answer)
    }
  }
}
