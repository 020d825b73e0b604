/** Puts rules files into the words of the contract. */
import type { ListedRule, RulesFileReport, RuleState } from "@signalbox/contracts/Rules"
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import { refOf } from "@signalbox/permission/rules/RuleNaming"
import type { Finding } from "@signalbox/permission/rules/RulesText"
import * as RuleWords from "@signalbox/permission/rules/RuleWords"
import * as RuleStates from "./RuleStates.ts"
import type { RulesFile } from "./RulesFiles.ts"

/**
 * Describes a file.
 *
 * @param kept the rules of this file that are in force from before, if it has a fault now
 * @param used the rules for one request that had theirs
 * @param now milliseconds since 1970
 */
export const of = (
  file: RulesFile,
  kept: ReadonlyArray<PlacedRule>,
  used: ReadonlySet<PlacedRule>,
  now: number
): RulesFileReport => {
  const { bytes, faults, folder, path, refusal, source, state, trust, warnings } = file
  const rules = state === "faulty" || state === "unreadable" ? kept : file.rules
  const warned = byRule(warnings)
  return {
    path,
    source,
    state,
    ...(folder !== undefined && { folder }),
    ...(refusal !== undefined && { refusal }),
    ...(bytes !== undefined && { hash: bytes.hash }),
    ...(trust !== undefined && { trust }),
    faults,
    rules: rules.map((rule) => listed(rule, RuleStates.of(rule, file, used, now), warned.get(rule.number) ?? []))
  }
}

const listed = (placed: PlacedRule, state: RuleState, warnings: ReadonlyArray<string>): ListedRule => {
  const { file: _file, folder: _folder, line: _line, number: _number, source: _source, ...rule } = placed
  return {
    ref: refOf(placed),
    rule,
    state,
    what: RuleWords.matchText(rule.match),
    where: RuleWords.scopeText(placed),
    warnings
  }
}

/** The sentences about each rule, by its number. */
const byRule = (warnings: ReadonlyArray<Finding>): ReadonlyMap<number, ReadonlyArray<string>> => {
  const found = new Map<number, Array<string>>()
  for (const { message, path } of warnings) {
    const number = Number(/^rules\[(\d+)\]/.exec(path)?.[1] ?? -1) + 1
    const before = found.get(number)
    if (before === undefined) found.set(number, [message])
    else before.push(message)
  }
  return found
}
