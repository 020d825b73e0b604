/**
 * Whether people can be shown a terminal here. Then an agent's program may be run in one to sign in. Agents are told: they offer such a way
 * only to those who can (ACP v1, authentication).
 */
import * as Context from "effect/Context"

export const TerminalSignIn = Context.Reference<boolean>("@signalbox/server/provider/TerminalSignIn", {
  defaultValue: () => false
})
