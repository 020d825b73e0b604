import { findMode } from "../Modes.ts"
import { internalError } from "../RpcError.ts"
import type { Script } from "../Script.ts"

/** The agent changes its mode of its own accord. */
export const mode: Script = async (turn, args) => {
  const wanted = args.get("mode", 0) ?? "plan"
  const found = findMode(wanted)
  if (found === undefined) throw internalError(`no mode "${wanted}"`)
  turn.session.mode = found
  turn.update({ sessionUpdate: "current_mode_update", currentModeId: found })
  await turn.say(`I have switched to ${found} mode.`)
}
