/** Starts a session until it accepts prompts: the process, the handshake, the session, its settings. */
import * as Steering from "@signalbox/acp/Steering"
import type { SessionOrigin } from "@signalbox/contracts/ProviderRuntimeEvent"
import { withAgentVersion } from "@signalbox/contracts/SessionChain"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { StartSession } from "../../Services/ProviderAdapter.ts"
import type { ProviderError } from "../../../base/ProviderError.ts"
import type { ProviderSessionDirectory } from "../../Services/ProviderSessionDirectory.ts"
import * as AgentName from "../profile/AgentName.ts"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import type { Launch } from "../../agent/Launch.ts"
import { promptAbilities } from "../projection/ContentMapping.ts"
import * as DesiredSettings from "./DesiredSettings.ts"
import * as History from "../projection/History.ts"
import * as Initialization from "../connection/Initialization.ts"
import * as McpOffer from "./McpOffer.ts"
import type { OpenRequests } from "../requests/OpenRequests.ts"
import * as ProblemSecrets from "../connection/ProblemSecrets.ts"
import * as ResumeLadder from "./ResumeLadder.ts"
import { abilitiesOf, canSignOut } from "../connection/SessionAbilities.ts"
import type { Admission } from "@signalbox/process/StartAdmission"
import type { SessionCore } from "./SessionCore.ts"
import * as SessionConnection from "./SessionConnection.ts"
import { codeOf } from "../../agent/AgentExit.ts"
import { exitOf } from "../../agent/RunningAgent.ts"
import * as SessionEnd from "./SessionEnd.ts"
import * as SessionGrants from "../requests/SessionGrants.ts"
import * as SessionParts from "./SessionParts.ts"
import * as SessionPhase from "./SessionPhase.ts"
import * as SessionProjection from "../projection/SessionProjection.ts"
import * as SettingsModel from "../projection/SettingsModel.ts"
import { offerOf } from "../connection/SignInMethods.ts"
import * as Silence from "./Silence.ts"
import { startRefused } from "../connection/StartRefused.ts"
import * as StartWatch from "../connection/StartWatch.ts"
import * as Warnings from "../projection/Warnings.ts"
import * as EventSink from "../projection/EventSink.ts"

export interface Dependencies extends SessionParts.Dependencies, SessionConnection.Dependencies {
  readonly profile: AgentProfile
  readonly directory: ProviderSessionDirectory["Service"]
  readonly admission: Admission
  /** Milliseconds that the agent may be idle before Signalbox ends it. 0: forever. */
  readonly idleLimit: () => number
  /** Receives the session's requests to people before it is announced, since its start may wait for an answer. */
  readonly onRequests?: ((requests: OpenRequests) => Effect.Effect<void>) | undefined
  /** Whether people can use a terminal to sign in. */
  readonly terminalSignIn: boolean
}

/** What happens after the handshake with an agent that was admitted to start. */
interface FirstWords {
  readonly introduce: ReturnType<typeof AgentName.profileOf>["introduce"]
  /** Lets the next agent start, since this one has answered the handshake. */
  readonly makeRoom: Effect.Effect<void>
}

export interface Started {
  readonly core: SessionCore
  readonly origin: SessionOrigin
  readonly settable: DesiredSettings.Settable
}

/**
 * Starts a session. The scope holds the process: closing it ends everything. Emits no events before the announcement,
 * except requests to people.
 */
export const start = Effect.fn("SessionStart.start")(function* (
  input: StartSession,
  dependencies: Dependencies
): Effect.fn.Return<Started, ProviderError, Scope.Scope> {
  const { introduce, profile } = AgentName.profileOf(dependencies.profile, input.provider)
  // The agent's start time counts from its admission, not from its place in the queue.
  const makeRoom = yield* dependencies.admission.admit(input.onWaiting)
  const begin = (watch: StartWatch.StartWatch) => begun(input, profile, { ...dependencies, introduce, makeRoom }, watch)
  const { core, opened, tools, version } = yield* StartWatch.watched(profile, input.onSlow, dependencies.timing, begin)
  // The finalizer is added before the announcement: a client may stop the session as soon as it knows it.
  yield* Effect.addFinalizer(() => SessionEnd.force(core))
  yield* Effect.forkScoped(SessionEnd.watch(core))
  announce(core, opened, tools, version)
  return { core, origin: opened.origin, settable: yield* configure(core, opened) }
})

/** Starts the process and opens the session, before it is announced. */
const begun = Effect.fnUntraced(function* (
  input: StartSession,
  profile: AgentProfile,
  dependencies: Dependencies & FirstWords,
  watch: StartWatch.StartWatch
) {
  const launch = yield* profile.launch(input)
  const parts = yield* SessionParts.make(input, profile, launch, dependencies)
  if (dependencies.onRequests !== undefined) yield* dependencies.onRequests(parts.requests)
  yield* admitted(parts)
  const connection = yield* SessionConnection.make(parts, launch, dependencies, watch)
  const {
    agent,
    opened,
    profile: known,
    tools
  } = yield* open(parts, launch, connection, dependencies, watch).pipe(
    Effect.mapError((error) => ProblemSecrets.withoutError(parts.secrets, error)),
    // Closes its requests, since no end of a session is emitted if it never started.
    Effect.onError(() =>
      Effect.sync(() => parts.requests.closeAll({ type: "expired", reason: `${profile.name} did not start.` }))
    )
  )
  const version = launch.version ?? agent.agentInfo?.version
  return { core: coreOf({ ...parts, profile: known }, connection, opened, dependencies), opened, tools, version }
})

