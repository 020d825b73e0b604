/**
 * Bounds what an agent may ask of people. Requests are stored and shown whatever a turn has stored already, so that nobody misses one; a
 * flood of them would fill memory and disk. Beyond a limit a request is not shown, and the agent hears that it is cancelled. The transcript
 * says how many were refused and why. Synchronous.
 */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import type { RequestId, TurnId } from "@signalbox/contracts/Ids"
import type { Place } from "../projection/EventSink.ts"
import type { EventDraft } from "../profile/EventDraft.ts"
import { figure, size } from "../../../base/ByteWords.ts"
import { compact } from "../../../base/Json.ts"

/** Requests of one session that are open at once. */
const mostOpen = 64
/** Bytes of requests: of those that are open, and of those of the turn that were withdrawn before anybody answered. */
const mostBytes = 16 * 1024 * 1024

export interface RequestLimit {
  /** Whether a request that holds this may be opened. Where it may not, the transcript says so. */
  readonly admits: (asked: unknown, place: Place) => boolean
  /** Counts a request from here on, or one that is counted as it is now. Where there is no room for it, it is refused and not counted. */
  readonly opens: (request: AgentRequest, place: Place) => boolean
  /** Counts a change of an open request beside what it was before: both are stored. False where there is no room for that. */
  readonly changes: (request: AgentRequest) => boolean
  /** A request is open no more. `answered`: somebody has decided about it. */
  readonly ended: (requestId: RequestId, answered: boolean) => void
  /** Tells how many were refused, where that is more than was told: their turn or their session is over. */
  readonly tell: () => void
}

export const make = (emit: (draft: EventDraft) => void): RequestLimit => {
  const open = new Map<RequestId, number>()
  let openBytes = 0
  let withdrawnBytes = 0
  let turnId: TurnId | undefined
  let refused: { readonly place: Place; count: number; bytes: number } | undefined

  const warn = (place: Place, message: string) => emit({ type: "runtime.warning", ...place, message, detail: limits })

  const tell = () => {
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

/** An entry costs something, however little it says. */
const base = 256
const bytesOf = (value: unknown): number => base + Buffer.byteLength(compact(value))
