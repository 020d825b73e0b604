/**
 * Shows people which reads, writes and programs of an agent were refused: some warnings for each turn, then a count.
 */
import { oneLine } from "../../../base/Plain.ts"
import type { PathRefused } from "../../../workspace/Containment.ts"
import type { SessionAudit } from "../../../audit/SessionAudit.ts"
import type { Emission } from "../projection/Emission.ts"
import * as Warnings from "../projection/Warnings.ts"

/** Continues the sentence “asked Signalbox to”. */
export type Wanted = "read a file" | "write a file" | "run a program"

const kinds = { "read a file": "read", "write a file": "write", "run a program": "program" } as const

/** Shows one refusal. A missing file is not a refusal. */
export type Tell = (wanted: Wanted, refused: PathRefused, command?: string) => void

const longest = 1000

/** Makes the function that shows refusals. `name`: the agent's name, for people. */
export const teller =
  (name: string, emission: Emission, audit: Pick<SessionAudit, "accessFailed">): Tell =>
  (wanted, { message, path, reason }, command) => {
    if (reason === "missing") return
    audit.accessFailed({ kind: kinds[wanted], name: command ?? path }, message)
    const why = command === undefined ? message : `${oneLine(command, longest)}: ${message}`
    emission.emit((projection) =>
      Warnings.refused(projection, `${name} asked Signalbox to ${wanted}. It was refused.`, oneLine(why, longest))
    )
  }
