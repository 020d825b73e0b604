/** What was refused to an agent that had us read, write or run something, as people are told: a few rows for each turn, and a count. */
import { oneLine } from "../../../base/Plain.ts"
import type { PathRefused } from "../../../workspace/Containment.ts"
import type { Emission } from "../projection/Emission.ts"
import * as Warnings from "../projection/Warnings.ts"

/** Follows “asked Signalbox to”. */
export type Wanted = "read a file" | "write a file" | "run a program"

/** Tells one refusal. What is not there was not refused. */
export type Tell = (wanted: Wanted, refused: PathRefused, command?: string) => void

const longest = 1000

/** `name`: the agent, as people call it. */
export const teller =
  (name: string, emission: Emission): Tell =>
  (wanted, { message, reason }, command) => {
    if (reason === "missing") return
    const why = command === undefined ? message : `${oneLine(command, longest)}: ${message}`
    emission.emit((projection) =>
      Warnings.refused(projection, `${name} asked Signalbox to ${wanted}. It was refused.`, oneLine(why, longest))
    )
  }
