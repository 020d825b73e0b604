/**
 * A connection to an agent without a thread: for the agent's own sessions, for signing in, and for suggestions. It is
 * taped only if the caller asks for that: a visit may handle accounts and keys.
 */
import * as AcpClient from "@signalbox/acp/AcpClient"
import type { Issue } from "@signalbox/acp/AcpClient"
import type { RequestFailure } from "@signalbox/acp/AcpError"
import type { ElicitationHandlers } from "@signalbox/acp/ClientHandlers"
import type { InitializeResponse } from "@signalbox/acp/AcpSchema"
import type { Offer } from "@signalbox/acp/NesSchema"
import { ConnectionClosed } from "@signalbox/acp/JsonRpc"
import type { ProviderId } from "@signalbox/contracts/Provider"
import type { Problem } from "@signalbox/contracts/Problem"
import { membersOf } from "@signalbox/contracts/Sandbox"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { ProcessLedger } from "@signalbox/process/ProcessLedger"
import { ProviderError } from "../../../base/ProviderError.ts"
import { callTimeout } from "../connection/TimeoutProblems.ts"
import { exitProblem } from "../connection/ExitProblems.ts"
import { failureProblem } from "../connection/AgentProblems.ts"
import * as AgentName from "../profile/AgentName.ts"
import * as AgentProcess from "../../agent/AgentProcess.ts"
import * as AgentSandbox from "../../agent/AgentSandbox.ts"
import type { AgentProfile, LaunchInput } from "../profile/AgentProfile.ts"
import type { Launch } from "../../agent/Launch.ts"
import * as Dialects from "../connection/Dialects.ts"
import * as Initialization from "../connection/Initialization.ts"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as SecretValues from "@signalbox/redaction/SecretValues"
import * as Issues from "../connection/Issues.ts"
import * as ProblemSecrets from "../connection/ProblemSecrets.ts"
import { codeOf } from "../../agent/AgentExit.ts"
import { exitOf } from "../../agent/RunningAgent.ts"
import type { Timing } from "../profile/SessionTiming.ts"
import { offerOf } from "../connection/SignInMethods.ts"
import * as StartWatch from "../connection/StartWatch.ts"
import type { SessionTape } from "../../../tape/Tape.ts"

export interface Dependencies {
  readonly profile: AgentProfile
  readonly ledger: ProcessLedger["Service"]
  readonly timing: Timing
  /** Whether people can use a terminal to sign in. */
  readonly terminalSignIn: boolean
  /** The folders of Signalbox itself. */
  readonly ownFolders: ReadonlyArray<string>
}

/** Receives output outside of the protocol, line by line. */
export interface Listener {
  readonly onText?: (line: string) => void
  /** Handles the agent's requests to people. If undefined, the agent learns that nobody can be asked. */
  readonly elicitation?: ElicitationHandlers<never>
  /** The kinds of next edit suggestions that can be shown. Undefined if none are asked for. */
  readonly suggestions?: Offer
  /** Takes what the agent reports about its sessions. */
  readonly onUpdates?: AcpClient.Handlers["onUpdates"]
  /** Opens the record of the wire, for a visit that handles no account. */
  readonly tape?: (launch: Launch) => Effect.Effect<SessionTape, never, Scope.Scope>
}

export interface AgentVisit {
  readonly provider: ProviderId
  /** The profile with this agent's sign-in methods. */
  readonly profile: AgentProfile
  readonly launch: Launch
  readonly isSandboxed: boolean
  readonly agent: InitializeResponse
  readonly client: AcpClient.AcpClient
  /** Makes a call. Fails with a problem for people, and always ends after `limit`. */
  readonly ask: <A>(
    method: string,
    call: Effect.Effect<A, RequestFailure>,
    limit?: Duration.Input
  ) => Effect.Effect<A, ProviderError>
  /** Completes when the connection is closed. */
  readonly closed: Effect.Effect<unknown>
  /** Why the agent has gone. Completes when it has. */
  readonly ended: Effect.Effect<Problem>
}

/** The usual limit of a call, which may make an agent look something up. */
const defaultLimit: Duration.Input = "30 seconds"