/** A person has asked for the start, so only a rule that denies it stands against it. */
const admitted = Effect.fnUntraced(function* ({ audit, input, judge, profile }: SessionParts.SessionParts) {
  const decision = yield* judge.decide({ type: "agent" })
  const { effect, why } = decision
  if (effect !== "deny") return
  const name = input.provider.id
  audit.access({ kind: "agent", name, input: { name }, decision, effect, why })
  return yield* startRefused(profile.name, why, input.cwd)
})

/** Connects and opens the session. Its id is stored as soon as it is known. */
const open = Effect.fnUntraced(function* (
  { emission, input, mcp, profile: anonymous, projection, tape }: SessionParts.SessionParts,
  launch: Launch,
  { client, ideOperations, process, stray }: SessionConnection.SessionConnection,
  { directory, introduce, makeRoom, signedIn, terminalSignIn, timing }: Dependencies & FirstWords,
  watch: StartWatch.StartWatch
) {
  const { cwd, provider, threadId } = input
  const exit = Effect.tap(exitOf(process), (exit) =>
    Effect.sync(() => tape.note({ event: "exit", ...codeOf(exit), ended: "itself" }))
  )
  const isOver = () => process.chain?.isOver() === true
  const explainAs = (profile: AgentProfile) => Initialization.explainer(profile, input, exit, stray.lines, isOver)

  const agent = yield* Initialization.initialize(client, anonymous, {
    launch,
    watch,
    terminalSignIn,
    ideOperations,
    explain: explainAs(anonymous)
  })
  yield* makeRoom
  introduce(launch, agent)
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
    login: Effect.fnUntraced(function* (required) {
      const methodId = yield* signedIn.methodOf(provider.id)
      if (methodId === undefined) return yield* required
      watch.step("authenticate")
      // The agent has the person's sign-in by now, so this needs no interaction.
      return yield* client.authenticate({ methodId }).pipe(
        Effect.mapError(() => required),
        Effect.timeoutOrElse({ duration: "15 seconds", orElse: () => Effect.fail(required) })
      )
    }),
    replay: {
      begin: () => History.begin(projection, input.knownPrompts),
      end: (loaded) => {
        emission.emit(loaded ? History.answered : History.end)
        if (!loaded) emission.forgetReplay()
      }
    }
  })
  const { resumeToken } = opened
  yield* directory.put({ threadId, providerId: provider.id, providerKind: provider.kind, resumeToken, cwd })
  if (History.rest(projection) !== undefined) {
    const silent = yield* Silence.wait(process, () =>
      History.rest(projection) === "likely" ? timing.silence : timing.noHistory
    )
    // A replayed tape has no timing of its own: there the next prompt ends the history.
    if (silent && Duration.toMillis(timing.silence) > 0) emission.emit(History.pause)
  }
  return { agent, opened, profile, tools }
})

const coreOf = (
  parts: SessionParts.SessionParts,
  { client, editor, process, terminals }: SessionConnection.SessionConnection,
  { resumeToken }: ResumeLadder.Opened,
  { timing }: Dependencies
): SessionCore => ({
  ...parts,
  resumeToken,
  cancelGrace: timing.cancelGrace,
  process,
  client,
  terminals,
  editor,
  memory: { prompts: [...parts.input.knownPrompts], settings: parts.input.settings },
  gone: Deferred.makeUnsafe()
})

/** Announces the session, and then the events that waited for it. */
const announce = (
  { client, emission, hasOwnProfile, input, process, profile, projection, resumeToken, status }: SessionCore,
  { offer, origin, problem }: ResumeLadder.Opened,
  { leftOut, servers }: McpOffer.McpOffer,
  version: string | undefined
): void => {
  const agent = client.initialized()
  const { agentCapabilities } = agent ?? {}
  projection.agentSessionId = resumeToken
  SessionPhase.send(status, "announced")
  emission.release((projection) => {
    EventSink.push(projection.sink, {
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
      ...(process.chain !== undefined && { chain: withAgentVersion(process.chain.parts(), version) }),
      grants: { ...SessionGrants.of(profile, input), ...(hasOwnProfile && { ownPermissions: true }) },
      ...(version !== undefined && { agentVersion: version }),
      ...(problem !== undefined && { problem })
    })
    SessionProjection.setSettings(projection, SettingsModel.fromOffer(offer))
    for (const { name, reason } of leftOut) Warnings.warn(projection, `The MCP server “${name}” was left out.`, reason)
  })
}

/** Sets the desired settings, as far as the agent still offers them. */
const configure = Effect.fnUntraced(function* (
  { client, emission, input, projection, resumeToken }: SessionCore,
  { offer }: ResumeLadder.Opened
) {
  const settable: DesiredSettings.Settable = {
    client,
    sessionId: resumeToken,
    byConfig: Boolean(offer.configOptions),
    current: () => projection.settings,
    replace: (settings, line) =>
      emission.emit((projection) => SessionProjection.setSettings(projection, settings, line))
  }
  if (Object.keys(input.settings).length > 0) {
    const configured = yield* DesiredSettings.apply(
      { current: settable.current, set: (id, value) => DesiredSettings.set(settable, id, value) },
      input.settings
    )
    emission.emit(({ sink }) => EventSink.push(sink, { type: "session.configured", ...configured }))
  }
  return settable
})
