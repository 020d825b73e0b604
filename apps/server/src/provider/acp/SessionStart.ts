/** From nothing to a session that takes prompts: the process, the first words, the session, its settings. */
import * as AcpClient from "@signalbox/acp/AcpClient"
import * as Steering from "@signalbox/acp/Steering"
import { ProviderSessionId } from "@signalbox/contracts/Ids"
import type { SessionOrigin } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { McpServersOfSettings, SessionMcpServers } from "../../mcp/McpServers.ts"
import * as Secrets from "../../tape/Secrets.ts"
import type { Tape } from "../../tape/Tape.ts"
import type { Terminals } from "../../workspace/Terminals.ts"
import type { StartSession } from "../Services/ProviderAdapter.ts"
import type { ProviderError } from "../Services/ProviderError.ts"
import type { ProcessLedger } from "../Services/ProcessLedger.ts"
import type { SignedIn } from "../Services/SignedIn.ts"
import type { ProviderSessionDirectory } from "../Services/ProviderSessionDirectory.ts"
import * as AgentProcess from "./AgentProcess.ts"
import type { AgentProfile, Launch, StopGrace } from "./AgentProfile.ts"
import type { AgentRoster } from "./AgentRoster.ts"
import { promptAbilities } from "./ContentMapping.ts"
import { whoOf } from "./AuthStatus.ts"
import * as DesiredSettings from "./DesiredSettings.ts"
import * as Dialects from "./Dialects.ts"
import * as Emission from "./Emission.ts"
import type { EventOutlet } from "./EventOutlet.ts"
import * as EventSink from "./EventSink.ts"
import * as Initialization from "./Initialization.ts"
import * as Issues from "./Issues.ts"
import * as McpOffer from "./McpOffer.ts"
import * as OpenRequests from "./OpenRequests.ts"
import * as ProblemSecrets from "./ProblemSecrets.ts"
import { promptDigest } from "./PromptDigest.ts"
import * as RequestLook from "./RequestLook.ts"
import * as ResumeLadder from "./ResumeLadder.ts"
import { abilitiesOf, canSignOut } from "./SessionAbilities.ts"
import type { Admission } from "./StartAdmission.ts"
import type { SessionCore, SessionStatus } from "./SessionCore.ts"
import * as SessionEnd from "./SessionEnd.ts"
import * as SessionGrants from "./SessionGrants.ts"
import * as SessionProjection from "./SessionProjection.ts"
import * as SessionServices from "./SessionServices.ts"
import * as SettingsModel from "./SettingsModel.ts"
import { offerOf } from "./SignInMethods.ts"
import * as StartWatch from "./StartWatch.ts"
import * as ThreadRecord from "./ThreadRecord.ts"

export interface Timing extends StartWatch.StartLimits {
  /** How long an agent may take to end a turn that it was told to stop. */
  readonly cancelGrace: Duration.Duration
  /** As the profile has it, unless given. */
  readonly stop?: StopGrace
  /** How long an agent has to be silent, for the history that comes behind the answer to a load to be at its end. */
  readonly silence: Duration.Duration
}

export const defaultTiming: Timing = {
  slow: Duration.seconds(10),
  start: Duration.seconds(30),
  cancelGrace: Duration.seconds(8),
  silence: Duration.millis(300)
}

export interface Dependencies {
  readonly profile: AgentProfile
  readonly outlet: EventOutlet
  readonly directory: ProviderSessionDirectory["Service"]
  readonly tape: Tape["Service"]
  readonly ledger: ProcessLedger["Service"]
  readonly signedIn: SignedIn["Service"]
  readonly roster: AgentRoster
  readonly timing: Timing
  readonly admission: Admission
  /** As `IdleLimit`. */
  readonly idleLimit: () => number
  /** Given what the session asks people, from before it is there: its start may wait for an answer. */
  readonly onRequests?: ((requests: OpenRequests.OpenRequests) => void) | undefined
  /** As `Initialization.Client`. */
  readonly terminalSignIn: boolean
  readonly mcpServers: McpServersOfSettings
  /** As `ProtectedPaths.OwnFolders`. */
  readonly ownFolders: ReadonlyArray<string>
}

/** What takes part in a start that was let in. */
interface MakesRoom {
  /** Lets the next agent start: this one has said its first words. */
  readonly makeRoom: Effect.Effect<void>
}

export interface Started {
  readonly core: SessionCore
  readonly origin: SessionOrigin
  readonly settable: DesiredSettings.Settable
}

