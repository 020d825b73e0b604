/** An agent that is looked over: a process that many probes share, and new ones for those that need or break one. */
import * as Acp from "@signalbox/acp/AcpSchema"
import * as Capabilities from "@signalbox/acp/Capabilities"
import * as Lenient from "@signalbox/acp/Lenient"
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import type { AgentProcess } from "../provider/acp/AgentProcess.ts"
import * as AgentProcesses from "../provider/acp/AgentProcess.ts"
import { callTimeout, exitProblem, failureProblem } from "../provider/acp/AgentProblems.ts"
import type { AgentProfile, Launch, LaunchInput, StopGrace } from "../provider/acp/AgentProfile.ts"
import { clientInfo } from "../provider/acp/Initialization.ts"
import * as ProblemSecrets from "../provider/acp/ProblemSecrets.ts"
import type { ProcessLedger } from "../provider/Services/ProcessLedger.ts"
import { ProviderError } from "../provider/Services/ProviderError.ts"
import * as Secrets from "../tape/Secrets.ts"
import * as MarkedProcesses from "../provider/acp/MarkedProcesses.ts"
import { markOf } from "./ProbeMark.ts"
import * as Wire from "./Wire.ts"

export type Json = Readonly<Record<string, unknown>>

export interface Connected {
  readonly wire: Wire.Wire
  readonly process: AgentProcess
}

/** What was answered to `session/new`, and when: `asked` lines had come before it was sent. */
export interface Opening {
  readonly answer: Wire.Answer
  readonly asked: number
  readonly durationMs: number
  /** What it said at the first attempt, where it took two. */
  readonly before?: Wire.Answer
}

/** A process that has been told hello. */
export interface Greeted extends Connected {
  /** Its answer to `initialize`. */
  readonly hello: Json
  /** What it claims there, as clients read it. */
  readonly claims: Acp.AgentCapabilities
  readonly helloMs: number
  /** A session of this process, made when somebody first wants one. */
  readonly opening: Effect.Effect<Opening>
}

export interface OpenSession {
  readonly agent: Greeted
  readonly sessionId: string
  readonly result: Json
}

/** A tiny prompt and what came of it. `lines` are all since it was sent, `firstMs` the time to the first piece of an answer. */
export interface Turn {
  readonly session: OpenSession
  readonly answer: Wire.Answer
  readonly lines: ReadonlyArray<Wire.Line>
  readonly firstMs: number | undefined
}

/** How a process is started that is not to be as others are. */
export interface Manner {
  readonly stopGrace?: StopGrace
  readonly env?: Readonly<Record<string, string>>
}

export interface Examinee {
  readonly launch: Launch
  /** What reports about it are written without. */
  readonly secrets: Secrets.Secrets
  /** Absolute: where it works. */
  readonly folder: string
  readonly limits: Limits
  /** What `initialize` is sent, of this version. */
  readonly introduction: (protocolVersion: number) => Json
  /** A process of one's own that has been told nothing. */
  readonly fresh: Effect.Effect<Connected, ProviderError, Scope.Scope>
  /** A process of one's own. */
  readonly another: (manner?: Manner) => Effect.Effect<Greeted, ProviderError, Scope.Scope>
  /** The process that probes share; another one if that has ended. */
  readonly agent: Effect.Effect<Greeted, ProviderError>
  /** Its session; none where it opens none. */
  readonly session: Effect.Effect<Option.Option<OpenSession>, ProviderError>
  /** One more session of it, to be used up. */
  readonly spare: Effect.Effect<Option.Option<OpenSession>, ProviderError>
  /** What it does with a prompt, asked once; none where it opens no session. */
  readonly turn: Effect.Effect<Option.Option<Turn>, ProviderError>
  /** Whoever comes next meets a new process. */
  readonly renew: Effect.Effect<void>
  /** Has it delete the sessions that were made, where it says that it can. */
  readonly tidy: Effect.Effect<void, ProviderError>
}

export interface Options {
  readonly input: LaunchInput
  readonly profile: AgentProfile
  readonly ledger: ProcessLedger["Service"]
  readonly limits?: Partial<Limits> | undefined
}

