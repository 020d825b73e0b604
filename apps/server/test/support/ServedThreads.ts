/** Threads of a real server, as the page sees them. */
import type { ThreadCommand } from "@signalbox/contracts/Command"
import { CommandId, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { type AcpOptions, ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { connect, type Connection } from "../../chaos/Connection.ts"
import { Watcher } from "../../chaos/Watcher.ts"
import { type Options, start, temporaryFolder } from "../cli/support/Signalbox.ts"
import { scriptedMain } from "./ScriptedAgent.ts"

/** The scripted agent, as settings name an agent. */
export const scriptedCommand: AcpOptions = { command: process.execPath, args: [scriptedMain] }

/** A server in this state folder, and a client of it. Killed with the scope. */
export const served = Effect.fnUntraced(function* (state: string, options: Options = {}) {
  const server = yield* start(["serve", "--port", "0", "--state-dir", state], options)
  const [, url = "", token = ""] = yield* server.says(/(http:\/\/127\.0\.0\.1:\d+)\/#token=([\w-]{43})/)
  /** Another client, over a connection of its own. */
  const connected = Effect.map(connect({ url, token }), visitorOf)
  return { server, connected, ...(yield* connected) }
})

/** What one client does with threads. */
const visitorOf = (client: Connection) => {
  const send = (threadId: ThreadId, command: ThreadCommand) =>
    client.send({ commandId: CommandId.make(randomUUID()), threadId, command })
  const watch = Effect.fnUntraced(function* (threadId: ThreadId) {
    const watcher = new Watcher()
    yield* client.watchThread({ threadId }).pipe(
      Stream.runForEach((frame) => Effect.sync(() => watcher.take(frame))),
      Effect.forkScoped
    )
    return watcher
  })
  return {
    client,
    send,
    watch,
    /** A thread with the scripted agent, or with another, and what is seen of it. */
    open: Effect.fnUntraced(function* (
      name: string,
      acp: AcpOptions = scriptedCommand,
      cwd = temporaryFolder("project")
    ) {
      const threadId = ThreadId.make(name)
      const provider = ProviderId.make("scripted")
      yield* send(threadId, { type: "thread.create", provider, cwd, providerOptions: { acp } })
      return { cwd, threadId, watcher: yield* watch(threadId) }
    }),
    /** Prompts are lists of steps. */
    prompt: (threadId: ThreadId, turn: string, ...steps: ReadonlyArray<object>) =>
      send(threadId, {
        type: "turn.start",
        turnId: TurnId.make(turn),
        prompt: [{ type: "text", text: JSON.stringify(steps) }]
      })
  }
}
