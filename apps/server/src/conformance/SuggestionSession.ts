/** A session for suggestions that a probe opens by itself, to say in it what a client must not say. */
import * as Effect from "effect/Effect"
import type { Examinee } from "./Examinee.ts"
import type { Json } from "./Messages.ts"
import type { Opening } from "./Opening.ts"
import type { Greeted } from "./OpenSession.ts"
import { eventsIn } from "./SuggestionOffer.ts"
import type { Document } from "./SuggestionSample.ts"
import { opened } from "./SuggestionStart.ts"
import type * as Wire from "./Wire.ts"

/** How long a session that a probe leaves open may take to end. */
const closeGrace = "2 seconds"

export interface SuggestionSession {
  readonly sessionId: string
  /** The answer that opened it. */
  readonly result: Json
  /** Reports an open document, if the agent wants that. */
  readonly didOpen: (document: Document) => Effect.Effect<void>
  /** Asks about the start of a document, without any context. */
  readonly ask: (document: Document) => Effect.Effect<Wire.Answer>
  readonly close: Effect.Effect<Wire.Answer>
}

/** The session that an answer has opened. Undefined if it opened none. */
export const of = (
  { nes, wire }: Greeted,
  { limits }: Examinee,
  { answer }: Opening
): SuggestionSession | undefined => {
  if (answer.type !== "result") return undefined
  const { result } = answer
  const { sessionId } = result
  if (typeof sessionId !== "string") return undefined
  return {
    sessionId,
    result,
    didOpen: ({ languageId, text, uri, version }) =>
      eventsIn(nes).didOpen
        ? wire.notify("document/didOpen", { sessionId, uri, languageId, version, text })
        : Effect.void,
    ask: (document) => wire.ask("nes/suggest", { sessionId, ...questionAbout(document) }, limits().suggestion),
    close: wire.ask("nes/close", { sessionId })
  }
}

/** Opens a session. It is closed with the scope, unless it is closed before. */
export const another = Effect.fnUntraced(function* (agent: Greeted, examinee: Examinee) {
  const opening = yield* opened(agent.wire, examinee.folder, examinee.limits().session)
  const session = of(agent, examinee, opening)
  if (session === undefined) return { opening, session }
  let isOpen = true
  const close = Effect.suspend(() => {
    isOpen = false
    return session.close
  })
  yield* Effect.addFinalizer(() => (isOpen ? Effect.timeoutOption(session.close, closeGrace) : Effect.void))
  return { opening, session: { ...session, close } }
})

/** A question about the start of a document: that place has the same numbers in each encoding. */
export const questionAbout = ({ uri, version }: Document): Json => ({
  uri,
  version,
  position: { line: 0, character: 0 },
  triggerKind: "manual"
})
