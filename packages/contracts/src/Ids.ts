/** Identifiers. Each is opaque text: code must not parse it, and none is ever reused. */
import * as Schema from "effect/Schema"

/** A conversation as people see it. Minted by the client that creates it. */
export const ThreadId = Schema.String.pipe(Schema.brand("ThreadId"))
export type ThreadId = typeof ThreadId.Type

/** One prompt and everything that follows from it. A UUID, minted by the client that sends the prompt. */
export const TurnId = Schema.String.pipe(Schema.brand("TurnId"))
export type TurnId = typeof TurnId.Type

/**
 * One entry of a transcript: `${turnId}:assistant`, `${turnId}:assistant:2` …, `${turnId}:thought`, `${turnId}:${toolCallId}`. A tool
 * call whose id looks like one of ours has `tool:` in front of it (`toolItemName`).
 */
export const ItemId = Schema.String.pipe(Schema.brand("ItemId"))
export type ItemId = typeof ItemId.Type

/** Makes a command idempotent: a repeated id gets the first receipt again. Minted by the client. */
export const CommandId = Schema.String.pipe(Schema.brand("CommandId"))
export type CommandId = typeof CommandId.Type

/**
 * A request of an agent to people: an approval, a question, a plan. Minted by Signalbox, and not the agent's JSON-RPC
 * id.
 */
export const RequestId = Schema.String.pipe(Schema.brand("RequestId"))
export type RequestId = typeof RequestId.Type

/**
 * One agent in the picker and on the command line: `cursor`, `cursor-simulated`, `eliza`, `signalbox-nes`, or its name
 * in the settings.
 */
export const ProviderId = Schema.String.pipe(Schema.brand("ProviderId"))
export type ProviderId = typeof ProviderId.Type

/** One run of an agent process for one thread. A respawned process gets a new one. */
export const ProviderSessionId = Schema.String.pipe(Schema.brand("ProviderSessionId"))
export type ProviderSessionId = typeof ProviderSessionId.Type

/** The agent's id of its session, which is enough to resume it in a new process. */
export const ResumeToken = Schema.String.pipe(Schema.brand("ResumeToken"))
export type ResumeToken = typeof ResumeToken.Type

/** One runtime event. Unique within a thread. */
export const EventId = Schema.String.pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type

/** One attempt to sign in. */
export const SignInId = Schema.String.pipe(Schema.brand("SignInId"))
export type SignInId = typeof SignInId.Type

/** The place of an event in its thread's log: 1, 2, 3 … without gaps. 0 is before the first. */
export const Sequence = Schema.Int.pipe(Schema.brand("Sequence"))
export type Sequence = typeof Sequence.Type

/** A place between two entries of a thread's transcript. Valid as long as the thread exists. */
export const Cursor = Schema.String.pipe(Schema.brand("Cursor"))
export type Cursor = typeof Cursor.Type

/** One run of the server. */
export const BootId = Schema.String.pipe(Schema.brand("BootId"))
export type BootId = typeof BootId.Type

/** Milliseconds since 1970-01-01T00:00:00Z. */
export const Timestamp = Schema.Finite
export type Timestamp = typeof Timestamp.Type
