/**
 * Finds processes by a mark: a variable that was in their environment at the start, and that all they start inherits. So a process is
 * found after it has left its group or changed its name. One whose environment was cleared is not found, and none is on a system that
 * does not tell environments.
 */
import { ofThisSystem, type ProcessFacts, type ProcessIdentity, type ProcessRow } from "./ProcessFacts.ts"

/** `NAME=value`, as it stands in an environment. */
export type Mark = string

/** The living processes that carry the mark. */
export const find = (mark: Mark, facts: ProcessFacts = ofThisSystem): ReadonlyArray<ProcessRow> => {
  try {
    return facts.list().filter(({ alive, pid }) => alive && facts.environmentOf(pid).includes(mark))
  } catch {
    // The system does not tell which processes there are.
    return []
  }
}

/** Signals one of them, if its number still means the process that was found, and that process carries the mark. */
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
    // It ended by itself.
  }
}

/** Ends them all at once. */
export const end = (mark: Mark): void => {
  for (const row of find(mark)) signal(mark, row, "SIGKILL")
}