/** How long may be waited for what an agent says or does. */
export interface Limits {
  readonly initialize: Duration.Input
  /** To `session/new`. */
  readonly session: Duration.Input
  /** To `session/new` before `initialize`. */
  readonly tooEarly: Duration.Input
  /** The commands of a session, which an agent may tell or not. */
  readonly commands: Duration.Input
  /** Its end, when its input ends after a prompt. */
  readonly exitAfterPrompt: Duration.Input
  /** To anything for which a probe names no time of its own. */
  readonly answer: Duration.Input
}

const defaultLimits: Limits = {
  initialize: "30 seconds",
  session: "30 seconds",
  tooEarly: "5 seconds",
  commands: "2 seconds",
  exitAfterPrompt: "5 seconds",
  answer: "10 seconds"
}
const promptLimit = Duration.minutes(2)
const politely: StopGrace = { closeInput: "1 second", terminate: "2 seconds" }

/** Methods that make a session. */
const openers: ReadonlySet<string> = new Set(["session/new", "session/fork"])

const readHello = Lenient.reader(Acp.InitializeResponse)

/** Closing the scope ends all of its processes, and what they have left behind. */
export const make = Effect.fnUntraced(function* ({ input, ledger, limits: wished, profile: anonymous }: Options) {
  const limits: Limits = { ...defaultLimits, ...wished }
  const profile = { ...anonymous, name: input.provider.name }
  const found = yield* profile.launch(input)
  const mark = markOf(randomUUID())
  const launch: Launch = { ...found, env: { ...found.env, [mark.name]: mark.value } }
  // Runs last: all processes have been ended by then, and what they have left outside of their groups has not.
  const secrets = Secrets.of({ ...process.env, ...launch.env })
  yield* Effect.addFinalizer(() => Effect.sync(() => MarkedProcesses.end(mark.text)))
  const scope = yield* Effect.scope
  const folder = input.cwd

  const introduction: Examinee["introduction"] = (protocolVersion) => ({
    protocolVersion,
    clientInfo,
    clientCapabilities: {
      session: { configOptions: { boolean: {} } },
      ...(Object.keys(profile.clientMeta).length > 0 && { _meta: profile.clientMeta })
    }
  })

  /** All sessions that it was seen to open. */
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

  const connected = Effect.fnUntraced(function* ({ env, stopGrace = politely }: Manner = {}) {
    const own: Launch = env === undefined ? launch : { ...launch, env: { ...launch.env, ...env } }
    const process = yield* AgentProcesses.start({ ledger, launch: own, cwd: folder, stopGrace, secrets })
    yield* Effect.addFinalizer(() => process.stop)
    return { process, wire: noting(yield* Wire.make(process.transport, limits.answer)) }
  })

  /** Why it could not be greeted, in the words that a start would have. */
  const notGreeted = Effect.fnUntraced(function* ({ process }: Connected, answer: Wire.Answer) {
    if (answer.type === "gone") return new ProviderError({ problem: exitProblem(profile, yield* process.exited) })
    if (answer.type === "error") {
      return new ProviderError({ problem: failureProblem(profile, "initialize", new RpcError(answer)) })
    }
    return callTimeout(profile, "initialize", Duration.toSeconds(Duration.fromInputUnsafe(limits.initialize)), {
      ...process.stderr(),
      stray: []
    })
  })

  const another: Examinee["another"] = Effect.fnUntraced(function* (manner) {
    const one = yield* connected(manner)
    const { wire } = one
    const [took, answer] = yield* Effect.timed(wire.ask("initialize", introduction(1), limits.initialize))
    if (answer.type !== "result") {
      return yield* ProblemSecrets.withoutError(secrets, yield* notGreeted(one, answer))
    }
    const methods = listIn(answer.result, "authMethods").flatMap(({ id }) => (typeof id === "string" ? [id] : []))
    const login = profile.authenticate(methods, launch)
    if (login !== undefined) yield* wire.ask("authenticate", { methodId: login.methodId }, login.timeout)
    const read = readHello(answer.result)
    return {
      ...one,
      hello: answer.result,
      claims: (Result.isSuccess(read) ? read.success.value.agentCapabilities : undefined) ?? {},
      helloMs: Math.round(Duration.toMillis(took)),
      opening: yield* Effect.cached(opened(wire, folder, limits.session))
    }
  })

  let shared: { readonly scope: Scope.Closeable; readonly agent: Greeted } | undefined
  const renew = Effect.suspend(() => {
    const old = shared
    shared = undefined
    return old === undefined ? Effect.void : Scope.close(old.scope, Exit.void)
  })
  const agent: Examinee["agent"] = Effect.gen(function* () {
    if (shared !== undefined && shared.agent.process.pipes() === "open") return shared.agent
    yield* renew
    const own = yield* Scope.fork(scope)
    const greeted = yield* Scope.provide(another(), own).pipe(Effect.onError(() => Scope.close(own, Exit.void)))
    shared = { scope: own, agent: greeted }
    return greeted
  })
  const session: Examinee["session"] = Effect.gen(function* () {
    const one = yield* agent
    return sessionOf(one, (yield* one.opening).answer)
  })

  const spare: Examinee["spare"] = Effect.gen(function* () {
    // Where it has opened none, nobody waits for another.
    if (Option.isNone(yield* session)) return Option.none()
    const one = yield* agent
    return sessionOf(one, (yield* opened(one.wire, folder, limits.session)).answer)
  })
  const turn: Examinee["turn"] = yield* Effect.cached(
    Effect.flatMap(
      spare,
      Option.match({ onNone: () => Effect.succeedNone, onSome: (session) => Effect.asSome(prompted(session)) })
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
    limits,
    introduction,
    fresh: connected(),
    another,
    agent,
    session,
    spare,
    turn,
    renew,
    tidy
  } satisfies Examinee
})

/** As little as a model can be asked for. */
const prompted = Effect.fnUntraced(function* (session: OpenSession) {
  const { wire } = session.agent
  const since = wire.lines().length
  const began = yield* Clock.currentTimeMillis
  const answer = yield* wire.ask("session/prompt", promptOf(session, "Reply with the single word: ready"), promptLimit)
  // What comes behind the answer belongs to it too.
  yield* wire.next(() => false, "500 millis")
  const lines = wire.lines().slice(since)
  const first = lines.find((line) => updateIn(line, session.sessionId)?.["sessionUpdate"] === "agent_message_chunk")
  return { session, answer, lines, firstMs: first === undefined ? undefined : first.at - began }
})

export const promptOf = ({ sessionId }: OpenSession, text: string): Json => ({
  sessionId,
  prompt: [{ type: "text", text }]
})

/** The update of this session that a line is; undefined for any other line. */
export const updateIn = ({ message }: Wire.Line, sessionId: string): Json | undefined => {
  if (!Predicate.isObject(message) || message["method"] !== "session/update") return undefined
  const params = objectIn(message, "params")
  return params["sessionId"] === sessionId ? objectIn(params, "update") : undefined
}

/** Some agents refuse the first session of a process and open the second. */
const opened = Effect.fnUntraced(function* (wire: Wire.Wire, cwd: string, limit: Duration.Input) {
  const attempt = Effect.gen(function* () {
    const asked = wire.lines().length
    const began = yield* Clock.currentTimeMillis
    const answer = yield* wire.ask("session/new", { cwd, mcpServers: [] }, limit)
    return { answer, asked, durationMs: (yield* Clock.currentTimeMillis) - began }
  })
  const first = yield* attempt
  if (first.answer.type !== "error" || first.answer.code !== -32603) return first
  return { ...(yield* attempt), before: first.answer }
})

export const sessionOf = (agent: Greeted, answer: Wire.Answer): Option.Option<OpenSession> => {
  const sessionId = answer.type === "result" ? answer.result["sessionId"] : undefined
  return answer.type === "result" && typeof sessionId === "string"
    ? Option.some({ agent, sessionId, result: answer.result })
    : Option.none()
}

export const updatesIn = (lines: ReadonlyArray<Wire.Line>, sessionId: string): ReadonlyArray<Json> =>
  lines.flatMap((line): ReadonlyArray<Json> => {
    const update = updateIn(line, sessionId)
    return update === undefined ? [] : [update]
  })

/** The object under a key; an empty one where there is none. */
export const objectIn = (value: Json, key: string): Json => {
  const member = value[key]
  return Predicate.isObject(member) ? member : {}
}

/** The objects of the list under a key; none where there is no list. */
export const listIn = (value: Json, key: string): ReadonlyArray<Json> => {
  const member = value[key]
  return Array.isArray(member) ? member.filter(Predicate.isObject) : []
}
