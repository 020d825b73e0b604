/** A chain with IDE operations: a client that may answer them itself, and an agent that calls the tools. */
import * as MessageLink from "@signalbox/acp/MessageLink"
import * as RawConnection from "@signalbox/acp/RawConnection"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import type { Host } from "../../../src/BuiltInComponent.ts"
import * as AddedBridge from "../../../src/components/bridge/AddedBridge.ts"
import { ideOperations } from "../../../src/components/ide-operations/IdeOperationsComponent.ts"
import type { Component } from "../../../src/Component.ts"
import * as PlannedComponent from "../../../src/components/PlannedComponent.ts"
import * as Conductor from "../../../src/Conductor.ts"
import { host } from "../../BothWays.ts"
import { node, standIn } from "../../Programs.ts"
import { resultIn } from "../package-sources/Asker.ts"

/** A message that the client has got. */
interface Heard {
  readonly method: string
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly params: any
}

export interface Options {
  readonly args?: ReadonlyArray<string>
  readonly host?: Partial<Host>
  /** Answers requests of the chain, by method. With it, the client offers IDE operations. */
  readonly answer?: (heard: Heard) => unknown
  /** The agent. Default: one that calls the tools that its prompts name. */
  readonly agent?: Component
}

/** A tool that has no answer yet: its program's time is over, or that of one question, or its server is not ready. */
const waits = /the program took longer than|There is no answer after|is not ready after/

const offering = { _meta: { symposium: { version: "1.0", ide_operations: true } } }

/** Starts the chain. It ends with the scope. */
export const start = Effect.fnUntraced(function* ({ agent: own, answer, args = [], host: given }: Options) {
  const planned = Result.getOrThrow(PlannedComponent.builtIn(ideOperations, "ide-operations", { args, log: () => {} }))
  const component = PlannedComponent.inProcess(planned, { ...(yield* host), ...given })
  const agent = own ?? (yield* node("tools", standIn("tools"), "--http"))
  const assemble = AddedBridge.assemble([component], agent)
  const parts: Array<string> = []
  const heard: Array<Heard> = []
  const queue = yield* Queue.unbounded<Heard>()
  const hear = (one: Heard) => {
    heard.push(one)
    Queue.offerUnsafe(queue, one)
  }
  /** The next message of this method that was not taken yet. Those before it are passed over. */
  const next = Effect.fnUntraced(function* (method: string) {
    for (;;) {
      const one = yield* Queue.take(queue)
      if (one.method === method) return one.params
    }
  })
  const [near, far] = MessageLink.pair()
  yield* Effect.forkScoped(
    Conductor.run(far, {
      mode: "agent",
      assemble: (params, within) =>
        Effect.tap(assemble(params, within), ({ proxies }) =>
          Effect.sync(() => parts.push(...proxies.map(({ name }) => name)))
        )
    })
  )
  const connection = yield* RawConnection.make(near, () => ({
    onRequest: ({ method, params = "null" }, respond) => {
      const one = { method, params: JSON.parse(params) }
      hear(one)
      const answered = answer?.(one)
      respond(
        answered instanceof Error
          ? { error: JSON.stringify({ code: -32603, message: answered.message }) }
          : { result: JSON.stringify(answered ?? null) }
      )
    },
    onNotification: ({ method, params = "null" }) => hear({ method, params: JSON.parse(params) })
  }))
  const request = Effect.fnUntraced(function* (method: string, params: object) {
    const answered = yield* Deferred.make<RawConnection.Settled>()
    connection.request({ side: "client", method, params: JSON.stringify(params) }, (settled) =>
      Deferred.doneUnsafe(answered, Effect.succeed(settled))
    )
    const settled = yield* Deferred.await(answered)
    if (!("result" in settled)) throw new Error(JSON.stringify(settled))
    return JSON.parse(settled.result)
  })
  const clientCapabilities = answer === undefined ? {} : offering
  yield* request("initialize", { protocolVersion: 1, clientCapabilities })

  const open = Effect.fnUntraced(function* (cwd: string) {
    const { sessionId } = yield* request("session/new", { cwd, mcpServers: [] })
    /** What the agent says after one call of a tool. That may be only what the tool waits for. */
    const saidAtOnce = Effect.fnUntraced(function* (call: string, given: object) {
      const before = heard.length
      const text = JSON.stringify([{ call, server: "ide-operations", with: given }])
      yield* request("session/prompt", { sessionId, prompt: [{ type: "text", text }] })
      return heard
        .slice(before)
        .flatMap(({ params }) =>
          params.update?.sessionUpdate === "agent_message_chunk" ? [String(params.update.content.text)] : []
        )
        .join("")
    })
    /** What the agent says when the tool has its answer: on a busy machine, it says at first what it waits for. */
    const said = Effect.fnUntraced(function* (name: string, given: object) {
      for (;;) {
        const text = yield* saidAtOnce(name, given)
        if (!waits.test(text)) return text
      }
    })
    /** The result of a tool. */
    const call = (name: string, given: object) =>
      // oxlint-disable-next-line typescript/no-explicit-any
      Effect.map(said(name, given), (text): any => (resultIn(text) as any).result)
    const program = (text: string) => call("ide_operation", { program: text })
    return { sessionId: String(sessionId), said, saidAtOnce, call, program }
  })
  return { parts, heard, next, open, request }
})
