/** What a look at a request found: its facts, and where its paths lead. */
import type { PermissionProfile } from "@signalbox/contracts/Provider"
import type { FollowedPath } from "./FollowedPath.ts"
import type { Decision } from "./rules/Decision.ts"
import * as Ground from "./rules/Ground.ts"
import type { RequestFacts } from "./RequestFacts.ts"

export interface RequestLook {
  readonly facts: RequestFacts
  /** The session's folders without links. */
  readonly roots: ReadonlyArray<string>
  /** Every path that its input names. */
  readonly paths: ReadonlyArray<FollowedPath>
  /** Words to search for, as if they were names below the folders that are searched. */
  readonly words: ReadonlyArray<FollowedPath>
  readonly locations: ReadonlyArray<FollowedPath>
  /** A member of its input that can't be understood. */
  readonly unclear: string | undefined
  /** Something of it is not given to agents, or can't be looked at. */
  readonly isForPeople: boolean
}

/** A look, and what the rules make of it. */
export interface JudgedLook extends RequestLook {
  readonly decision: Decision
  /** Who answers where no rule does, by the settings at that moment. */
  readonly profile: PermissionProfile
}

/** Adds where the noted paths of commands lead to the facts: an answer is given for the places that the card shows. */
export const judged = <A extends Decision>(look: RequestLook, decision: A): RequestLook & { readonly decision: A } => {
  const { facts, roots } = look
  const ground = { folder: facts.folder, roots }
  const known = new Set(facts.paths.map(({ path }) => path))
  const noted = [
    ...decision.commands.flatMap(({ command }) => command.paths),
    ...decision.paths.map(({ path }) => path)
  ]
    .filter((path) => Ground.isNoted(ground, path) && !known.has(path.path))
    .map(({ leadsTo, path, said }) => [said ?? path, { path: said ?? path, leadsTo }] as const)
  return { ...look, facts: { ...facts, paths: [...facts.paths, ...new Map(noted).values()] }, decision }
}
