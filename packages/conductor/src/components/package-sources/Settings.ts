/** What the arguments of the component say. */
import type { ResearchApproval } from "@signalbox/permission/ResearchPolicy"
import type * as Result from "effect/Result"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import * as CacheFolder from "../../ecosystems/ecosystem/CacheFolder.ts"
import * as ComponentArguments from "../../ComponentArguments.ts"

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

const approvalIn = (text: string): ResearchApproval => {
  const found = approvals.find((one) => one === text)
  if (found === undefined) throw new Error(`--approve is one of ${approvals.join(", ")}.`)
  return found
}

/** Fails with a sentence that says what is wrong. */
export const of = (args: ReadonlyArray<string>): Result.Result<Settings, string> =>
  ComponentArguments.read(usage, () => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        approve: { type: "string", default: "read-only" },
        timeout: { type: "string", default: "300" },
        grace: { type: "string", default: "10" },
        "at-once": { type: "string", default: "4" },
        cache: { type: "string", default: CacheFolder.of("package-sources") }
      }
    })
    return {
      approval: approvalIn(values.approve),
      seconds: ComponentArguments.numberIn("--timeout", values.timeout, 86_400),
      graceSeconds: ComponentArguments.numberIn("--grace", values.grace, 86_400),
      atOnce: Math.ceil(ComponentArguments.numberIn("--at-once", values["at-once"], 64)),
      cache: resolve(values.cache)
    }
  })
