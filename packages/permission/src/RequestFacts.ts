/** What an approval is about: the facts that an answer is bound to, their digest, and how they changed. Pure. */
import type { AgentRequest, ApprovalFact } from "@signalbox/contracts/AgentRequest"
import { compact, hasMoreMembers } from "@signalbox/contracts/Json"
import { isWithin, leadsElsewhere } from "@signalbox/contracts/Paths"
import type { FileDiff, ToolCall } from "@signalbox/contracts/ToolCall"
import { createHash } from "node:crypto"
import { canonicalJson } from "@signalbox/contracts/CanonicalJson"
import type { FollowedPath } from "./FollowedPath.ts"
import { resolve } from "node:path"

/** What does not change while a session runs. */
export interface SessionFacts {
  readonly folder: string
  /** The id under which people know it, and the program or address that is behind it. */
  readonly agent: { readonly id: string; readonly program: string }
}

export interface RequestFacts extends SessionFacts {
  readonly kind: string
  /** Canonical JSON; of very many members, as it was sent. */
  readonly input: string | undefined
  readonly diffs: ReadonlyArray<FileDiff>
  readonly paths: ReadonlyArray<Pick<FollowedPath, "path" | "leadsTo">>
}

type Call = Pick<ToolCall, "kind" | "rawInput" | "diffs">

export const of = (call: Call, paths: ReadonlyArray<FollowedPath>, { agent, folder }: SessionFacts): RequestFacts => ({
  folder,
  agent,
  ...factsOf(call),
  paths: paths.map(({ leadsTo, path }) => ({ path, leadsTo }))
})

/** The facts with another call in their place. Its paths are not followed. */
export const withCall = (facts: RequestFacts, call: Call): RequestFacts => ({ ...facts, ...factsOf(call) })

const factsOf = ({ diffs, kind, rawInput }: Call) => ({
  kind,
  input: canonical(rawInput),
  diffs
})

/**
 * One text for equal values. With very many members their order counts, too: sorting takes seconds, and takes them again with each change.
 */
const canonical = (json: string | undefined): string | undefined =>
  json === undefined || hasMoreMembers(json, mostOrdered) ? json : canonicalJson(JSON.parse(json))

const mostOrdered = 10_000

/**
 * The paths that lead elsewhere than they say. `roots`: the session's folders without links, its own first. Where that one is behind a
 * link itself, all in it is, and that is no news.
 */
export const linksOf = (
  { folder, paths }: Pick<RequestFacts, "folder" | "paths">,
  roots: ReadonlyArray<string>
): NonNullable<Extract<AgentRequest, { readonly type: "approval" }>["links"]> => {
  const [real = folder] = roots
  return paths.flatMap(({ leadsTo, path }) => {
    const said = resolve(folder, path)
    if (leadsTo === null || !leadsElsewhere(said, leadsTo, resolve(folder), real)) return []
    const isInside = roots.some((root) => isWithin(root, leadsTo))
    return { path, leadsTo, ...(!isInside && { outside: true as const }) }
  })
}

/** SHA-256 in hexadecimal digits. */
export const digestOf = (facts: RequestFacts): string => createHash("sha256").update(canonicalJson(facts)).digest("hex")

/** Whether a call is still the same in all that its input says. Where its paths lead is not looked at. */
export const isSameCall = (one: Call, other: Call): boolean =>
  one.kind === other.kind &&
  (one.rawInput === other.rawInput || canonical(one.rawInput) === canonical(other.rawInput)) &&
  (one.diffs === other.diffs || compact(one.diffs) === compact(other.diffs))

/** The facts that differ. */
export const changesBetween = (before: RequestFacts, after: RequestFacts): ReadonlyArray<ApprovalFact> =>
  facts.filter((fact) => textOf(fact, before) !== textOf(fact, after))

const facts: ReadonlyArray<ApprovalFact> = ["kind", "input", "diff", "paths", "folder", "agent"]

const textOf = (fact: ApprovalFact, { agent, diffs, folder, input = "nothing", kind, paths }: RequestFacts): string => {
  switch (fact) {
    case "kind":
      return kind
    case "input":
      return input
    case "diff":
      return diffs.length === 0 ? "nothing" : compact(diffs)
    case "paths":
      return paths.length === 0 ? "nothing" : compact(paths.map(({ leadsTo, path }) => leadsTo ?? path))
    case "folder":
      return folder
    case "agent":
      return compact(agent)
  }
}

/** A sentence for each fact: what it was, and what it is. Long texts are cut. */
export const changesText = (before: RequestFacts, after: RequestFacts): string =>
  changesBetween(before, after)
    .map((fact) => `${names[fact]} was ${shown(fact, before)} and is now ${shown(fact, after)}.`)
    .join(" ")

const names: Readonly<Record<ApprovalFact, string>> = {
  kind: "The kind",
  input: "The input",
  diff: "The change of files",
  paths: "Where its paths lead",
  folder: "The folder",
  agent: "The agent"
}

const longest = 400

const shown = (fact: ApprovalFact, of: RequestFacts): string => {
  const text = textOf(fact, of)
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`
}
