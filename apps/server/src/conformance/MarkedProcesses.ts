/**
 * What the processes of an agent start in their turn, known by a variable that they inherit: also what has left the agent's group.
 * Where the system tells no environments, none are known.
 */
import { ofThisSystem, type ProcessRow } from "../provider/acp/ProcessFacts.ts"

export const variable = "SIGNALBOX_PROBE"

/** Those that live and were started with this value. */
export const carrying = (value: string): ReadonlyArray<ProcessRow> => {
  try {
    return ofThisSystem.list().filter(({ alive, pid }) => alive && ofThisSystem.carries(pid, variable, value))
  } catch {
    // The system does not tell which processes there are.
    return []
  }
}

/** Ends them at once. */
export const end = (processes: ReadonlyArray<ProcessRow>): void => {
  for (const { pid } of processes) signal(pid, "SIGKILL")
}

/** To a process, or as a negative number to a group. */
export const signal = (to: number, name: NodeJS.Signals): void => {
  try {
    process.kill(to, name)
  } catch {
    // It ended by itself.
  }
}
