/** A line for a shell: sh, dash or bash. Pure, linear and bounded; what the line says is never run. */
import { parse } from "unbash"
import * as Limits from "./Limits.ts"
import type { ShellReading } from "./ShellReading.ts"
import { walk } from "./Walk.ts"

/** Reads what a line would run and which files the shell itself would open. */
export const read = (line: string): ShellReading => {
  const refusal = Limits.refusal(line)
  if (refusal !== undefined) return { commands: [], redirections: [], obstacles: [refusal] }
  const reading = walk(parse(line), line)
  const hidden = Limits.hidden(line)
  return hidden === undefined ? reading : { ...reading, obstacles: [hidden, ...reading.obstacles] }
}
