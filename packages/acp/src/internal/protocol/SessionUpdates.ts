/** Reads `session/update`, which may come a thousand times a second (ACP v1, prompt turn). */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type SessionUpdate, sessionUpdates } from "../generated/v1.ts"
import type { Notification } from "../rpc/JsonRpc.ts"
import * as Lenient from "../schema/Lenient.ts"
import * as SpawnedSubagents from "./SpawnedSubagents.ts"

/**
 * A received update. `line`: its number on the wire. `raw`: the update before decoding, with every field. A well-formed
 * update is not copied: then `update` is `raw`, including unknown fields. An unknown or undecodable update is kept, so
 * that nothing of a session is lost.
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

type JsonObject = { readonly [key: PropertyKey]: unknown }

interface Kind {
  readonly isWellFormed: (update: JsonObject) => update is JsonObject & SessionUpdate
  /** Reads an update that is not well-formed. */
  readonly read: Lenient.Reader<SessionUpdate>
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/**
 * Whether an update is a piece of plain text, by far the most frequent. Checking its few members is enough to know that
 * its schema accepts it. Any update with further members goes to the schema.
 */
const isPlainText = ({ _meta, content, messageId }: JsonObject): boolean =>
  Predicate.isObject(content) &&
  content["type"] === "text" &&
  typeof content["text"] === "string" &&
  isAbsent(content["annotations"]) &&
  isAbsent(content["_meta"]) &&
  isAbsent(_meta) &&
  (isAbsent(messageId) || typeof messageId === "string")

const chunks: ReadonlySet<string> = new Set(["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"])

const kindOf = (kind: string, schema: Schema.Codec<SessionUpdate, unknown>): Kind => {
  const passes = Schema.is(schema)
  const isWellFormed = (update: JsonObject): update is JsonObject & SessionUpdate =>
    isPlainText(update) || passes(update)
  return { isWellFormed: chunks.has(kind) ? isWellFormed : passes, read: Lenient.reader(schema) }
}

const kinds = new Map<string, Kind>(
  Object.entries(sessionUpdates).map(([kind, schema]) => [kind, kindOf(kind, schema)])
)

/** Renames `modeId` to `currentModeId`: agents follow an example in the documentation that has the wrong name. */
const withModeId = (update: JsonObject) =>
  update["currentModeId"] === undefined && typeof update["modeId"] === "string"
    ? { ...update, currentModeId: update["modeId"] }
    : update

/** The update in the protocol's form. Some agents are known to use other forms. */
const asWritten = (kind: string, update: JsonObject): JsonObject =>
  kind === "current_mode_update" ? withModeId(update) : (SpawnedSubagents.standard(update) ?? update)

/** Reads one update. Malformed parts that were dropped go to `onDropped`. */
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
  const known = kinds.get(kind) ?? (SpawnedSubagents.standard(update) && kinds.get("subagent_update"))
  if (known === undefined) return unknown(sessionId, kind, update, "Unknown kind of update")
  if (known.isWellFormed(update)) return { _tag: "Known", sessionId, update, raw: update, line }
  const result = known.read(asWritten(kind, update))
  if (Result.isFailure(result)) return unknown(sessionId, kind, update, result.failure)
  if (result.success.dropped.length > 0) onDropped(result.success.dropped, line)
  return { _tag: "Known", sessionId, update: result.success.value, raw: update, line }
}
