/** Marks what agents start that are looked over: nothing of it outlives that. */
import type { Mark } from "../process/MarkedProcesses.ts"

const name = "SIGNALBOX_PROBE"

export const markOf = (value: string): { readonly name: string; readonly value: string; readonly text: Mark } => ({
  name,
  value,
  text: `${name}=${value}`
})
