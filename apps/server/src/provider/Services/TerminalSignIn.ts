/**
 * Whether people can use a terminal here, so that an agent's program may run in it for a sign-in. Agents learn it in
 * the handshake: they offer such methods only to clients with terminals (ACP v1, authentication).
 */
import * as Context from "effect/Context"

export const TerminalSignIn = Context.Reference<boolean>("@signalbox/server/provider/TerminalSignIn", {
  defaultValue: () => false
})
