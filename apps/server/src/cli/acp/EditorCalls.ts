/** What the agent behind wants of the editor that has its thread open: reads and writes of files, programs in terminals, questions about code. */
import type { AcpAgent } from "@signalbox/acp/AcpAgent"
import { type CallFailure, RpcError } from "@signalbox/acp/JsonRpc"
import * as MetaCapability from "@signalbox/acp/MetaCapability"
import * as AttachedEditor from "@signalbox/client/AttachedEditor"
import type { EditorAnswer, EditorCall, EditorOffers } from "@signalbox/contracts/EditorCall"
import * as IdeOperation from "@signalbox/contracts/IdeOperation"
import type { ThreadId } from "@signalbox/contracts/Ids"
import { isRecord } from "@signalbox/contracts/Json"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { oneLine } from "../../base/Plain.ts"
import type { ServerLink } from "./ServerLink.ts"

export interface Options {
  readonly agent: Pick<AcpAgent, "extRequest" | "initialized">
  readonly link: Pick<ServerLink, "follow" | "once">
}

export interface EditorCalls {
  /** The editor's id for a terminal of the thread, while the editor keeps it. */
  readonly terminalOf: (terminalId: string) => string | undefined
}

/** The server is asked to note the editor before its first prompt. A slow one is not waited for. */
const attachedWithin = "5 seconds"

/** The time for an editor to release a terminal. */
const releasedWithin = "2 seconds"

/** Does what the editor offers, for as long as the scope lives. An editor that offers nothing is not attached. */
export const make = Effect.fn("EditorCalls.make")(function* (
  threadId: ThreadId,
  { agent, link }: Options
): Effect.fn.Return<EditorCalls, never, Scope.Scope> {
  const { clientCapabilities, clientInfo } = agent.initialized() ?? {}
  const offers: EditorOffers = {
    readTextFile: clientCapabilities?.fs?.readTextFile === true,
    writeTextFile: clientCapabilities?.fs?.writeTextFile === true,
    terminal: clientCapabilities?.terminal === true,
    ideOperations: MetaCapability.has(clientCapabilities, IdeOperation.capability)
  }
  /** The editor's ids by those of the thread. */
  const terminals = new Map<string, string>()
  if (!Object.values(offers).includes(true)) return { terminalOf: () => undefined }

  const called = oneLine(clientInfo?.title ?? clientInfo?.name ?? "", 100)

  const release = (theirs: string) =>
    agent
      .extRequest("terminal/release", { sessionId: threadId, terminalId: theirs })
      .pipe(Effect.interruptible, Effect.timeoutOption(releasedWithin), Effect.ignore)

  const carryOut = Effect.fnUntraced(function* (call: EditorCall) {
    const { method, params, terminalId } = call
    let isWithdrawn = false
    const made = yield* agent
      .extRequest(method, params, {
        cancelOnInterrupt: true,
        // A terminal that nobody waits for any more would stay.
        onResponse: (exit) => {
          const late = isWithdrawn && Exit.isSuccess(exit) ? terminalIn(method, exit.value) : undefined
          return late === undefined ? Effect.void : Effect.asVoid(Effect.forkDetach(release(late)))
        }
      })
      .pipe(
        Effect.onInterrupt(() => Effect.sync(() => (isWithdrawn = true))),
        Effect.exit
      )
    const answer = answerOf(method, made)
    const theirs = answer?.type === "result" ? terminalIn(method, answer.result) : undefined
    if (terminalId !== undefined && theirs !== undefined) terminals.set(terminalId, theirs)
    if (method === "terminal/release") forget(terminals, params["terminalId"])
    return answer
  })

  const editor = yield* AttachedEditor.make({
    threadId,
    name: called === "" ? "The editor" : called,
    offers,
    link,
    carryOut,
    unheard: ({ method }, answer) => {
      const theirs = answer.type === "result" ? terminalIn(method, answer.result) : undefined
      if (theirs === undefined) return Effect.void
      forget(terminals, theirs)
      return release(theirs)
    },
    letGo: Effect.suspend(() => {
      const left = [...terminals.values()]
      terminals.clear()
      return Effect.forEach(left, release, { concurrency: "unbounded", discard: true })
    })
  })
  yield* Effect.timeoutOption(editor.attached, attachedWithin)
  return { terminalOf: (terminalId) => terminals.get(terminalId) }
})

const terminalIn = (method: string, result: unknown): string | undefined => {
  const id = method === "terminal/create" && isRecord(result) ? result["terminalId"] : undefined
  return typeof id === "string" ? id : undefined
}

const forget = (terminals: Map<string, string>, theirs: unknown): void => {
  for (const [id, one] of terminals) if (one === theirs) terminals.delete(id)
}

const isJson = Schema.is(Schema.Json)

/** Undefined: the editor has left, and nobody hears an answer. */
const answerOf = (method: string, made: Exit.Exit<unknown, CallFailure>): EditorAnswer | undefined => {
  if (Exit.isSuccess(made)) {
    // Null is answered where the protocol has an object without required members. About code it is an answer of its own.
    const result = made.value ?? (method === IdeOperation.methods.lsp ? null : {})
    return isJson(result) ? { type: "result", result } : AttachedEditor.unreadable("The editor's answer is no JSON")
  }
  const error = Option.getOrUndefined(Exit.findErrorOption(made))
  if (!(error instanceof RpcError)) return undefined
  const { code, data, message } = error
  return { type: "error", code, message, ...(isJson(data) && { data }) }
}
