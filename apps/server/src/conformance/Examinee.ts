/** The examined agent. Many probes share one process; a probe that needs or breaks a process gets a new one. */
import * as Acp from "@signalbox/acp/AcpSchema"
import * as Capabilities from "@signalbox/acp/Capabilities"
import * as Lenient from "@signalbox/acp/Lenient"
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { randomUUID } from "node:crypto"
import * as AgentProcesses from "../provider/agent/AgentProcess.ts"
import { callTimeout } from "../provider/acp/connection/TimeoutProblems.ts"
import { exitProblem } from "../provider/acp/connection/ExitProblems.ts"
import { failureProblem } from "../provider/acp/connection/AgentProblems.ts"
import type { AgentProfile, LaunchInput } from "../provider/acp/profile/AgentProfile.ts"
import type { Launch } from "../provider/agent/Launch.ts"
import { clientInfo } from "../provider/acp/connection/Initialization.ts"
import * as ProblemSecrets from "../provider/acp/connection/ProblemSecrets.ts"
import type { ProcessLedger } from "@signalbox/process/ProcessLedger"
import { ProviderError } from "../base/ProviderError.ts"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as SecretValues from "@signalbox/redaction/SecretValues"
import * as MarkedProcesses from "@signalbox/process/MarkedProcesses"
import { least, type Limits, paced } from "./Limits.ts"
import { type Json, listIn } from "./Messages.ts"
import { opened } from "./Opening.ts"
import { type Connected, type Greeted, type OpenSession, sessionOf } from "./OpenSession.ts"
import { markOf } from "./ProbeMark.ts"
import * as ProcessEnd from "./ProcessEnd.ts"
import * as ToolTurn from "./ToolTurn.ts"
import * as Turn from "./Turn.ts"
import * as Wire from "./Wire.ts"

/** Variables that are added to the environment of a process. */
export type Extra = Readonly<Record<string, string>>

export interface Examinee {
  readonly launch: Launch
  /** The secrets that are hidden in reports. */
  readonly secrets: Secrets.Secrets
  /** The absolute folder that the agent works in. */
  readonly folder: string
  /** Whether probes may send prompts to the agent's model. */
  readonly model: boolean
  /** The time limits. They adapt to the agent after its first `initialize`. */
  readonly limits: () => Limits
  /** The parameters of `initialize` for this protocol version. */
  readonly introduction: (protocolVersion: number) => Json
  /** A new process that nothing has been sent to. */
  readonly fresh: Effect.Effect<Connected, ProviderError, Scope.Scope>
  /** A new process that has answered `initialize`. */
  readonly another: (env?: Extra) => Effect.Effect<Greeted, ProviderError, Scope.Scope>
  /** The shared process; a new one if the shared process has ended. */
  readonly agent: Effect.Effect<Greeted, ProviderError>
  /** The session of the shared process; none if the agent opens none. */
  readonly session: Effect.Effect<Option.Option<OpenSession>, ProviderError>
  /** A further session of the shared process, which may be used up. */
  readonly spare: Effect.Effect<Option.Option<OpenSession>, ProviderError>
  /** One turn with a small prompt, taken once for all probes; none if the agent opens no session. */
  readonly turn: Effect.Effect<Option.Option<Turn.Turn>, ProviderError>
  /** One turn that needs a tool, taken once for all probes; none if the agent opens no session. */
  readonly toolTurn: Effect.Effect<Option.Option<ToolTurn.ToolTurn>, ProviderError>
  /** Ends the shared process. The next probe gets a new one. */
  readonly renew: Effect.Effect<void>
  /** Asks the agent to delete the sessions that probes made, if it claims that it can. */
  readonly tidy: Effect.Effect<void, ProviderError>
  /** The conversations with all of its processes. */
  readonly wires: () => ReadonlyArray<Wire.Wire>
  /** How its processes have ended, so far. */
  readonly ends: () => ReadonlyArray<ProcessEnd.ProcessEnd>
}

export interface Options {
  readonly input: LaunchInput
  readonly profile: AgentProfile
  readonly ledger: ProcessLedger["Service"]
  readonly model: boolean
  readonly limits?: Partial<Limits> | undefined
}

/** Methods that make a session. */
const openers: ReadonlySet<string> = new Set(["session/new", "session/fork"])

const readHello = Lenient.reader(Acp.InitializeResponse)