/** What a session is made of before it has a process. */
type Parts = Pick<
  SessionCore,
  | "input"
  | "profile"
  | "providerSessionId"
  | "status"
  | "tape"
  | "projection"
  | "record"
  | "emission"
  | "requests"
  | "now"
  | "secrets"
> & { readonly mcp: SessionMcpServers }

/** A process that we talk to. */
interface Connection {
  readonly process: AgentProcess.AgentProcess
  readonly client: AcpClient.AcpClient
  readonly stray: ReturnType<typeof Issues.strayOutput>
  readonly terminals: Terminals | undefined
}

/** The scope holds the process: closing it ends everything. Until this succeeds nothing is emitted. */
export const start = Effect.fn("SessionStart.start")(function* (
  input: StartSession,
  dependencies: Dependencies
): Effect.fn.Return<Started, ProviderError, Scope.Scope> {
  // People know the agent by the name under which they chose it.
  const profile: AgentProfile = { ...dependencies.profile, name: input.provider.name }
  // Its time begins when it is its turn.
  const makeRoom = yield* dependencies.admission.admit(input.onWaiting)
  const begin = (watch: StartWatch.StartWatch) => begun(input, profile, { ...dependencies, makeRoom }, watch)
  const { core, opened, tools, version } = yield* StartWatch.watched(profile, input.onSlow, dependencies.timing, begin)
  // In place before anybody hears of the session: who hears of it may stop it at once.
  yield* Effect.addFinalizer(() => SessionEnd.force(core))
  yield* Effect.forkScoped(SessionEnd.watch(core))
  announce(core, opened, tools, version)
  return { core, origin: opened.origin, settable: yield* configure(core, opened) }
})

/** All until the agent has a session, of which nobody has heard. */
const begun = Effect.fnUntraced(function* (
  input: StartSession,
  profile: AgentProfile,
  dependencies: Dependencies & MakesRoom,
  watch: StartWatch.StartWatch
) {
  const launch = yield* profile.launch(input)
  const parts = yield* prepare(input, profile, launch, dependencies)
  dependencies.onRequests?.(parts.requests)
  const connection = yield* connect(parts, launch, dependencies, watch)
  const {
    agent,
    opened,
    profile: known,
    tools
  } = yield* open(parts, launch, connection, dependencies, watch).pipe(
    Effect.mapError((error) => ProblemSecrets.withoutError(parts.secrets, error)),
    // Of a session that never comes to be, nobody else will tell.
    Effect.onError(() =>
      Effect.sync(() => parts.requests.closeAll({ type: "expired", reason: `${profile.name} did not start.` }))
    )
  )
  const version = launch.version ?? agent.agentInfo?.version
  return { core: coreOf({ ...parts, profile: known }, connection, opened, dependencies), opened, tools, version }
})

const prepare = Effect.fnUntraced(function* (
  input: StartSession,
  profile: AgentProfile,
  launch: Launch,
  { mcpServers, outlet, tape: tapes }: Dependencies
): Effect.fn.Return<Parts, never, Scope.Scope> {
  const { threadId } = input
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const providerSessionId = ProviderSessionId.make(crypto.randomUUID())
  const status: SessionStatus = {
    turn: undefined,
    ready: false,
    refused: false,
    lost: false,
    over: false,
    stopping: false,
    ended: false
  }
  const mcp = yield* mcpServers.forSession(input.cwd, input.mcpServers)
  const secrets = Secrets.of({ ...process.env, ...launch.env }, mcp.secrets)
  const tape = yield* tapes.open({ threadId, providerSessionId, env: launch.env, secrets: mcp.secrets })
  const sink = EventSink.make({ providerKind: profile.kind, providerSessionId, threadId }, tape.lineOf, (draft) =>
    ProblemSecrets.withoutEvent(secrets, draft)
  )
  const projection = SessionProjection.make(profile, sink, providerSessionId)
  const record = ThreadRecord.make(input, now())
  const emission = Emission.make(projection, outlet, record, now)
  const surroundings = yield* RequestLook.surroundingsOf(input, launch)
  const requests = OpenRequests.make({
    now,
    emit: (...drafts) => {
      const step = () => {
        for (const draft of drafts) sink.push(draft)
      }
      if (drafts.some(({ type }) => type.startsWith("elicitation."))) emission.emitAhead(step)
      else emission.emit(step)
    },
    isCancelling: () => status.turn?.cancelling === true,
    isOver: () => status.over,
    look: (tool) => RequestLook.of(tool, surroundings),
    decide: (request, look) => profile.decide(request, look, input),
    onDecided: (toolCallId, decision) => SessionProjection.decided(projection, toolCallId, decision)
  })
  return { input, profile, providerSessionId, status, tape, projection, record, emission, requests, now, mcp, secrets }
})

