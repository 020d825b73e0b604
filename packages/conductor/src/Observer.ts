/** Sees each message that a chain passes on, once per hop and without the envelopes of the proxy protocol. */
import type { RawAnswer } from "@signalbox/acp/RawMessage"

/** What a message says, as JSON text; `params` is undefined if absent. */
export interface Words {
  readonly method: string
  readonly params: string | undefined
}

/**
 * Is called synchronously, in the order of the wire, before the message goes on. It must neither wait nor throw.
 *
 * Positions are those of `Position`. The `id` is JSON text, and is unique among the requests of its sender.
 */
export interface Observer {
  readonly request: (from: number, to: number, id: string, words: Words) => void
  readonly notification: (from: number, to: number, words: Words) => void
  /** The answer to the request `id` that `to` had sent to `from`. */
  readonly response: (from: number, to: number, id: string, answer: RawAnswer) => void
}
