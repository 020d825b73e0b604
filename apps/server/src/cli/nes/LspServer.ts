/** A language server for suggestions on two byte streams: its beginning and its end, and what is between them. */
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { Bytes } from "@signalbox/lsp/FramedTransport"
import * as LspPeer from "@signalbox/lsp/LspPeer"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { SuggestionDesk } from "../../editing/SuggestionDesk.ts"
import type { SuggestionPlace } from "../../editing/SuggestionPlace.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import * as Terminal from "../terminal/Terminal.ts"
import { oneLine } from "../../base/Plain.ts"
import * as LspClient from "./LspClient.ts"
import * as LspNotices from "./LspNotices.ts"
import * as Params from "./LspParams.ts"
import * as LspSession from "./LspSession.ts"

export interface Options {
  /** Opens the desk for the folders of the editor, and for what it can show. */
  readonly desk: (
    place: Pick<Required<SuggestionPlace>, "kinds" | "roots">
  ) => Effect.Effect<SuggestionDesk, never, Scope.Scope>
  /** The folder that this process was started in. */
  readonly cwd: string
}

type State =
  | { readonly type: "new" }
  | { readonly type: "running"; readonly session: LspSession.LspSession }
  | { readonly type: "over" }

const notInitialized = new RpcError({ code: -32002, message: "The first request is initialize" })
const invalid = (message: string) => new RpcError({ code: -32600, message })

const readInitialize = Params.reader(Params.Initialize)

/** Says whenever it begins or ends that it is recorded what people edit. */
const recordingTold = ({ states }: SuggestionDesk, { tell }: LspNotices.LspNotices) =>
  states.pipe(
    Stream.map(({ recording }) => recording),
    Stream.changes,
    Stream.dropWhile((path) => path === undefined),
    Stream.runForEach((path) =>
      tell(path === undefined ? "What you edit is not recorded any more." : `What you edit is recorded in ${path}`)
    )
  )

/** Says that the agent has failed, also between two questions. */
const failuresTold = ({ states }: SuggestionDesk, { problem }: LspNotices.LspNotices) =>
  states.pipe(Stream.runForEach(({ doing }) => (doing.type === "failed" ? problem(doing) : Effect.void)))

/** Completes with the exit code when the editor has left. What is open then ends with the scope. */
export const run = Effect.fn("LspServer.run")(function* <E>(
  bytes: Bytes<E>,
  { cwd, desk }: Options
): Effect.fn.Return<number, never, Scope.Scope> {
  const exited = yield* Deferred.make<number>()
  const later = yield* FiberSet.makeRuntime()
  const work = yield* Scope.fork(yield* Effect.scope)
  let state: State = { type: "new" }
  const session = () => (state.type === "running" ? state.session : undefined)

  /** Refuses what does not fit the state of the conversation. */
  const refuse = (method: string): RpcError | undefined => {
    if (state.type === "over") return invalid("The server has shut down")
    if (method === "initialize") return state.type === "running" ? invalid("initialize comes once") : undefined
    return state.type === "new" ? notInitialized : undefined
  }

  const initialize = (peer: Pick<LspPeer.LspPeer, "call" | "notify">) =>
    Effect.fnUntraced(function* (params: unknown) {
      const client = LspClient.of(yield* readInitialize(params), cwd)
      const own = yield* Scope.provide(desk({ roots: client.roots, kinds: LspClient.kindsOf(client) }), work)
      const notices = LspNotices.make(peer)
      state = {
        type: "running",
        session: LspSession.make({ client, peer, desk: own, notices, later: (effect) => void later(effect) })
      }
      yield* Effect.forkIn(recordingTold(own, notices), work)
      yield* Effect.forkIn(failuresTold(own, notices), work)
      return LspClient.answerTo(client)
    })

  /** Ends what is open, and the agent, before it is answered. */
  const shutdown = Effect.suspend(() => {
    state = { type: "over" }
    return Effect.as(Scope.close(work, Exit.void), null)
  })

  const peer = yield* LspPeer.make(bytes, (raw) => ({
    requests: {
      get: (method) => {
        if (method === "initialize") return initialize(raw)
        if (method === "shutdown") return () => shutdown
        return session()?.requests.get(method)
      }
    },
    notifications: {
      get: (method) => {
        if (method !== "exit") return session()?.notifications.get(method)
        return () =>
          Effect.asVoid(Deferred.succeed(exited, state.type === "over" ? ExitCode.completed : ExitCode.failed))
      }
    },
    refuse
  }))

  const left = Effect.map(peer.closed, ({ message, reason }) => {
    if (reason !== "InputEnded") Terminal.err({ style: "error", text: `signalbox nes lsp: ${oneLine(message, 1000)}` })
    return state.type === "over" && reason === "InputEnded" ? ExitCode.completed : ExitCode.failed
  })
  return yield* Effect.raceFirst(Deferred.await(exited), left)
})