/** Makes an examinee. Closing the scope ends all of its processes, and processes that they left behind. */
export const make = Effect.fnUntraced(function* (options: Options) {
  const { input, ledger, limits: wished, model, profile: anonymous } = options
  const floor: Limits = { ...least, ...wished }
  const profile = { ...anonymous, name: input.provider.name }
  const found = yield* profile.launch(input)
  const mark = markOf(randomUUID())
  const launch: Launch = { ...found, env: { ...found.env, [mark.name]: mark.value } }
  // Runs last. By then all processes have ended, but not those that left their groups.
  const secrets = Secrets.of({ ...process.env, ...launch.env }, SecretValues.ofArguments(launch.args))
  yield* Effect.addFinalizer(() => Effect.sync(() => MarkedProcesses.end(mark.text)))
  const scope = yield* Effect.scope
  const folder = input.cwd
  let startMs = 0
  const limits = () => paced(floor, startMs)

  const introduction: Examinee["introduction"] = (protocolVersion) => ({
    protocolVersion,
    clientInfo,
    clientCapabilities: {
      session: { configOptions: { boolean: {} } },
      ...(Object.keys(profile.clientMeta).length > 0 && { _meta: profile.clientMeta })
    }
  })

  /** All sessions that the agent has opened. */
  const made = new Set<string>()
  const noting = (wire: Wire.Wire): Wire.Wire => ({
    ...wire,
    ask: (method, params, within) =>
      Effect.tap(wire.ask(method, params, within), (answer) =>
        Effect.sync(() => {
          const id = answer.type === "result" ? answer.result["sessionId"] : undefined
          if (typeof id === "string" && openers.has(method)) made.add(id)
        })
      )
  })

  const wires: Array<Wire.Wire> = []
  const ends: Array<ProcessEnd.ProcessEnd> = []
  const connected = Effect.fnUntraced(function* (env: Extra = {}) {
    const own: Launch = { ...launch, env: { ...launch.env, ...env } }
    // `ProcessEnd` closes the input itself and waits, so that it knows which step ended the process.
    const stopGrace = { ...ProcessEnd.grace, closeInput: 0 }
    const process = yield* AgentProcesses.start({ ledger, launch: own, cwd: folder, stopGrace, secrets })
    const wire = noting(yield* Wire.make(process.transport, () => limits().answer))
    wires.push(wire)
    const end = yield* Effect.cached(
      Effect.tap(ProcessEnd.end(process, wire), (ended) => Effect.sync(() => ends.push(ended)))
    )
    yield* Effect.addFinalizer(() => end)
    return { process, wire, end } satisfies Connected
  })

  /** Why `initialize` failed, in the words of an ordinary start. */
  const notGreeted = Effect.fnUntraced(function* ({ process }: Connected, answer: Wire.Answer) {
    if (answer.type === "gone") return new ProviderError({ problem: exitProblem(profile, yield* process.exited) })
    if (answer.type === "error") {
      return new ProviderError({ problem: failureProblem(profile, "initialize", new RpcError(answer)) })
    }
    return callTimeout(profile, "initialize", Duration.toSeconds(limits().initialize), {
      ...process.stderr(),
      stray: []
    })
  })

  const another: Examinee["another"] = Effect.fnUntraced(function* (env) {
    const one = yield* connected(env)
    const { wire } = one
    const [took, answer] = yield* Effect.timed(wire.ask("initialize", introduction(1), limits().initialize))
    if (answer.type !== "result") {
      return yield* ProblemSecrets.withoutError(secrets, yield* notGreeted(one, answer))
    }
    const helloMs = Math.round(Duration.toMillis(took))
    startMs ||= helloMs
    const methods = listIn(answer.result, "authMethods").flatMap(({ id }) => (typeof id === "string" ? [id] : []))
    const login = profile.authenticate(methods, launch)
    if (login !== undefined) yield* wire.ask("authenticate", { methodId: login.methodId }, login.timeout)
    const read = readHello(answer.result)
    return {
      ...one,
      hello: answer.result,
      claims: (Result.isSuccess(read) ? read.success.value.agentCapabilities : undefined) ?? {},
      helloMs,
      opening: yield* Effect.cached(opened(wire, folder, limits().session))
    }
  })

  let shared: { readonly scope: Scope.Closeable; readonly agent: Greeted } | undefined
  const renew = Effect.suspend(() => {
    const old = shared
    shared = undefined
    return old === undefined ? Effect.void : Scope.close(old.scope, Exit.void)
  })
  // Probes that run side by side must get the same process.
  const oneByOne = Semaphore.withPermit(yield* Semaphore.make(1))
  const agent: Examinee["agent"] = Effect.gen(function* () {
    if (shared !== undefined && shared.agent.process.pipes() === "open") return shared.agent
    yield* renew
    const own = yield* Scope.fork(scope)
    const greeted = yield* Scope.provide(another(), own).pipe(Effect.onError(() => Scope.close(own, Exit.void)))
    shared = { scope: own, agent: greeted }
    return greeted
  }).pipe(oneByOne)
  const session: Examinee["session"] = Effect.gen(function* () {
    const one = yield* agent
    return sessionOf(one, (yield* one.opening).answer)
  })

  const spare: Examinee["spare"] = Effect.gen(function* () {
    // An agent that opened no first session isn't asked for another.
    if (Option.isNone(yield* session)) return Option.none()
    const one = yield* agent
    return sessionOf(one, (yield* opened(one.wire, folder, limits().session)).answer)
  })
  const turn: Examinee["turn"] = yield* Effect.cached(
    Effect.gen(function* () {
      const one = yield* another()
      const session = sessionOf(one, (yield* one.opening).answer)
      if (Option.isNone(session)) return Option.none()
      const taken = yield* Turn.take(session.value, limits().exitAfterPrompt)
      return Option.some<Turn.Turn>({ ...taken, end: yield* one.end })
    }).pipe(Effect.scoped)
  )
  const toolTurn: Examinee["toolTurn"] = yield* Effect.cached(
    Effect.flatMap(
      spare,
      Option.match({
        onNone: () => Effect.succeedNone,
        onSome: (session) => Effect.asSome(ToolTurn.take(session, folder))
      })
    )
  )
  const tidy: Examinee["tidy"] = Effect.gen(function* () {
    if (made.size === 0) return
    const { claims, wire } = yield* agent
    if (Capabilities.missingForMethod(claims, "session/delete") !== undefined) return
    for (const sessionId of made) yield* wire.ask("session/delete", { sessionId }, "3 seconds")
  })

  return {
    launch,
    secrets,
    folder,
    model,
    limits,
    introduction,
    fresh: connected(),
    another,
    agent,
    session,
    spare,
    turn,
    toolTurn,
    renew,
    tidy,
    wires: () => wires,
    ends: () => ends
  } satisfies Examinee
})
