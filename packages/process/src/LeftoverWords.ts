/** Sentences about the processes that a program left running. */
import type { Leftovers, NamedProcess } from "./ProcessLedger.ts"

export interface Sentence {
  readonly message: string
  readonly detail: string
}

/** Most processes that are listed. The rest is counted. */
const most = 20

/** Lists processes by name and number. */
export const listOf = (processes: ReadonlyArray<NamedProcess>): string => {
  const shown = processes.slice(0, most).map(({ name, pid }) => `${name} (${pid})`)
  return [...shown, ...(processes.length > most ? [`and ${processes.length - most} more`] : [])].join(", ")
}

const counted = ({ length }: ReadonlyArray<unknown>): string => (length === 1 ? "1 process" : `${length} processes`)

/** `of`: the name of their program, for people. */
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
