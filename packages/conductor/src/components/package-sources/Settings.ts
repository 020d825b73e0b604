/** What the arguments of the component say. */
import type { ResearchApproval } from "@signalbox/permission/ResearchPolicy"
import * as Result from "effect/Result"
import { homedir } from "node:os"
import { isAbsolute, join, resolve } from "node:path"
import { parseArgs } from "node:util"

export interface Settings {
  readonly approval: ResearchApproval
  /** The time limit of a researcher, in seconds. */
  readonly seconds: number
  /** How long a researcher may go on after its first finding, in seconds. */
  readonly graceSeconds: number
  /** How many researchers may work at once. */
  readonly atOnce: number
  /** The absolute folder for sources and the history. */
  readonly cache: string
}

export const usage =
  "[--approve read-only|fetch|all] [--timeout SECONDS] [--grace SECONDS] [--at-once N] [--cache FOLDER]"

const approvals: ReadonlyArray<ResearchApproval> = ["read-only", "fetch", "all"]

const ownFolder = (): string => {
  const caches = process.env["XDG_CACHE_HOME"] ?? ""
  return join(isAbsolute(caches) ? caches : join(homedir(), ".cache"), "signalbox", "package-sources")
}

const numberIn = (flag: string, text: string, most: number): number => {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (value > 0 && value <= most) return value
  throw new Error(`${flag} is a number above 0, and at most ${most}.`)
}

const approvalIn = (text: string): ResearchApproval => {
  const found = approvals.find((one) => one === text)
  if (found === undefined) throw new Error(`--approve is one of ${approvals.join(", ")}.`)
  return found
}

/** Fails with a sentence that says what is wrong. */
export const of = (args: ReadonlyArray<string>): Result.Result<Settings, string> =>
  Result.try({
    try: () => {
      const { values } = parseArgs({
        args: [...args],
        options: {
          approve: { type: "string", default: "read-only" },
          timeout: { type: "string", default: "300" },
          grace: { type: "string", default: "10" },
          "at-once": { type: "string", default: "4" },
          cache: { type: "string", default: ownFolder() }
        }
      })
      return {
        approval: approvalIn(values.approve),
        seconds: numberIn("--timeout", values.timeout, 86_400),
        graceSeconds: numberIn("--grace", values.grace, 86_400),
        atOnce: Math.ceil(numberIn("--at-once", values["at-once"], 64)),
        cache: resolve(values.cache)
      }
    },
    catch: (error) => `${error instanceof Error ? error.message : String(error)} Its arguments are: ${usage}`
  })
