/** Passes on the messages of event streams, and applies their effects on other streams. */
import * as Effect from "effect/Effect"
import * as Envelope from "./Envelope.ts"
import type { Fences } from "./Fences.ts"
import type { Inbox } from "./Inbox.ts"
import type { OpenRequests } from "./OpenRequests.ts"
import { type Deliver, detaches, reattaches, type SessionStreams } from "./SessionStreams.ts"

interface Options {
  readonly inbox: Pick<Inbox, "put">
  readonly requests: Pick<OpenRequests, "take" | "addAsked">
  readonly fences: Fences
  readonly streams: Pick<SessionStreams, "attend" | "isAttended" | "detach">
  /** Runs an effect in a fiber of its own, which ends with the connection's scope. */
  readonly fork: (effect: Effect.Effect<void>) => void
}

/** The outcome for messages that arrived together. */
interface Delivery {
  /** The session whose stream they came by. Undefined for the connection's stream. */
  readonly stream: string | undefined
  /** Messages for the client. */
  readonly passing: Array<string>
  /** Effects that start when the inbox has taken the messages. */
  readonly following: Array<Effect.Effect<void>>
}

export const make = ({ fences, fork, inbox, requests, streams }: Options): Deliver => {
  const answered = (
    { id, sessionId }: Extract<Envelope.Envelope, { readonly _tag: "Response" }>,
    message: string,
    { following, passing, stream }: Delivery
  ) => {
    const behind = fences.release(id)
    if (behind !== undefined) return void passing.push(behind)
    const request = requests.take(id)
    if (sessionId !== undefined) following.push(Effect.ignore(streams.attend(sessionId)))
    if (request === undefined) return void passing.push(message)
    if (stream === undefined && reattaches(request.method) && streams.isAttended(request.sessionId)) {
      return void following.push(fences.hold(request.sessionId, message))
    }
    passing.push(message)
    if (detaches(request.method)) following.push(streams.detach(request.sessionId))
  }

  const take = (message: string, delivery: Delivery) => {
    const envelope = isMereUpdate(message) ? undefined : Envelope.read(message)
    if (envelope?._tag === "Response") return answered(envelope, message, delivery)
    const { following, passing, stream } = delivery
    if (envelope?._tag === "Request" && stream !== undefined) requests.addAsked(envelope.id, stream)
    // A sub-agent has a stream of its own.
    if (envelope?._tag === "Notification" && envelope.childId !== undefined) {
      following.push(Effect.ignore(streams.attend(envelope.childId)))
    }
    passing.push(message)
  }

  return (messages, stream) => {
    if (messages.every(isMereUpdate)) return inbox.put(messages)
    return Effect.suspend(() => {
      const delivery: Delivery = { stream, passing: [], following: [] }
      for (const message of messages) take(message, delivery)
      return Effect.map(inbox.put(delivery.passing), () => delivery.following.forEach(fork))
    })
  }
}

/**
 * Whether a message is an ordinary update: most messages are, and they have no id and begin no session. These words
 * can't occur in a text, where their quotes would be escaped.
 */
const isMereUpdate = (message: string): boolean =>
  says(message, '"method":"session', '/update"') && !says(message, '"subagent', '_update"')

/**
 * Searches for the second half, since it begins with a rare character. Quotes are frequent, and each would be tried.
 */
const says = (message: string, first: string, second: string): boolean => {
  for (let at = message.indexOf(second); at !== -1; at = message.indexOf(second, at + 1)) {
    if (message.startsWith(first, at - first.length)) return true
  }
  return false
}
