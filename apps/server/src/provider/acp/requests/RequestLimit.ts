/**
 * Limits the requests of an agent to people. Requests are stored and shown however much their turn has stored, so that
 * none is missed; a flood would fill memory and disk. Beyond a limit a request is not shown, and the agent gets
 * `cancelled`. The transcript shows how many were refused and why. Synchronous.
 */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import type { RequestId, TurnId } from "@signalbox/contracts/Ids"
import type { Place } from "../projection/EventSink.ts"
import type { EventDraft } from "../profile/EventDraft.ts"
import { figure, size } from "../../../base/ByteWords.ts"
import { compact } from "../../../base/Json.ts"

/** Most open requests of one session. */
const mostOpen = 64
/** Most bytes of requests: the open ones, and those of the turn that were withdrawn before an answer. */
const mostBytes = 16 * 1024 * 1024

export interface RequestLimit {
  /** Whether a request with this content may be opened. If not, the transcript says so. */
  readonly admits: (asked: unknown, place: Place) => boolean
  /**
   * Counts a request, or counts a known one again with its present size. Without room it is refused and not counted.
   */
  readonly opens: (request: AgentRequest, place: Place) => boolean
  /** Counts a changed request in addition to its earlier form, since both are stored. False if there is no room. */
  readonly changes: (request: AgentRequest) => boolean
  /** Ends the count of a request as open. `answered`: somebody has decided about it. */
  readonly ended: (requestId: RequestId, answered: boolean) => void
  /** Shows the number of refused requests at the end of a turn or session, if it is more than one. */
  readonly tell: () => void
}

/** @param turnedAway hears how many requests were refused since it heard last */
export const make = (
  emit: (draft: EventDraft) => void,
  turnedAway: (count: number, why: string) => void = () => {}
): RequestLimit => {
  const open = new Map<RequestId, number>()
  let openBytes = 0
  let withdrawnBytes = 0
  let turnId: TurnId | undefined
  let refused: { readonly place: Place; count: number; bytes: number } | undefined

  const warn = (place: Place, message: string) => emit({ type: "runtime.warning", ...place, message, detail: limits })

  const tell = () => {
    if (refused !== undefined) turnedAway(refused.count, `There was no room. ${limits}`)
    if (refused !== undefined && refused.count > 1) {
      const { bytes, count, place } = refused
      warn(place, `Signalbox refused ${figure(count)} requests of the agent, ${size(bytes)} in all.`)
    }
    refused = undefined
  }

  const refuse = (bytes: number, place: Place, why: string) => {
    if (refused === undefined) {
      refused = { place, count: 0, bytes: 0 }
      warn(place, `Signalbox refused a request of the agent: ${why}.`)
    }
    refused.count += 1
    refused.bytes += bytes
  }

  const close = (requestId: RequestId): number => {
    const bytes = open.get(requestId) ?? 0
    open.delete(requestId)
    openBytes -= bytes
    return bytes
  }

  const admitted = (bytes: number, place: Place): boolean => {
    if (place.turnId !== turnId) {
      tell()
      turnId = place.turnId
      withdrawnBytes = 0
    }
    if (open.size >= mostOpen) refuse(bytes, place, `${mostOpen} requests are open already`)
    else if (openBytes + withdrawnBytes + bytes > mostBytes)
      refuse(bytes, place, `it has ${size(bytes)}, and there is no room for that beside the others of its turn`)
    else return true
    return false
  }

  return {
    admits: (asked, place) => admitted(bytesOf(asked), place),
    opens: (request, place) => {
      const { requestId } = request
      close(requestId)
      const bytes = bytesOf(request)
      if (!admitted(bytes, place)) return false
      open.set(requestId, bytes)
      openBytes += bytes
      return true
    },
    changes: (request) => {
      const { requestId } = request
      const bytes = bytesOf(request)
      if (openBytes + withdrawnBytes + bytes > mostBytes) return false
      open.set(requestId, (open.get(requestId) ?? 0) + bytes)
      openBytes += bytes
      return true
    },
    ended: (requestId, answered) => {
      const bytes = close(requestId)
      if (!answered) withdrawnBytes += bytes
    },
    tell
  }
}

const limits = `An agent may have ${mostOpen} requests open at once, and ${size(mostBytes)} of requests that nobody has answered in a turn. Others are not shown; the agent hears that they are cancelled.`

/** Bytes that every entry counts, since even an empty one has a cost. */
const base = 256
const bytesOf = (value: unknown): number => base + Buffer.byteLength(compact(value))
