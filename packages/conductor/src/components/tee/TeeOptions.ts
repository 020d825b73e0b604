/** The arguments of the tee component. */
import * as Result from "effect/Result"
import { parseArgs } from "node:util"

export interface TeeOptions {
  /** The folder of the two files. A relative one is in the working folder. */
  readonly logPath: string
  /** Whether messages toward the agent are recorded. */
  readonly logInput: boolean
  /** Whether messages toward the client are recorded. */
  readonly logOutput: boolean
}

const defaultLogPath = ".symposium/logs"

/** The options that arguments state. Fails with a sentence. */
export const parse = (args: ReadonlyArray<string>): Result.Result<TeeOptions, string> => {
  try {
    const { values } = parseArgs({
      args: [...args],
      allowNegative: true,
      options: {
        "log-path": { type: "string", default: defaultLogPath },
        "log-input": { type: "boolean", default: true },
        "log-output": { type: "boolean", default: true }
      }
    })
    const logPath = values["log-path"]
    if (logPath === "") return Result.fail("--log-path needs a folder.")
    return Result.succeed({ logPath, logInput: values["log-input"], logOutput: values["log-output"] })
  } catch (error) {
    return Result.fail(`${error instanceof Error ? error.message : String(error)}.`)
  }
}
