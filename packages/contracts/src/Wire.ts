/** What went over the wire of a session, between the parts of its chain, as people read it. */
import * as Schema from "effect/Schema"
import { ProviderSessionId, ThreadId, Timestamp } from "./Ids.ts"

/** The most rows of a wire that are sent. */
export const mostWireRows = 20_000

/** The lines of a tape that are read at once: those of a message on each of its hops, and of its answer. */
export const mostWireLines = 32

/** Characters of a line that are sent. The rest of a longer one is left out. */
export const longestWireLine = 256 * 1024

/** One run of an agent for a thread. */
export const WireAddress = Schema.Struct({ threadId: ThreadId, session: ProviderSessionId })
export type WireAddress = typeof WireAddress.Type

/**
 * A message, on all the hops that it passed unchanged. `from` and `to` are places: 0 is Signalbox, then come the parts of the
 * chain, and the agent is last.
 */
export const WireRow = Schema.Struct({
  /** The line of the tape that it begins with, from 1. It names the row. */
  line: Schema.Int,
  /** Its further lines: a message on its later hops. A row of many messages has those of the first one. */
  lines: Schema.Array(Schema.Int),
  at: Timestamp,
  from: Schema.Int,
  to: Schema.Int,
  /** `stray`: a line that is no message. `stderr`: a line that the agent wrote beside the protocol. */
  kind: Schema.Literals(["request", "answer", "notification", "stray", "stderr", "note"]),
  /** The method, of an answer too. Missing for what is no message. */
  method: Schema.optionalKey(Schema.String),
  /** Whether the message is one of the Model Context Protocol. */
  mcp: Schema.optionalKey(Schema.Boolean),
  /** The id of a request or an answer, on its first hop. */
  id: Schema.optionalKey(Schema.String),
  /** The first line of the request that it answers, or of the answer to it. */
  pair: Schema.optionalKey(Schema.Int),
  /** Whether lines are missing behind a request without an answer, which may be among them. */
  missed: Schema.optionalKey(Schema.Boolean),
  /** Milliseconds from the request to this answer, on its first hop. */
  tookMs: Schema.optionalKey(Schema.Finite),
  /** Whether the answer is an error. */
  error: Schema.optionalKey(Schema.Boolean),
  /** The first line of the message that the part at `from` has got, and sent on with another text. */
  changed: Schema.optionalKey(Schema.Int),
  /** How many messages of one kind it stands for, and how many of them came to `to`. Missing for one. */
  times: Schema.optionalKey(Schema.Struct({ sent: Schema.Int, arrived: Schema.Int })),
  /** What it says, in a few words. */
  summary: Schema.String
})
export type WireRow = typeof WireRow.Type

/**
 * What a wire has got. `places`: their names, which come again once the chain is known. `rows`: new ones, and earlier ones that have
 * changed; `left` counts those before them that were not sent. `fault`: why lines are missing here. `current`: all that the tape has
 * was sent. `gone`: there is no tape, or none any more.
 */
export const WireFrame = Schema.Union([
  Schema.Struct({ type: Schema.tag("places"), places: Schema.Array(Schema.String) }),
  Schema.Struct({ type: Schema.tag("rows"), rows: Schema.Array(WireRow), left: Schema.optionalKey(Schema.Int) }),
  Schema.Struct({ type: Schema.tag("fault"), line: Schema.Int, reason: Schema.String }),
  Schema.Struct({ type: Schema.tag("current") }),
  Schema.Struct({ type: Schema.tag("gone") })
])
export type WireFrame = typeof WireFrame.Type

/** A line of a tape as it stands there. */
export const WireLine = Schema.Struct({
  line: Schema.Int,
  /** JSON, or any other text. Its rest is left out if it is shorter than `characters`. */
  text: Schema.String,
  characters: Schema.Int
})
export type WireLine = typeof WireLine.Type
