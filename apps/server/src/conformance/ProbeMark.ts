/** Marks the processes of examined agents, so that none of them outlives the examination. */
import type { Mark } from "@signalbox/process/MarkedProcesses"

const name = "SIGNALBOX_PROBE"

export const markOf = (value: string): { readonly name: string; readonly value: string; readonly text: Mark } => ({
  name,
  value,
  text: `${name}=${value}`
})
