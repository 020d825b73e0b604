/** Reading `session/update`, the message that comes a thousand times a second (ACP v1, prompt turn). */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type SessionUpdate, sessionUpdates } from "./AcpSchema.ts"
import type { Notification } from "./JsonRpc.ts"
import * as Lenient from "./Lenient.ts"

/**
 * An update as it came in. `line` is its number on the wire, `raw` the update before decoding, with every field. A well-formed
 * update is not copied: then `update` is `raw`, fields included that the protocol does not know.
 * An update of an unknown kind, or one that cannot be decoded, is kept: nothing of a session is lost for being new.
 */
export type IncomingUpdate =
  | {
      readonly _tag: "Known"
      readonly sessionId: string
      readonly update: SessionUpdate
      readonly raw: unknown
      readonly line: number
    }
  | {
      readonly _tag: "Unknown"
      readonly sessionId: string | undefined
      readonly kind: string | undefined
      readonly raw: unknown
      readonly reason: string
      readonly line: number
    }

interface Kind {
  readonly isWellFormed: (update: unknown) => update is SessionUpdate
  /** For what is not. */
  readonly read: Lenient.Reader<SessionUpdate>
}

const kindOf = (schema: Schema.Codec<SessionUpdate, unknown>): Kind => ({
  isWellFormed: Schema.is(schema),
  read: Lenient.reader(schema)
})

const kinds = new Map<string, Kind>(Object.entries(sessionUpdates).map(([kind, schema]) => [kind, kindOf(schema)]))

/** Agents follow an example in the documentation that calls `currentModeId` `modeId`. */
const withModeId = (update: { readonly [key: PropertyKey]: unknown }) =>
  update["currentModeId"] === undefined && typeof update["modeId"] === "string"
    ? { ...update, currentModeId: update["modeId"] }
    : update

/** Reads one update; what had to be left out of it goes to `onDropped`. */
export const read = (
  { line, params }: Notification,
  onDropped: (dropped: ReadonlyArray<Lenient.Dropped>, line: number) => void
): IncomingUpdate => {
  const unknown = (sessionId: string | undefined, kind: string | undefined, raw: unknown, reason: string) =>
    ({ _tag: "Unknown", sessionId, kind, raw, reason, line }) as const

  if (!Predicate.isObject(params)) return unknown(undefined, undefined, params, "params: Expected object")
  const { sessionId, update } = params
  if (!Predicate.isObject(update)) {
    return unknown(typeof sessionId === "string" ? sessionId : undefined, undefined, params, "update: Expected object")
  }
  const kind = update["sessionUpdate"]
  if (typeof kind !== "string") return unknown(undefined, undefined, update, "sessionUpdate: Expected string")
  if (typeof sessionId !== "string") return unknown(undefined, kind, update, "sessionId: Expected string")
  const known = kinds.get(kind)
  if (known === undefined) return unknown(sessionId, kind, update, "Unknown kind of update")
  if (known.isWellFormed(update)) return { _tag: "Known", sessionId, update, raw: update, line }
  const result = known.read(kind === "current_mode_update" ? withModeId(update) : update)
  if (Result.isFailure(result)) return unknown(sessionId, kind, update, result.failure)
  if (result.success.dropped.length > 0) onDropped(result.success.dropped, line)
  return { _tag: "Known", sessionId, update: result.success.value, raw: update, line }
}
