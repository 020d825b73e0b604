/**
 * The rules in force while a server runs. Files are read anew for each look, since people change them at any time. A file that gets a fault
 * leaves its earlier rules in force.
 */
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RulesFiles from "./RulesFiles.ts"

export interface Look {
  readonly rules: ReadonlyArray<PlacedRule>
  readonly files: ReadonlyArray<RulesFiles.RulesFile>
}

export interface RulesInForce {
  /** The rules for sessions in a folder. */
  readonly in: (cwd: string) => Effect.Effect<Look>
}

/** Nothing is in force where no folder of rules is known. */
export const RulesInForce = Context.Reference<RulesInForce>("@signalbox/server/rules/RulesInForce", {
  defaultValue: () => ({ in: () => Effect.succeed({ rules: [], files: [] }) })
})

export interface Options {
  /** Absolute. */
  readonly stateFolder: string
  /** A file in place of all others. */
  readonly named?: string
}

const make = (options: Options): RulesInForce => {
  /** What was read last of each file, and what was read before it had a fault. */
  const latest = new Map<string, RulesFiles.RulesFile>()
  const sound = new Map<string, RulesFiles.RulesFile>()

  /** The rules of a file, and of its latest good content if it has a fault now. */
  const rulesOf = (file: RulesFiles.RulesFile): ReadonlyArray<PlacedRule> => {
    latest.set(file.path, file)
    const isFaulty = file.state === "faulty" || file.state === "unreadable"
    if (!isFaulty) sound.set(file.path, file)
    return RulesFiles.inForce([sound.get(file.path) ?? file])
  }

  return {
    in: (cwd) =>
      Effect.map(
        RulesFiles.find({ ...options, cwd }, (path) => latest.get(path)),
        (files) => ({ files, rules: files.flatMap(rulesOf).filter(isLasting) })
      )
  }
}

/** Whether a rule can be held to. Nothing here knows yet when one that allows once, or for a session, is used up. */
const isLasting = ({ effect, until }: PlacedRule): boolean =>
  effect !== "allow" || (until !== "once" && until !== "session")

export const layer = (options: Options) => Layer.sync(RulesInForce, () => make(options))
