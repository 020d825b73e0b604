/** What a scenario works with: its client, its session, and ids that count from 1. */
import type { AcpAgent } from "@signalbox/acp/AcpAgent"
import type { ContentBlock, SessionUpdate } from "@signalbox/acp/AcpSchema"
import * as Effect from "effect/Effect"
import type { Session } from "./Sessions.ts"

export interface Turn {
  readonly client: AcpAgent
  readonly session: Session
  readonly prompt: ReadonlyArray<ContentBlock>
  /** The id of the prompt's request, for elicitations that belong to a request. */
  readonly requestId: string | number | null
  readonly nextId: (prefix: string) => string
}

/** Sends an update. A client that has left hears no more of it. */
export const send = ({ client, session }: Turn, update: SessionUpdate): Effect.Effect<void> =>
  Effect.ignore(client.sendUpdate(session.id, update))

export const say = (turn: Turn, text: string): Effect.Effect<void> =>
  send(turn, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } })

/** What a request came to, as one line of the report. */
export const report = <A, E extends { readonly message: string }, R>(
  method: string,
  request: Effect.Effect<A, E, R>
): Effect.Effect<string, never, R> =>
  Effect.match(request, {
    onSuccess: (result) => `${method}: ok ${JSON.stringify(result)}`,
    onFailure: ({ message }) => `${method}: error ${message}`
  })
