/** The rows of the inbox. Requests with the same facts, of which the same is shown, are one row. */
import type { AgentRequest, ApprovalOption, RequestResponse } from "@signalbox/contracts/AgentRequest"
import { canonicalJson } from "@signalbox/contracts/CanonicalJson"
import type { RequestId } from "@signalbox/contracts/Ids"
import type { WaitingRequest, WaitingThread } from "@signalbox/contracts/Waiting"

/** A request with its thread. */
export interface Member {
  readonly thread: WaitingThread
  readonly waiting: WaitingRequest
}

type Kind = WaitingRequest["type"]

export interface InboxRow {
  readonly type: Kind
  /** Since when its first request waits. */
  readonly at: number
  /** Its requests, oldest first. More than one: they are equal. */
  readonly members: readonly [Member, ...ReadonlyArray<Member>]
}

type Approval = Extract<AgentRequest, { readonly type: "approval" }>

/**
 * A text that only equal requests have: the same facts, and the same words about them. Undefined for a request that does
 * not say what it is about: nobody knows what is equal to it.
 */
const equalityOf = ({ thread, waiting: { request } }: Member): string | undefined => {
  if (request?.type !== "approval" || request.digest === undefined) return undefined
  const { digest, judgement, links, reason, tool } = request
  const { diffs, endedAt: _end, rawInput, startedAt: _start, toolCallId: _id, ...said } = tool
  if (rawInput === undefined && diffs.length === 0) return undefined
  const { cwd, provider } = thread
  // Undefined members are left out of JSON.
  return JSON.stringify([cwd, provider.id, digest, canonicalJson({ said, diffs, rawInput }), reason, links, judgement])
}

const optionKey = ({ kind, name }: ApprovalOption): string => JSON.stringify([kind, name])

/** The one option of a request that has this kind and name. */
const likeIn = ({ options }: Approval, wanted: ApprovalOption): ApprovalOption | undefined => {
  const key = optionKey(wanted)
  const found = options.filter((option) => optionKey(option) === key)
  return found.length === 1 ? found[0] : undefined
}

const approvalOf = ({ waiting: { request } }: Member): Approval | undefined =>
  request?.type === "approval" ? request : undefined

/** The options that all requests of a row offer, by kind and name, as the first of them has them. */
export const commonOptions = ([first, ...others]: InboxRow["members"]): ReadonlyArray<ApprovalOption> => {
  const approval = approvalOf(first)
  if (approval === undefined) return []
  return approval.options.filter((option) =>
    [first, ...others].every((member) => {
      const own = approvalOf(member)
      return own !== undefined && likeIn(own, option) !== undefined
    })
  )
}

/** An answer to one member in the words of another: with its own option and its own digest. Undefined if it doesn't offer that option. */
export const answerFor = (member: Member, from: Member, response: RequestResponse): RequestResponse | undefined => {
  if (response.type !== "option" || member === from) return response
  const own = approvalOf(member)
  const chosen = approvalOf(from)?.options.find(({ optionId }) => optionId === response.optionId)
  const option = own && chosen && likeIn(own, chosen)
  if (own === undefined || option === undefined) return undefined
  return { ...response, optionId: option.optionId, ...(own.digest !== undefined && { digest: own.digest }) }
}

/** Requests that wait for an answer, the newest row first. */
export const rowsOf = (threads: ReadonlyArray<WaitingThread>): ReadonlyArray<InboxRow> => {
  const members = threads
    .flatMap((thread) => thread.requests.filter(({ answered }) => !answered).map((waiting) => ({ thread, waiting })))
    .toSorted((a, b) => a.waiting.at - b.waiting.at)
  const groups = Map.groupBy(members, (member) => equalityOf(member) ?? `request ${member.waiting.requestId}`)
  return [...groups.values()].flatMap(split).toSorted((a, b) => b.at - a.at)
}

/** Equal requests are one row only if there is an answer that all of them offer. */
const split = ([first, ...others]: ReadonlyArray<Member>): ReadonlyArray<InboxRow> => {
  if (first === undefined) return []
  const together = rowOf([first, ...others])
  return others.length === 0 || commonOptions(together.members).length > 0
    ? [together]
    : [first, ...others].map((member) => rowOf([member]))
}

const rowOf = (members: InboxRow["members"]): InboxRow => {
  const { at, type } = members[0].waiting
  return { type, at, members }
}

export const idsOf = ({ members }: InboxRow): ReadonlyArray<RequestId> =>
  members.map(({ waiting }) => waiting.requestId)

/** The kinds that people can look at alone. */
export const filters = ["all", "approvals", "questions", "plans", "others"] as const
export type Filter = (typeof filters)[number]

const filterOf: Readonly<Record<Kind, Filter>> = {
  approval: "approvals",
  question: "questions",
  plan: "plans",
  form: "others",
  url: "others"
}

export const isIn = (filter: Filter, { type }: Pick<InboxRow, "type">): boolean =>
  filter === "all" || filterOf[type] === filter

/** The number of requests in rows. */
export const requestsIn = (rows: ReadonlyArray<InboxRow>): number =>
  rows.reduce((sum, { members }) => sum + members.length, 0)
