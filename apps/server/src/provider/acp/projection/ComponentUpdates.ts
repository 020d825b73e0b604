/** What only the components of a session's own chain say in `_meta` of a tool call. */
import type { ToolCallUpdate } from "@signalbox/acp/AcpSchema"
import type { Seal } from "@signalbox/conductor/Seal"
import * as Research from "@signalbox/contracts/Research"
import * as Walkthrough from "@signalbox/contracts/Walkthrough"
import * as Struct from "effect/Struct"

/** The update without these members, unless it carries a mark of the seal. An agent may say them, too. */
export const checked = (patch: ToolCallUpdate, seal: Pick<Seal, "takes">): ToolCallUpdate => {
  if (patch._meta === undefined || patch._meta === null || seal.takes(patch._meta)) return patch
  const { [Research.metaKey]: research, [Walkthrough.metaKey]: walkthrough, ...others } = patch._meta
  return research === undefined && walkthrough === undefined ? patch : Struct.assign(patch, { _meta: others })
}
