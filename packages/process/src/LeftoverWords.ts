/** What a program had left running and what became of it, in sentences. */
import type { Leftovers, NamedProcess } from "./ProcessLedger.ts"

export interface Sentence {
  readonly message: string
  readonly detail: string
}

/** How many processes are listed. The rest is counted. */
const most = 20

/** Lists processes by name and number. */
export const listOf = (processes: ReadonlyArray<NamedProcess>): string => {
  const shown = processes.slice(0, most).map(({ name, pid }) => `${name} (${pid})`)
  return [...shown, ...(processes.length > most ? [`and ${processes.length - most} more`] : [])].join(", ")
}

const counted = ({ length }: ReadonlyArray<unknown>): string => (length === 1 ? "1 process" : `${length} processes`)

/** `of`: whose they were, as people call it. */
export const sentencesOf = (of: string, { ended, kept, left }: Leftovers): ReadonlyArray<Sentence> => [
  ...(ended.length > 0
    ? [{ message: `Ended ${counted(ended)} that ${of} had left running.`, detail: listOf(ended) }]
    : []),
  ...(kept.length > 0
    ? [{ message: `${counted(kept)} of ${of} still run, as its settings say ("keeps").`, detail: listOf(kept) }]
    : []),
  ...(left.length > 0
    ? [{ message: `${counted(left)} that ${of} had left running could not be ended.`, detail: listOf(left) }]
    : [])
]
