/** The processes of an examined agent: how they are started and greeted, what was said to them, and how they ended. */
import * as Acp from "@signalbox/acp/AcpSchema"
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as Lenient from "@signalbox/acp/Lenient"
import type { Offer } from "@signalbox/acp/NesSchema"
import type { ProcessLedger } from "@signalbox/process/ProcessLedger"
import type * as Secrets from "@signalbox/redaction/Secrets"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { ProviderError } from "../base/ProviderError.ts"
import { failureProblem } from "../provider/acp/connection/AgentProblems.ts"
import { exitProblem } from "../provider/acp/connection/ExitProblems.ts"
import { clientInfo } from "../provider/acp/connection/Initialization.ts"
import * as ProblemSecrets from "../provider/acp/connection/ProblemSecrets.ts"
import { callTimeout } from "../provider/acp/connection/TimeoutProblems.ts"
import type { AgentProfile } from "../provider/acp/profile/AgentProfile.ts"
import * as AgentProcesses from "../provider/agent/AgentProcess.ts"
import type { Sandbox } from "../sandbox/Sandbox.ts"
import type { Launch } from "../provider/agent/Launch.ts"
import { type Limits, paced } from "./Limits.ts"
import type { MadeSessions } from "./MadeSessions.ts"
import { type Json, listIn } from "./Messages.ts"
import { opened } from "./Opening.ts"
import type { Connected, Greeted } from "./OpenSession.ts"
import * as ProcessEnd from "./ProcessEnd.ts"
import * as SuggestionOffer from "./SuggestionOffer.ts"
import * as SuggestionStart from "./SuggestionStart.ts"
import * as Wire from "./Wire.ts"

/** Variables that are added to the environment of a process. */
export type Extra = Readonly<Record<string, string>>

export interface Processes {
  /** The absolute folder that the agent works in. */
  readonly folder: string
  /** The time limits. They adapt to the agent after its first `initialize`. */
  readonly limits: () => Limits
  /** The parameters of `initialize` for this protocol version. By default they offer all of suggestions. */
  readonly introduction: (protocolVersion: number, suggestions?: Partial<Offer>) => Json
  /** A new process that nothing has been sent to. */
  readonly fresh: Effect.Effect<Connected, ProviderError, Scope.Scope>
  /** A new process that has answered `initialize`. */
  readonly another: (env?: Extra, suggestions?: Offer) => Effect.Effect<Greeted, ProviderError, Scope.Scope>
  /** The conversations with all of its processes. */
  readonly wires: () => ReadonlyArray<Wire.Wire>
  /** How its processes have ended, so far. */
  readonly ends: () => ReadonlyArray<ProcessEnd.ProcessEnd>
}

interface Options {
  readonly launch: Launch
  readonly sandbox: Sandbox
  readonly profile: AgentProfile
  readonly ledger: ProcessLedger["Service"]
  readonly secrets: Secrets.Secrets
  /** The absolute folder that the agent works in. */
  readonly folder: string
  /** The least limits. */
  readonly floor: Limits
  readonly sessions: Pick<MadeSessions, "noting">
}

const readHello = Lenient.reader(Acp.InitializeResponse)

export const make = ({ floor, folder, launch, ledger, profile, sandbox, secrets, sessions }: Options): Processes => {
  const wires: Array<Wire.Wire> = []
  const ends: Array<ProcessEnd.ProcessEnd> = []
  let startMs = 0
  const limits = () => paced(floor, startMs)

  const introduction: Processes["introduction"] = (protocolVersion, suggestions = SuggestionOffer.everything) => ({
    protocolVersion,
    clientInfo,
    clientCapabilities: {
      session: { configOptions: { boolean: {} } },
      ...suggestions,
      ...(Object.keys(profile.clientMeta).length > 0 && { _meta: profile.clientMeta })
    }
  })

  const connected = Effect.fnUntraced(function* (env: Extra = {}) {
    const own: Launch = { ...launch, env: { ...launch.env, ...env } }
    // `ProcessEnd` closes the input itself and waits, so that it knows which step ended the process.
    const stopGrace = { ...ProcessEnd.grace, closeInput: 0 }
    const process = yield* AgentProcesses.start({ ledger, launch: own, sandbox, cwd: folder, stopGrace, secrets })
    const wire = sessions.noting(yield* Wire.make(process.transport, () => limits().answer))
    wires.push(wire)
    const end = yield* Effect.cached(
      Effect.tap(ProcessEnd.end(process, wire), (ended) => Effect.sync(() => ends.push(ended)))
    )
    yield* Effect.addFinalizer(() => end)
    return { process, wire, end } satisfies Connected
  })

  const another: Processes["another"] = Effect.fnUntraced(function* (env, suggestions) {
    const one = yield* connected(env)
    const { wire } = one
    const { initialize } = limits()
    const [took, answer] = yield* Effect.timed(wire.ask("initialize", introduction(1, suggestions), initialize))
    if (answer.type !== "result") {
      const waitedSeconds = Duration.toSeconds(initialize)
      return yield* ProblemSecrets.withoutError(secrets, yield* notGreeted(profile, one, answer, waitedSeconds))
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
      opening: yield* Effect.cached(opened(wire, folder, limits().session)),
      nes: SuggestionOffer.claimIn(answer.result),
      suggesting: yield* Effect.cached(SuggestionStart.opened(wire, folder, limits().session))
    }
  })

  return { folder, limits, introduction, fresh: connected(), another, wires: () => wires, ends: () => ends }
}

/** Why `initialize` failed, in the words of an ordinary start. */
const notGreeted = Effect.fnUntraced(function* (
  profile: AgentProfile,
  { process }: Connected,
  answer: Exclude<Wire.Answer, { readonly type: "result" }>,
  waitedSeconds: number
) {
  if (answer.type === "gone") return new ProviderError({ problem: exitProblem(profile, yield* process.exited) })
  if (answer.type === "error") {
    return new ProviderError({ problem: failureProblem(profile, "initialize", new RpcError(answer)) })
  }
  return callTimeout(profile, "initialize", waitedSeconds, { ...process.stderr(), stray: [] })
})
