/** Signing in to an agent, as it goes on: a stream of frames down, keys and answers up. */
import * as Schema from "effect/Schema"
import { AgentRequest, RequestOutcome, RequestResponse } from "./AgentRequest.ts"
import { RequestId, SignInId } from "./Ids.ts"
import { Problem } from "./Problem.ts"
import { SignInMethod, SignInOffer } from "./SignInMethod.ts"

/** Who is signed in, as far as the agent tells. Accounts are for people to read: nothing may follow from them. */
export const SignInState = Schema.Struct({
  offer: SignInOffer,
  /** `unknown`: the agent does not tell, or says something that is new to us. */
  state: Schema.Literals(["signed-in", "signed-out", "not-needed", "unknown"]),
  accounts: Schema.Array(Schema.String),
  /** Whether it offers to forget who is signed in. */
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
 * `started` comes first, and then one of `done` and `failed` last. Ending the stream before gives up: the agent is told, and
 * its process ends.
 */
export const SignInFrame = Schema.Union([
  /** `signInId` is what `signInInput` takes. */
  Schema.Struct({ type: Schema.tag("started"), signInId: SignInId, method: SignInMethod }),
  /** It takes its time: what is waited for, and how long before we give up, in milliseconds. */
  Schema.Struct({
    type: Schema.tag("waiting"),
    message: Schema.String,
    afterMs: Schema.Int,
    limitMs: Schema.Int
  }),
  /** What the terminal shows, escape sequences included: for a terminal, never for a page as it is. */
  Schema.Struct({ type: Schema.tag("output"), data: Schema.String }),
  /** A line that the agent wrote beside the protocol. Plain: escape sequences are taken out. */
  Schema.Struct({ type: Schema.tag("text"), line: Schema.String }),
  /** An address in what the agent wrote, http or https, each once. Neither fetched nor opened by us. */
  Schema.Struct({ type: Schema.tag("link"), url: Schema.String }),
  /** The agent asks something in between: answered with `signInInput`. */
  Schema.Struct({ type: Schema.tag("requested"), request: AgentRequest }),
  Schema.Struct({ type: Schema.tag("resolved"), requestId: RequestId, outcome: RequestOutcome }),
  /**
   * What failed for the want of it may be tried once more. `accepted`: the agent took this way, and does not tell whether anybody is signed
   * in now.
   */
  Schema.Struct({ type: Schema.tag("done"), accepted: Schema.optionalKey(Schema.Literal(true)) }),
  Schema.Struct({ type: Schema.tag("failed"), problem: Problem })
]).pipe(Schema.toTaggedUnion("type"))
export type SignInFrame = typeof SignInFrame.Type

/** The most that may be typed or pasted at once, in UTF-16 units. */
export const maxKeys = 64 * 1024

export const SignInInput = Schema.Union([
  Schema.Struct({ type: Schema.tag("keys"), data: Schema.String.check(Schema.isMaxLength(maxKeys)) }),
  Schema.Struct({ type: Schema.tag("resize"), size: TerminalSize }),
  Schema.Struct({ type: Schema.tag("answer"), requestId: RequestId, response: RequestResponse })
]).pipe(Schema.toTaggedUnion("type"))
export type SignInInput = typeof SignInInput.Type

/** The attempt has ended, or there was none. */
export class SignInOver extends Schema.TaggedError<SignInOver>()("SignInOver", { signInId: SignInId }) {
  override get message(): string {
    return "This attempt to sign in has ended."
  }
}
