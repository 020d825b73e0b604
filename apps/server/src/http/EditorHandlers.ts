/** Handlers of the calls of editors that have threads open. */
import type { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import { EditorDesk } from "../editors/EditorDesk.ts"
import { Threads } from "../orchestration/Threads.ts"
import * as ThreadFolder from "./ThreadFolder.ts"

type Handlers = Pick<RpcGroup.HandlersFrom<RpcGroup.Rpcs<typeof SignalboxRpc>>, "watchEditorCalls" | "answerEditorCall">

export const make = Effect.gen(function* () {
  const desk = yield* EditorDesk
  const threads = yield* Threads
  return {
    watchEditorCalls: ({ name, offers, threadId }) =>
      Stream.unwrap(Effect.as(ThreadFolder.of(threads, threadId), desk.attach(threadId, name, offers))),
    answerEditorCall: ({ answer, callId, threadId }) =>
      Effect.sync(() => ({ wasOpen: desk.answer(threadId, callId, answer) }))
  } satisfies Handlers
})
