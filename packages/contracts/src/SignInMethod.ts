/** The ways in which an agent lets people sign in. */
import * as Schema from "effect/Schema"
import { ProviderId } from "./Ids.ts"

/** A variable of the agent's environment that holds what it needs. Its value never passes through here. */
export const SignInVariable = Schema.Struct({
  name: Schema.String,
  label: Schema.optionalKey(Schema.String),
  /** `false`: it may be shown. Otherwise it is a key. */
  secret: Schema.optionalKey(Schema.Boolean),
  optional: Schema.optionalKey(Schema.Boolean)
})
export type SignInVariable = typeof SignInVariable.Type

/**
 * `agent` does it by itself, often in a browser. `terminal` asks in a terminal, in a run of its own program. `env_var` is a hint: set `vars`
 * in the agent's settings, then start it again · `unknown` is shown, and never begun by itself.
 */
export const SignInMethod = Schema.Struct({
  /** The agent's own name for it. */
  id: Schema.String,
  name: Schema.String,
  description: Schema.optionalKey(Schema.String),
  type: Schema.Literals(["agent", "terminal", "env_var", "unknown"]),
  vars: Schema.optionalKey(Schema.Array(SignInVariable)),
  /** The address where a key can be had. The agent's words: never fetched by us. */
  link: Schema.optionalKey(Schema.String),
  /** With `terminal`: what does the same by hand, to be copied into a shell. With `unknown`: what only people themselves should run. */
  command: Schema.optionalKey(Schema.String)
})
export type SignInMethod = typeof SignInMethod.Type

export const SignInOffer = Schema.Struct({
  providerId: ProviderId,
  /** Possibly none: then only the agent's own documentation helps. */
  methods: Schema.Array(SignInMethod)
})
export type SignInOffer = typeof SignInOffer.Type
