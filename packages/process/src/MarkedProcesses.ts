/**
 * Finds processes by a mark: a variable in their environment at the start, which their descendants inherit. So a
 * process is found after it has left its group or changed its name. One with a cleared environment is not found. On
 * systems that hide environments, none is.
 */
import { ofThisSystem, type ProcessFacts, type ProcessIdentity, type ProcessRow } from "./ProcessFacts.ts"

/** `NAME=value`, the form in an environment. */
export type Mark = string

/** The living processes with the mark. */
export const find = (mark: Mark, facts: ProcessFacts = ofThisSystem): ReadonlyArray<ProcessRow> => {
  try {
    return facts.list().filter(({ alive, pid }) => alive && facts.environmentOf(pid).includes(mark))
  } catch {
    // The system does not list its processes.
    return []
  }
}

/** Signals a process, if its number still means the process that was found, and it has the mark. */
export const signal = (
  mark: Mark,
  { birth, pid }: ProcessIdentity,
  name: NodeJS.Signals,
  facts: ProcessFacts = ofThisSystem
): void => {
  if (facts.birthOf(pid) !== birth || !facts.environmentOf(pid).includes(mark)) return
  try {
    process.kill(pid, name)
  } catch {
    // The process ended by itself.
  }
}

/** Kills all processes with the mark. */
export const end = (mark: Mark): void => {
  for (const row of find(mark)) signal(mark, row, "SIGKILL")
}