const connect = Effect.fnUntraced(function* (
  { emission, input, mcp, profile, projection, requests, secrets, status, tape }: Parts,
  launch: Launch,
  { ledger, outlet, ownFolders, roster, signedIn, timing }: Dependencies,
  watch: StartWatch.StartWatch
): Effect.fn.Return<Connection, ProviderError, Scope.Scope> {
  const process = yield* AgentProcess.start({
    threadId: input.threadId,
    ledger,
    launch,
    cwd: input.cwd,
    stopGrace: timing.stop ?? profile.stopGrace,
    secrets,
    onStderr: tape.stderr,
    onOutputEnd: () => {
      status.over = true
    }
  })
  yield* roster.enter({ input, process, requests, status })
  tape.note({
    event: "start",
    argv: [launch.command, ...launch.args],
    cwd: input.cwd,
    envNames: Object.keys(launch.env),
    ...(process.pid !== undefined && { pid: process.pid }),
    ...(launch.protocol === 2 && { protocol: launch.protocol }),
    threadId: input.threadId,
    provider: input.provider,
    ...(launch.version !== undefined && { agentVersion: launch.version }),
    ...(input.resume !== undefined && { resume: input.resume }),
    knownPrompts: input.knownPrompts.map(promptDigest),
    settings: input.settings,
    ...(input.from !== undefined && { from: input.from }),
    ...(input.additionalDirectories !== undefined && { additionalDirectories: input.additionalDirectories }),
    ...(mcp.ready.length + mcp.leftOut.length > 0 && { mcp: { ready: mcp.ready, leftOut: mcp.leftOut } }),
    cancelGraceMs: Duration.toMillis(timing.cancelGrace)
  })
  const { handlers, terminals } = yield* SessionServices.make({
    input,
    profile,
    projection,
    emission,
    requests,
    status,
    outlet,
    ledger,
    keeps: launch.keeps ?? [],
    ownFolders,
    secrets,
    watch
  })
  const stray = Issues.strayOutput(secrets)
  watch.heard = () => ({ ...process.stderr(), stray: stray.lines() })
  const client = yield* AcpClient.make(
    process.transport,
    {
      ...handlers,
      onUpdates: (batch) => {
        // A long history takes its time. Anything else that is said before there is a session does not bring it nearer.
        if (projection.replay !== undefined) watch.progress()
        return handlers.onUpdates(batch)
      },
      onAuthStatus: (said) => signedIn.tell(input.provider.id, whoOf(said)),
      onIssue: (issue) => {
        stray.see(issue)
        handlers.onIssue?.(issue)
      }
    },
    { tap: { onLine: tape.wire }, ...(yield* Dialects.of(launch)) }
  )
  return { process, client, stray, terminals }
})

/** From the first words to a session, which is remembered as soon as it has a name. */
const open = Effect.fnUntraced(function* (
  { emission, input, mcp, profile: anonymous, projection, tape }: Parts,
  launch: Launch,
  { client, process, stray }: Connection,
  { directory, makeRoom, signedIn, terminalSignIn, timing }: Dependencies & MakesRoom,
  watch: StartWatch.StartWatch
) {
  const { cwd, provider, threadId } = input
  const exit = Effect.tap(SessionEnd.exitOf(process), (exit) =>
    Effect.sync(() => tape.note({ event: "exit", ...SessionEnd.codeOf(exit), ended: "itself" }))
  )
  const explainAs = (profile: AgentProfile) => Initialization.explainer(profile, input, exit, stray.lines)

  const agent = yield* Initialization.initialize(client, anonymous, {
    launch,
    watch,
    terminalSignIn,
    explain: explainAs(anonymous)
  })
  yield* makeRoom
  const profile: AgentProfile = { ...anonymous, signIn: offerOf(provider.id, launch, agent.authMethods) }
  watch.step("authenticate")
  yield* Initialization.authenticate(client, profile, launch, agent)
  const tools = McpOffer.make(profile.name, agent.agentCapabilities ?? {}, mcp)
  const opened = yield* ResumeLadder.open({
    client,
    profile,
    capabilities: agent.agentCapabilities ?? {},
    cwd,
    additionalDirectories: input.additionalDirectories ?? [],
    mcpServers: tools.servers,
    resume: input.resume,
    from: input.from,
    explain: explainAs(profile),
    step: watch.step,
    login: (required) => {
      const methodId = signedIn.methodOf(provider.id)
      if (methodId === undefined) return Effect.fail(required)
      watch.step("authenticate")
      // By now it knows who it is: it need not ask anybody.
      return client.authenticate({ methodId }).pipe(
        Effect.mapError(() => required),
        Effect.timeoutOrElse({ duration: "15 seconds", orElse: () => Effect.fail(required) })
      )
    },
    replay: {
      begin: () => SessionProjection.beginReplay(projection, input.knownPrompts),
      end: (loaded) => {
        emission.emit(() => (loaded ? SessionProjection.loaded(projection) : SessionProjection.endReplay(projection)))
        if (!loaded) emission.forgetReplay()
      }
    }
  })
  const { resumeToken } = opened
  yield* directory.put({ threadId, providerId: provider.id, providerKind: provider.kind, resumeToken, cwd })
  if (projection.awaited !== undefined) yield* quiet(process, timing.silence)
  return { agent, opened, profile, tools }
})

