/**
 * Answers to requests for permission that people have given beforehand, in an agent's settings. They choose by the kind of the call and
 * never for good: an option that allows or refuses always is for people to take. Reading is allowed only where every path of the request is
 * known. It must be inside the session's folders and not protected; people are asked about all else.
 */
import type { ApprovalOption } from "@signalbox/contracts/AgentRequest"
import { isWithin } from "@signalbox/contracts/Paths"
import type { PermissionProfile } from "@signalbox/contracts/Provider"
import type { FollowedPath } from "./FollowedPath.ts"
import type { RequestLook } from "./RequestLook.ts"

const reading: ReadonlySet<string> = new Set(["read", "search"])
const changing: ReadonlySet<string> = new Set(["edit", "delete", "move", "execute"])

/** The option to take; undefined where people decide. */
export const choose = (
  profile: PermissionProfile,
  options: ReadonlyArray<ApprovalOption>,
  look: RequestLook
): string | undefined => {
  const kind = answerKind(profile, look)
  return kind === undefined ? undefined : options.find((option) => option.kind === kind)?.optionId
}

const answerKind = (profile: PermissionProfile, look: RequestLook) => {
  if (profile === "ask") return undefined
  const { kind } = look.facts
  if (reading.has(kind)) return onlyReads(look) ? "allow_once" : undefined
  return profile === "read-only" && changing.has(kind) ? "reject_once" : undefined
}

/** The kind is the agent's word; that nothing else is done shows in the input. Locations are its word too: they can only speak against it. */
const onlyReads = ({ facts, isForPeople, locations, paths, roots, unclear, words }: RequestLook): boolean => {
  const isInside = ({ exists, leadsTo }: FollowedPath) =>
    exists && leadsTo !== null && roots.some((root) => isWithin(root, leadsTo))
  return (
    facts.diffs.length === 0 &&
    unclear === undefined &&
    !isForPeople &&
    paths.length > 0 &&
    paths.every(isInside) &&
    locations.every(isInside) &&
    // What is not there is a word to search for, and no name.
    words.every((word) => isInside(word) || (!word.exists && word.leadsTo !== null))
  )
}
