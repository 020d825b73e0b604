/** A sign-in to an agent in progress: a stream of frames down, keys and answers up. */
import * as Schema from "effect/Schema"
import { AgentRequest, RequestOutcome, RequestResponse } from "./AgentRequest.ts"
import { RequestId, SignInId } from "./Ids.ts"
import { Problem } from "./Problem.ts"
import { SignInMethod, SignInOffer } from "./SignInMethod.ts"

/**
 * Who is signed in, as far as the agent reports it. Accounts are only for people to read: no decision may depend on
 * them.
 */
export const SignInState = Schema.Struct({
  offer: SignInOffer,
  /** `unknown`: the agent does not report it, or reports an unknown state. */
  state: Schema.Literals(["signed-in", "signed-out", "not-needed", "unknown"]),
  accounts: Schema.Array(Schema.String),
  /** Whether the agent offers to sign out. */
  signOut: Schema.Boolean
})
export type SignInState = typeof SignInState.Type

/** The size of a terminal in characters. */
export const TerminalSize = Schema.Struct({
  columns: Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 1000 })),
  rows: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))
})
export type TerminalSize = typeof TerminalSize.Type

/**
 * The frames of a sign-in: `started` first, and `done` or `failed` last. Ending the stream earlier cancels the attempt:
 * the agent is notified, and its process ends.
 */
export const SignInFrame = Schema.Union([
  /** `signInId`: the id for `signInInput`. */
  Schema.Struct({ type: Schema.tag("started"), signInId: SignInId, method: SignInMethod }),
  /** The sign-in takes long: what it waits for, and its limit in milliseconds. */
  Schema.Struct({
    type: Schema.tag("waiting"),
    message: Schema.String,
    afterMs: Schema.Int,
    limitMs: Schema.Int
  }),
  /** The terminal's output with escape sequences: only for a terminal, never for a page directly. */
  Schema.Struct({ type: Schema.tag("output"), data: Schema.String }),
  /** A line of the agent outside of the protocol, without escape sequences. */
  Schema.Struct({ type: Schema.tag("text"), line: Schema.String }),
  /** An http or https address in the agent's text, each once. Signalbox neither fetches nor opens it. */
  Schema.Struct({ type: Schema.tag("link"), url: Schema.String }),
  /** The agent asks something during the sign-in. Answered with `signInInput`. */
  Schema.Struct({ type: Schema.tag("requested"), request: AgentRequest }),
  Schema.Struct({ type: Schema.tag("resolved"), requestId: RequestId, outcome: RequestOutcome }),
  /**
   * The sign-in is complete, so failed calls may be tried again. `accepted`: the agent accepted the method, and does
   * not report whether anybody is signed in now.
   */
  Schema.Struct({ type: Schema.tag("done"), accepted: Schema.optionalKey(Schema.Literal(true)) }),
  Schema.Struct({ type: Schema.tag("failed"), problem: Problem })
]).pipe(Schema.toTaggedUnion("type"))
export type SignInFrame = typeof SignInFrame.Type

/** Most UTF-16 units that may be typed or pasted at once. */
export const maxKeys = 64 * 1024

export const SignInInput = Schema.Union([
  Schema.Struct({ type: Schema.tag("keys"), data: Schema.String.check(Schema.isMaxLength(maxKeys)) }),
  Schema.Struct({ type: Schema.tag("resize"), size: TerminalSize }),
  Schema.Struct({ type: Schema.tag("answer"), requestId: RequestId, response: RequestResponse })
]).pipe(Schema.toTaggedUnion("type"))
export type SignInInput = typeof SignInInput.Type

/** The attempt has ended, or never existed. */
export class SignInOver extends Schema.TaggedError<SignInOver>()("SignInOver", { signInId: SignInId }) {
  override get message(): string {
    return "This attempt to sign in has ended."
  }
}
