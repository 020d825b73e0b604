/** One question to a session of its own: it is opened, asked, heard and closed. Nobody else learns of it. */
import type { Neighbours } from "@signalbox/acp/AcpProxy"
import type { RpcError } from "@signalbox/acp/JsonRpc"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import type { McpProvider } from "@signalbox/acp/McpProvider"
import type { ResearchApproval } from "@signalbox/permission/ResearchPolicy"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Ecosystem } from "../../../ecosystems/ecosystem/Ecosystem.ts"
import * as SourceServer from "./SourceServer.ts"
import * as Checkouts from "./Checkouts.ts"
import * as Conduct from "./Conduct.ts"
import * as Findings from "./Findings.ts"
import * as ResearchPrompt from "./ResearchPrompt.ts"

/** Why there is no answer, as a sentence for a model. What was found before stands behind it. */
export class ResearchFailure extends Schema.TaggedError<ResearchFailure>()("ResearchFailure", {
  message: Schema.String
}) {}

export interface Answer {
  readonly findings: ReadonlyArray<unknown>
  /** Whether the researcher had not ended when its time was over. */
  readonly timedOut: boolean
  /** The id of the researcher's session. */
  readonly session: string
}

/** What holds for every question of a connection. */
export interface Laboratory {
  readonly neighbours: Neighbours
  readonly provider: McpProvider
  readonly ecosystems: ReadonlyArray<Ecosystem>
  readonly approval: ResearchApproval
  /** The time limit of a researcher, in seconds. */
  readonly seconds: number
  /** How long a researcher may go on after its first finding, in seconds. */
  readonly graceSeconds: number
  /** What the agent can do, as it has said at `initialize`. */
  readonly abilities: () => McpOverAcp.JsonObject
  /** Runs something for as long as the connection lives. */
  readonly background: (effect: Effect.Effect<void>) => void
  /** The scope of the connection. */
  readonly scope: Scope.Scope
}

export interface Question extends ResearchPrompt.Question {
  readonly cwd: string
  readonly heard: (step: Findings.Step) => void
  readonly shown: Spectator
}

/** Sees what people are to see of a researcher. */
export interface Spectator {
  /** Hears an update of the researcher's session. */
  readonly hear: (params: unknown) => void
  /** A request of the researcher was answered. */
  readonly decided: () => void
}

/** How long the agent may take to end a turn, and to close a session. */
const closingSeconds = 5

type Ended = { readonly stopReason: string } | { readonly error: RpcError } | "grace" | "timeout"

const withFindings = (message: string, findings: ReadonlyArray<unknown>): ResearchFailure =>
  new ResearchFailure({
    message: findings.length === 0 ? message : `${message} It had found: ${JSON.stringify(findings)}`
  })

const outcome = (
  ended: Ended,
  { lastWords, returned }: Findings.Findings,
  { seconds }: Laboratory,
  session: string
): Effect.Effect<Answer, ResearchFailure> => {
  const findings = [...returned]
  if (ended === "timeout")
    return findings.length > 0
      ? Effect.succeed({ findings, timedOut: true, session })
      : Effect.fail(new ResearchFailure({ message: `The researcher found nothing within ${seconds} seconds.` }))
  if (ended === "grace") return Effect.succeed({ findings, timedOut: false, session })
  if ("error" in ended) return Effect.fail(withFindings(`The researcher failed: ${ended.error.message}.`, findings))
  if (ended.stopReason !== "end_turn")
    return Effect.fail(withFindings(`The researcher ended with ${ended.stopReason}.`, findings))
  if (findings.length > 0) return Effect.succeed({ findings, timedOut: false, session })
  const words = lastWords()
  return Effect.fail(
    new ResearchFailure({
      message: `The researcher finished without findings.${words === "" ? "" : ` Its last words were: ${words}`}`
    })
  )
}