/** A history may be long, but an agent that never is silent can't be waited for. */
const patience = Duration.seconds(10)

/** Waits until the agent has said nothing for so long. A prompt that is sent into the middle of a history can't be told from it. */
const quiet = Effect.fnUntraced(function* ({ lastSignAt }: AgentProcess.AgentProcess, silence: Duration.Duration) {
  const needed = Duration.toMillis(silence)
  const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(patience)
  for (let now = yield* Clock.currentTimeMillis; now < until; now = yield* Clock.currentTimeMillis) {
    const left = lastSignAt() + needed - now
    if (left <= 0) return
    yield* Effect.sleep(Math.min(left, until - now))
  }
})

const coreOf = (
  parts: Parts,
  { client, process, terminals }: Connection,
  { resumeToken }: ResumeLadder.Opened,
  { timing }: Dependencies
): SessionCore => ({
  ...parts,
  resumeToken,
  cancelGrace: timing.cancelGrace,
  process,
  client,
  terminals,
  memory: { prompts: [...parts.input.knownPrompts], settings: parts.input.settings },
  gone: Deferred.makeUnsafe()
})

/** Tells of the session, and then of all that was said before it was there. */
const announce = (
  { client, emission, input, process, profile, projection, resumeToken, status }: SessionCore,
  { offer, origin, problem }: ResumeLadder.Opened,
  { leftOut, servers }: McpOffer.McpOffer,
  version: string | undefined
): void => {
  const agent = client.initialized()
  const { agentCapabilities } = agent ?? {}
  projection.agentSessionId = resumeToken
  status.ready = true
  emission.release(() => {
    projection.sink.push({
      type: "session.started",
      origin,
      resumeToken,
      ...(process.pid !== undefined && { pid: process.pid }),
      capabilities: {
        ...profile.capabilities,
        prompt: promptAbilities(agentCapabilities ?? {}),
        sessions: abilitiesOf(agentCapabilities),
        ...(Steering.isOffered(agent) && { steering: "agent" }),
        signOut: canSignOut(agentCapabilities)
      },
      ...(servers.length > 0 && { mcpServers: servers.map(({ name }) => name) }),
      grants: SessionGrants.of(profile, input),
      ...(version !== undefined && { agentVersion: version }),
      ...(problem !== undefined && { problem })
    })
    SessionProjection.setSettings(projection, SettingsModel.fromOffer(offer))
    for (const { name, reason } of leftOut)
      SessionProjection.warn(projection, `The MCP server “${name}” was left out.`, reason)
  })
}

/** Puts the wanted settings in place, as far as the agent still offers them. */
const configure = Effect.fnUntraced(function* (
  { client, emission, input, projection, resumeToken }: SessionCore,
  { offer }: ResumeLadder.Opened
) {
  const settable: DesiredSettings.Settable = {
    client,
    sessionId: resumeToken,
    byConfig: Boolean(offer.configOptions),
    current: () => projection.settings,
    replace: (settings, line) => emission.emit(() => SessionProjection.setSettings(projection, settings, line))
  }
  if (Object.keys(input.settings).length > 0) {
    const configured = yield* DesiredSettings.apply(settable, input.settings)
    emission.emit(() => projection.sink.push({ type: "session.configured", ...configured }))
  }
  return settable
})
