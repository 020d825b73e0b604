/**
 * Processes that carry a mark: a variable that was in the environment at their start, and that everything inherits that they start. So
 * they are known after they have left the group of who started them, or changed their name. One whose environment was cleared is not.
 * Where the system tells no environments, none are known.
 */
import { ofThisSystem, type ProcessFacts, type ProcessIdentity, type ProcessRow } from "./ProcessFacts.ts"

/** `NAME=value`, as it stands in an environment. */
export type Mark = string

/** Those that live. */
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