/** Ends what runs in the session, and closes it where the agent knows how. Whatever fails, the session is over for us. */
const close = Effect.fnUntraced(function* (
  { abilities, neighbours: { agent } }: Laboratory,
  sessionId: string,
  turn: Fiber.Fiber<unknown> | undefined
) {
  if (turn !== undefined && turn.pollUnsafe() === undefined) {
    yield* agent.notify("session/cancel", { sessionId })
    yield* Effect.timeoutOption(Fiber.await(turn), `${closingSeconds} seconds`)
    yield* Fiber.interrupt(turn)
  }
  const { sessionCapabilities } = abilities()
  for (const method of ["close", "delete"])
    if (McpOverAcp.isJsonObject(McpOverAcp.objectOf(sessionCapabilities)[method]))
      yield* agent
        .request(`session/${method}`, { sessionId })
        .pipe(Effect.timeoutOption(`${closingSeconds} seconds`), Effect.ignore)
})

/** Closes it in the background: nobody waits for that. */
const closeLater = (laboratory: Laboratory, sessionId: string, turn: Fiber.Fiber<unknown> | undefined): void =>
  laboratory.background(close(laboratory, sessionId, turn))

/** Asks a researcher, and returns what it found. When interrupted, its session is closed in the background. */
export const ask = (
  laboratory: Laboratory,
  { cwd, ecosystem, heard, prompt, shown, source }: Question
): Effect.Effect<Answer, ResearchFailure> =>
  Effect.gen(function* () {
    const { abilities, approval, ecosystems, graceSeconds, neighbours, provider, scope, seconds } = laboratory
    const findings = Findings.make(heard)
    const checkouts = Checkouts.make(cwd)
    checkouts.add(source.path)
    const conduct = { approval, checkouts, ownTools: SourceServer.toolNames }

    const handler = yield* SourceServer.make({ ecosystems, cwd, checkouts, found: findings.add })
    const { declaration, dispose } = provider.register({ name: SourceServer.name, handler })
    yield* Effect.addFinalizer(() => dispose)

    const { sessionCapabilities } = abilities()
    const takesFolders = McpOverAcp.isJsonObject(McpOverAcp.objectOf(sessionCapabilities)["additionalDirectories"])
    /** The turn, once it has begun. */
    let turn: Fiber.Fiber<Ended> | undefined
    const opened = neighbours.ownSessions
      .open(
        { cwd, mcpServers: [declaration], ...(takesFolders && { additionalDirectories: [source.path] }) },
        {
          request: (method, params) =>
            Effect.tap(Conduct.answer(method, params, conduct), () =>
              Effect.sync(() => {
                if (method === "session/request_permission") shown.decided()
              })
            ),
          notification: (_method, params) => {
            findings.hear(params)
            shown.hear(params)
          },
          abandoned: (late) => closeLater(laboratory, late.sessionId, undefined)
        }
      )
      .pipe(
        Effect.mapError(({ message }) => message),
        Effect.timeoutOrElse({
          duration: `${seconds} seconds`,
          orElse: () => Effect.fail(`it did not answer within ${seconds} seconds`)
        })
      )
    const { sessionId } = yield* Effect.uninterruptibleMask((restore) =>
      Effect.tap(restore(opened), (session) =>
        Effect.addFinalizer(() => Effect.sync(() => closeLater(laboratory, session.sessionId, turn)))
      )
    ).pipe(
      Effect.mapError(
        (reason) => new ResearchFailure({ message: `The agent opened no session for the researcher: ${reason}.` })
      )
    )
    turn = yield* neighbours.agent
      .request("session/prompt", { sessionId, prompt: ResearchPrompt.of({ ecosystem, source, prompt }) })
      .pipe(
        Effect.match({
          onSuccess: (result): Ended => ({ stopReason: String(McpOverAcp.objectOf(result)["stopReason"]) }),
          onFailure: (error): Ended => ({ error })
        }),
        Effect.forkIn(scope)
      )
    const grace = Deferred.await(findings.first).pipe(
      Effect.andThen(Effect.sleep(`${graceSeconds} seconds`)),
      Effect.as("grace" as const)
    )
    const timeout = Effect.as(Effect.sleep(`${seconds} seconds`), "timeout" as const)
    const ended: Ended = yield* Effect.raceFirst(Fiber.join(turn), Effect.raceFirst(grace, timeout))
    return yield* outcome(ended, findings, laboratory, sessionId)
  }).pipe(Effect.scoped)
