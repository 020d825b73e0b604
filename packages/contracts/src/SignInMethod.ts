/** The methods by which an agent lets people sign in. */
import * as Schema from "effect/Schema"
import { ProviderId } from "./Ids.ts"

/** A variable of the agent's environment for a sign-in. Its value never comes here. */
export const SignInVariable = Schema.Struct({
  name: Schema.String,
  label: Schema.optionalKey(Schema.String),
  /** `false`: the value may be shown. Otherwise it is a key. */
  secret: Schema.optionalKey(Schema.Boolean),
  optional: Schema.optionalKey(Schema.Boolean)
})
export type SignInVariable = typeof SignInVariable.Type

/**
 * `agent`: the agent signs in by itself, often in a browser · `terminal`: its program asks in a terminal · `env_var`: a
 * hint to set `vars` in the agent's settings, then start it again · `unknown`: only shown, and never begun.
 */
export const SignInMethod = Schema.Struct({
  /** The agent's id of the method. */
  id: Schema.String,
  name: Schema.String,
  description: Schema.optionalKey(Schema.String),
  type: Schema.Literals(["agent", "terminal", "env_var", "unknown"]),
  vars: Schema.optionalKey(Schema.Array(SignInVariable)),
  /** The address where people get a key. These are the agent's words, and Signalbox never fetches it. */
  link: Schema.optionalKey(Schema.String),
  /**
   * With `terminal`: the command for signing in by hand. With `unknown`: a command that only people themselves should
   * run.
   */
  command: Schema.optionalKey(Schema.String)
})
export type SignInMethod = typeof SignInMethod.Type

export const SignInOffer = Schema.Struct({
  providerId: ProviderId,
  /** The methods. If there are none, only the agent's own documentation helps. */
  methods: Schema.Array(SignInMethod)
})
export type SignInOffer = typeof SignInOffer.Type