/** Starts the agent and makes the handshake. Closing the scope ends it, politely first. */
export const start = Effect.fn("AgentVisit.start")(function* (
  input: LaunchInput,
  dependencies: Dependencies,
  listener: Listener = {}
): Effect.fn.Return<AgentVisit, ProviderError, Scope.Scope> {
  const named = AgentName.profileOf(dependencies.profile, input.provider)
  return yield* StartWatch.watched(named.profile, undefined, dependencies.timing, (watch) =>
    begun(input, named, dependencies, listener, watch)
  )
})

const begun = Effect.fnUntraced(function* (
  input: LaunchInput,
  { introduce, profile: anonymous }: ReturnType<typeof AgentName.profileOf>,
  { ledger, ownFolders, terminalSignIn, timing }: Dependencies,
  { elicitation, onText = () => {}, onUpdates = () => Effect.void, suggestions, tape: openTape }: Listener,
  watch: StartWatch.StartWatch
): Effect.fn.Return<AgentVisit, ProviderError, Scope.Scope> {
  const launch = yield* anonymous.launch(input)
  const isSandboxed = membersOf(input.providerOptions.sandbox) !== undefined
  const secrets = Secrets.of({ ...globalThis.process.env, ...launch.env }, SecretValues.ofArguments(launch.args))
  const safely = <A>(call: Effect.Effect<A, ProviderError>) =>
    Effect.mapError(call, (error) => ProblemSecrets.withoutError(secrets, error))
  const tape = yield* openTape?.(launch) ?? Effect.undefined
  // A visit works in no project, so it writes in no folder that the settings don't name.
  const sandbox = yield* AgentSandbox.make({ ...input, launch, folders: [], own: ownFolders })
  const process = yield* AgentProcess.start({
    ledger,
    launch,
    sandbox,
    cwd: input.cwd,
    stopGrace: timing.stop ?? anonymous.stopGrace,
    secrets,
    onStderr: (line) => {
      tape?.stderr(line)
      onText(line)
    }
  })
  tape?.note({
    event: "start",
    argv: [launch.command, ...launch.args],
    cwd: input.cwd,
    envNames: Object.keys(launch.env),
    ...(process.pid !== undefined && { pid: process.pid }),
    ...(launch.protocol === 2 && { protocol: launch.protocol }),
    provider: input.provider,
    ...(launch.version !== undefined && { agentVersion: launch.version })
  })
  // Runs after the connection has closed and all our messages were sent.
  yield* Effect.addFinalizer(() => Effect.map(process.stop, (exit) => tape?.note({ event: "exit", ...codeOf(exit) })))
  const stray = Issues.strayOutput(secrets)
  watch.heard = () => ({ ...process.stderr(), stray: stray.lines() })
  const handlers: AcpClient.Handlers = {
    elicitation,
    onUpdates,
    requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } }),
    onIssue: (issue: Issue) => {
      stray.see(issue)
      if (issue._tag === "Noise") onText(secrets.hide(issue.text))
    }
  }
  const client = yield* AcpClient.make(process.transport, handlers, {
    ...(tape !== undefined && { tap: { onLine: tape.wire } }),
    ...(yield* Dialects.of(launch))
  })
  const exit = exitOf(process)
  const agent = yield* safely(
    Initialization.initialize(client, anonymous, {
      launch,
      watch,
      suggestions,
      terminalSignIn: terminalSignIn && !isSandboxed,
      explain: Initialization.explainer(anonymous, input, exit, stray.lines)
    })
  )
  introduce(launch, agent)
  const profile = { ...anonymous, signIn: offerOf(input.provider.id, launch, agent.authMethods) }

  const ask: AgentVisit["ask"] = (method, call, limit = defaultLimit) =>
    safely(
      call.pipe(
        Effect.catch((failure) =>
          failure instanceof ConnectionClosed
            ? Effect.flatMap(exit, (exit) => Effect.fail(new ProviderError({ problem: exitProblem(profile, exit) })))
            : Effect.fail(new ProviderError({ problem: failureProblem(profile, method, failure) }))
        ),
        Effect.timeoutOrElse({
          duration: limit,
          orElse: () =>
            Effect.fail(
              callTimeout(profile, method, Duration.toSeconds(Duration.fromInputUnsafe(limit)), watch.heard())
            )
        })
      )
    )
  const ended = Effect.andThen(
    client.closed,
    Effect.map(
      exit,
      (exit) => ProblemSecrets.withoutError(secrets, new ProviderError({ problem: exitProblem(profile, exit) })).problem
    )
  )
  return { provider: input.provider.id, profile, launch, isSandboxed, agent, client, ask, closed: client.closed, ended }
})
