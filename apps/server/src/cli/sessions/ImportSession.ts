/** `signalbox sessions import`: asks the running server for a thread that resumes a session of the agent. */
import { CommandId, ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadCommand } from "@signalbox/contracts/Command"
import type { Problem } from "@signalbox/contracts/Problem"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { ThreadFrame } from "@signalbox/contracts/ThreadFrame"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { oneLine } from "../../base/Plain.ts"
import { failedWith, usage } from "../terminal/Failure.ts"
import { filterOf, gathered, noList } from "./ListSessions.ts"
import * as ServerClient from "../server/ServerClient.ts"
import * as SessionChoice from "./SessionChoice.ts"
import { unlessSignalled } from "../terminal/Signals.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface ImportFlags {
  readonly stateDir: Option.Option<string>
  readonly provider: string
  readonly cwd: Option.Option<string>
  readonly session: string
}

export const importSession = Effect.fn("ImportSession")(function* (flags: ImportFlags) {
  const server = yield* ServerClient.ofRunning(yield* StateFolder.of(flags.stateDir))
  const { client, file } = server
  const inOurWords = ServerClient.inOurWords(server)
  const providerId = ProviderId.make(flags.provider)
  const { abilities, sessions } = yield* gathered(
    client.listAgentSessions({ providerId, filter: filterOf(flags) })
  ).pipe(
    Effect.catchTag("Refused", ({ problem }) => failedWith(problem)),
    inOurWords
  )
  if (abilities?.list !== true) return yield* failedWith(noList(flags.provider))
  const {
    cwd,
    sessionId,
    threadId: held,
    title
  } = yield* SessionChoice.choose(sessions, "sessions import", flags.session)
  if (held !== undefined) {
    return yield* usage("sessions import", `A thread goes on with this session already: ${held}.`)
  }
  const threadId = ThreadId.make(randomUUID())
  const send = (command: ThreadCommand) =>
    client.send({ commandId: CommandId.make(randomUUID()), threadId, command }).pipe(
      Effect.catchTag("CommandRejected", ({ problem }) => failedWith(problem)),
      inOurWords
    )
  const from = { type: "import" as const, sessionId, ...(title !== undefined && { title }) }
  const opening = Effect.gen(function* () {
    yield* send({ type: "thread.create", provider: providerId, cwd, from })
    yield* send({ type: "session.start" })
    const opened = yield* inOurWords(
      client.watchThread({ threadId }).pipe(
        Stream.scan((): ThreadView | undefined => undefined, after),
        Stream.filter((view) => view !== undefined),
        Stream.filter(({ session }) => session.state === "ready" || session.state === "exited"),
        Stream.runHead
      )
    )
    const problem = Option.flatMapNullishOr(opened, problemOf)
    if (Option.isSome(problem)) return yield* failedWith(problem.value)
  })
  // A thread without its session is of no use, and the next attempt makes another one.
  const forgotten = Effect.ignore(Effect.timeout(client.deleteThread({ threadId }), "5 seconds"))
  yield* opening.pipe(
    unlessSignalled,
    Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : forgotten))
  )
  Terminal.out(threadId)
  Terminal.err(`Opened ${oneLine(title || sessionId || "a session without a name", 60)}: ${file.url}`)
}, Effect.scoped)

const after = (view: ThreadView | undefined, frame: ThreadFrame): ThreadView =>
  frame.type === "snapshot" ? frame.view : ThreadProjection.apply(view, frame.events)

/** Why the agent did not open it. */
const problemOf = ({ items, session }: ThreadView): Problem | undefined => {
  if (session.state === "ready") return undefined
  const told = items.findLast(({ type }) => type === "problem")
  return told?.type === "problem" ? told.problem : undefined
}
