/** Puts decisions into the words of the contract. */
import type { Judgement } from "@signalbox/contracts/Judgement"
import type { Decision, Verdict } from "./Decision.ts"
import { refOf } from "./RuleNaming.ts"

/** More parts than these are not shown one by one. The verdict counts all of them. */
const mostParts = 64

const most = 500

const short = (text: string): string => (text.length <= most ? text : `${text.slice(0, most)}…`)

const verdictOf = ({ effect, rule, why }: Verdict) => ({
  effect,
  why,
  ...(rule !== undefined && { rule: refOf(rule) })
})

/** What pages and records show of a decision. Long texts are cut, and of many parts only the first are there. */
export const of = (decision: Decision): Judgement => ({
  ...verdictOf(decision),
  inspectable: decision.inspectable,
  commands: decision.commands.slice(0, mostParts).map(({ command, ...verdict }) => ({
    ...verdictOf(verdict),
    text: short(command.text),
    isInside: command.isInside
  })),
  paths: decision.paths.slice(0, mostParts).map(({ path, ...verdict }) => ({
    ...verdictOf(verdict),
    path: short(path.path),
    leadsTo: path.leadsTo === null ? null : short(path.leadsTo),
    access: path.access
  }))
})
