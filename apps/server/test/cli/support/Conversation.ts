/** A client of a running server that talks with an agent. */
import type { ThreadCommand } from "@signalbox/contracts/Command"
import { CommandId, type ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as RpcClient from "effect/rpc/RpcClient"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { clientLayer } from "../../http/support/ServerUnderTest.ts"
import { type Running, temporaryFolder } from "./Signalbox.ts"

export interface Reachable {
  readonly port: number
  readonly token: string
}

/** Waits until a server that is starting says how to reach it. */
export const reachable = (server: Running): Effect.Effect<Reachable> =>
  Effect.map(server.says(/:(\d+)\/#token=([\w-]{43})/), ([, port, token = ""]) => ({ port: Number(port), token }))

export const connect = ({ port, token }: Reachable) => clientLayer(port, { authorization: `Bearer ${token}` })

export const sender = Effect.map(
  RpcClient.make(SignalboxRpc),
  (client) => (threadId: ThreadId, command: ThreadCommand) =>
    client.send({ commandId: CommandId.make(randomUUID()), threadId, command })
)

/** Creates a thread and sends the prompts one after the other; returns the thread when the last turn is as `until` says. */
export const converse = (
  server: Reachable,
  threadId: ThreadId,
  prompts: ReadonlyArray<string>,
  {
    provider = "eliza",
    title,
    until = "completed"
  }: { readonly provider?: string; readonly title?: string; readonly until?: string } = {}
) =>
  Effect.gen(function* () {
    const client = yield* RpcClient.make(SignalboxRpc)
    const send = yield* sender
    yield* send(threadId, {
      type: "thread.create",
      provider: ProviderId.make(provider),
      cwd: temporaryFolder("project"),
      ...(title !== undefined && { title })
    })
    for (const text of prompts)
      yield* send(threadId, {
        type: "turn.start",
        turnId: TurnId.make(randomUUID()),
        prompt: [{ type: "text", text }]
      })
    let state: ThreadView | undefined
    yield* client.watchThread({ threadId }).pipe(
      Stream.map((frame) => (frame.type === "snapshot" ? frame.view : ThreadProjection.apply(state, frame.events))),
      Stream.tap((next) => Effect.sync(() => (state = next))),
      Stream.takeUntil(({ turns }) => turns.length === prompts.length && turns.at(-1)?.status === until),
      Stream.runDrain
    )
    return state
  }).pipe(Effect.scoped, Effect.provide(connect(server)))
