/**
 * The editors that have threads open, and do for the agents of these what they offer. A call goes to the editor that came
 * last. It ends with an answer, with an error, or because the editor has left.
 */
import { ErrorCode } from "@signalbox/acp/JsonRpc"
import {
  type EditorAbility,
  type EditorAnswer,
  type EditorCall,
  EditorCallId,
  type EditorFrame,
  type EditorMethod,
  type EditorOffers
} from "@signalbox/contracts/EditorCall"
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import type { JsonObject } from "effect/Schema"
import * as Stream from "effect/Stream"

/** The editor's own error. */
export class EditorRefused extends Schema.TaggedError<EditorRefused>()("EditorRefused", {
  code: Schema.Int,
  message: Schema.String,
  data: Schema.optionalKey(Schema.Json)
}) {}

/** The editor has closed the thread, or its connection ended. What it was asked may have been done or not. */
export class EditorLeft extends Schema.TaggedError<EditorLeft>()("EditorLeft", {}) {}

export interface Editor {
  /** The name for people. */
  readonly name: string
  /** Interrupting it withdraws the call. */
  readonly ask: (
    method: EditorMethod,
    params: JsonObject,
    more?: Pick<EditorCall, "terminalId" | "folders">
  ) => Effect.Effect<Schema.Json, EditorRefused | EditorLeft>
}

export interface EditorDesk {
  /** The editor that came last to a thread, and offers this. Undefined if there is none. */
  readonly offering: (threadId: ThreadId, ability: EditorAbility) => Editor | undefined
  /** Attaches an editor while the stream is read. */
  readonly attach: (threadId: ThreadId, name: string, offers: EditorOffers) => Stream.Stream<EditorFrame>
  /** Takes an answer. False if nobody waits for it. */
  readonly answer: (threadId: ThreadId, callId: EditorCallId, answer: EditorAnswer) => boolean
}

interface Attached {
  readonly editor: Editor
  readonly offers: EditorOffers
  readonly open: Map<EditorCallId, Deferred.Deferred<Schema.Json, EditorRefused | EditorLeft>>
}

/** Most calls that wait for one editor. */
const mostOpen = 256

const tooMany = (name: string) =>
  new EditorRefused({ code: ErrorCode.InternalError, message: `${mostOpen} requests wait for ${name} already` })

const make = (): EditorDesk => {
  const threads = new Map<ThreadId, ReadonlyArray<Attached>>()

  const enter = (name: string, offers: EditorOffers, queue: Queue.Queue<EditorFrame>) => {
    let hasLeft = false
    const open: Attached["open"] = new Map()
    const ask: Editor["ask"] = (method, params, more) =>
      Effect.suspend(() => {
        if (hasLeft) return Effect.fail(new EditorLeft())
        if (open.size >= mostOpen) return Effect.fail(tooMany(name))
        const callId = EditorCallId.make(crypto.randomUUID())
        const answer = Deferred.makeUnsafe<Schema.Json, EditorRefused | EditorLeft>()
        open.set(callId, answer)
        Queue.offerUnsafe(queue, { type: "call", callId, method, params, ...more })
        return Deferred.await(answer).pipe(
          Effect.onInterrupt(() =>
            Effect.sync(() => {
              if (open.delete(callId)) Queue.offerUnsafe(queue, { type: "withdrawn", callId })
            })
          )
        )
      })
    const leave = () => {
      hasLeft = true
      for (const answer of open.values()) Deferred.doneUnsafe(answer, Exit.fail(new EditorLeft()))
      open.clear()
    }
    const attached: Attached = { editor: { name, ask }, offers, open }
    return { attached, leave }
  }

  const change = (threadId: ThreadId, of: (before: ReadonlyArray<Attached>) => ReadonlyArray<Attached>) => {
    const now = of(threads.get(threadId) ?? [])
    if (now.length === 0) threads.delete(threadId)
    else threads.set(threadId, now)
  }

  return {
    offering: (threadId, ability) => threads.get(threadId)?.findLast(({ offers }) => offers[ability])?.editor,
    attach: (threadId, name, offers) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const queue = yield* Queue.unbounded<EditorFrame>()
          yield* Effect.acquireRelease(
            Effect.sync(() => {
              const entered = enter(name, offers, queue)
              change(threadId, (before) => [...before, entered.attached])
              return entered
            }),
            ({ attached, leave }) =>
              Effect.sync(() => {
                change(threadId, (before) => before.filter((one) => one !== attached))
                leave()
              })
          )
          Queue.offerUnsafe(queue, { type: "attached" })
          return Stream.fromQueue(queue)
        })
      ),
    answer: (threadId, callId, answer) => {
      const found = threads.get(threadId)?.find(({ open }) => open.has(callId))
      const waiting = found?.open.get(callId)
      if (found === undefined || waiting === undefined) return false
      found.open.delete(callId)
      Deferred.doneUnsafe(
        waiting,
        answer.type === "result" ? Exit.succeed(answer.result) : Exit.fail(new EditorRefused(answer))
      )
      return true
    }
  }
}

/** One for the whole server. */
export const EditorDesk = Context.Reference<EditorDesk>("@signalbox/server/editors/EditorDesk", { defaultValue: make })
