/** Puts decisions into the words of the contract. */
import type { Judgement } from "@signalbox/contracts/Judgement"
import type { Decision, Verdict } from "./Decision.ts"
import * as Ground from "./Ground.ts"
import * as LeavesMachine from "./LeavesMachine.ts"
import { refOf } from "./RuleNaming.ts"
import type { CommandPart, NamedPath } from "./Subject.ts"

/** More parts than these are not shown one by one. The verdict counts all of them. */
const mostParts = 64

const most = 500

const short = (text: string): string => (text.length <= most ? text : `${text.slice(0, most)}…`)

const verdictOf = ({ effect, rule, why }: Verdict) => ({
  effect,
  why,
  ...(rule !== undefined && { rule: refOf(rule) })
})

/** Most arguments of one command that are noted. */
const mostPaths = 16

const shownOf = (ground: Ground.Ground, path: NamedPath) => ({
  path: short(path.path),
  leadsTo: path.leadsTo === null ? null : short(path.leadsTo),
  ...(Ground.isOutside(ground, path) && { outside: true as const })
})

const commandOf = (ground: Ground.Ground, { isInside, paths, text, words }: CommandPart) => {
  const noted = paths.filter((path) => path.isDoubtful === undefined && Ground.isNoted(ground, path))
  const leaves = LeavesMachine.of(words)
  return {
    text: short(text),
    isInside,
    ...(noted.length > 0 && { paths: noted.slice(0, mostPaths).map((path) => shownOf(ground, path)) }),
    ...(leaves !== undefined && { leaves })
  }
}

/** What pages and records show of a decision. Long texts are cut, and of many parts only the first are there. */
export const of = (decision: Decision, ground: Ground.Ground): Judgement => ({
  ...verdictOf(decision),
  inspectable: decision.inspectable,
  ...(decision.obstacles.length > 0 && {
    obstacles: decision.obstacles.slice(0, mostParts)
  }),
  ...(decision.leaves !== undefined && { leaves: decision.leaves }),
  commands: decision.commands.slice(0, mostParts).map(({ command, ...verdict }) => ({
    ...verdictOf(verdict),
    ...commandOf(ground, command)
  })),
  paths: decision.paths.slice(0, mostParts).map(({ path, ...verdict }) => ({
    ...verdictOf(verdict),
    ...shownOf(ground, path),
    access: path.access
  }))
})
