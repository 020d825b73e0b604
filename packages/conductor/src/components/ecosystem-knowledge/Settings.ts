/** What the arguments of the component say. */
import type * as Result from "effect/Result"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import * as CacheFolder from "../../ecosystems/ecosystem/CacheFolder.ts"
import * as ComponentArguments from "../../ComponentArguments.ts"

/** The parts of the component, each of which can be left out. */
export interface Settings {
  /** Whether packages of npm count. */
  readonly npm: boolean
  /** Whether crates of Rust count. */
  readonly cargo: boolean
  readonly skills: boolean
  readonly context: boolean
  readonly servers: boolean
  /** Whether a session's first prompt gets the index. */
  readonly index: boolean
  /** The absolute folder in which Cargo may work. */
  readonly cache: string
}

export const usage = "[--no-index] [--no-skills] [--no-context] [--no-servers] [--no-npm] [--no-cargo] [--cache FOLDER]"

const off = { type: "boolean", default: false } as const

/** Fails with a sentence that says what is wrong. */
export const of = (args: ReadonlyArray<string>): Result.Result<Settings, string> =>
  ComponentArguments.read(usage, () => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        "no-index": off,
        "no-skills": off,
        "no-context": off,
        "no-servers": off,
        "no-npm": off,
        "no-cargo": off,
        cache: { type: "string", default: CacheFolder.of("ecosystem-knowledge") }
      }
    })
    return {
      npm: !values["no-npm"],
      cargo: !values["no-cargo"],
      skills: !values["no-skills"],
      context: !values["no-context"],
      servers: !values["no-servers"],
      index: !values["no-index"],
      cache: resolve(values.cache)
    }
  })
