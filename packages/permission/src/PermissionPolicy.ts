/**
 * Answers to requests for permission that people have given beforehand, in an agent's settings. They choose by the kind of the call and
 * never for good: an option that allows or refuses always is for people to take. Reading is allowed only where every path of the request is
 * known. It must be inside the session's folders and not protected; people are asked about all else. Editing is allowed only there, too. Whoever
 * bypasses is asked about nothing but what a rule denies or asks about: also about what nobody can see through.
 */
import type { ApprovalOption } from "@signalbox/contracts/AgentRequest"
import { isWithin } from "@signalbox/contracts/Paths"
import type { PermissionProfile } from "@signalbox/contracts/Provider"
import type { FollowedPath } from "./FollowedPath.ts"
import type { JudgedLook, RequestLook } from "./RequestLook.ts"
import type { Decision } from "./rules/Decision.ts"

const reading: ReadonlySet<string> = new Set(["read", "search"])
const changing: ReadonlySet<string> = new Set(["edit", "delete", "move", "execute"])

/** An answer of a profile. */
export interface ProfileAnswer {
  readonly optionId: string
  /** A sentence: what the profile allows or refuses. */
  readonly why: string
}

/** The option to take; undefined where people decide. */
export const choose = (
  profile: PermissionProfile,
  options: ReadonlyArray<ApprovalOption>,
  look: JudgedLook
): ProfileAnswer | undefined => {
  const answer = answerOf(profile, look)
  const option = answer && options.find((option) => option.kind === answer.kind)
  return answer && option && { optionId: option.optionId, why: answer.why }
}

interface Answer {
  readonly kind: "allow_once" | "reject_once"
  readonly why: string
}

const readingAllowed: Answer = { kind: "allow_once", why: "Reading in its folders is allowed." }
const changeRefused: Answer = { kind: "reject_once", why: "Nothing may be changed." }
const editAllowed: Answer = { kind: "allow_once", why: "Changing files in its folders is allowed." }
const bypassed: Answer = { kind: "allow_once", why: "Everything is allowed that no rule denies or asks about." }

const answerOf = (profile: PermissionProfile, look: JudgedLook): Answer | undefined => {
  const { kind } = look.facts
  const readsOnly = () => (reading.has(kind) && onlyReads(look) ? readingAllowed : undefined)
  switch (profile) {
    case "ask":
      return undefined
    case "allow-reads":
      return readsOnly()
    case "read-only":
      return changing.has(kind) ? changeRefused : readsOnly()
    case "edits":
      return kind === "edit" && onlyEdits(look) ? editAllowed : readsOnly()
    case "bypass":
      return isRuled(look.decision) ? undefined : bypassed
  }
}

/** Whether any rule denies a part of the request, or has people asked about it. Built-in rules count, too. */
const isRuled = ({ commands, effect, paths, rule }: Decision): boolean =>
  [{ effect, rule }, ...commands, ...paths].some((part) => part.rule !== undefined && part.effect !== "allow")

/** The engine has followed each path that the call names, and asked the built-in rules about writing to it. */
const onlyEdits = ({ decision, isForPeople, paths, roots, unclear }: JudgedLook): boolean =>
  unclear === undefined &&
  !isForPeople &&
  decision.inspectable &&
  paths.length > 0 &&
  !isRuled(decision) &&
  decision.paths.length > 0 &&
  decision.paths.every(
    ({ path: { guard, leadsTo } }) =>
      guard === undefined && leadsTo !== null && roots.some((root) => isWithin(root, leadsTo))
  )

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
