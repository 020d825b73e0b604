/** Finds living processes that have a mark in their environment. */
import { readFileSync } from "node:fs"
import * as Marked from "@signalbox/process/MarkedProcesses"

export interface MarkedProcess {
  readonly pid: number
  readonly command: string
}

/** @param mark `NAME=value`, a variable of the environment */
export const find = (mark: string): ReadonlyArray<MarkedProcess> =>
  Marked.find(mark).map(({ pid }) => ({ pid, command: commandOf(pid) }))

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()
  } catch {
    return "gone by now"
  }
}
