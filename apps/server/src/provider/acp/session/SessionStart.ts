/** From nothing to a session that takes prompts: the process, the first words, the session, its settings. */
import * as Steering from "@signalbox/acp/Steering"
import type { SessionOrigin } from "@signalbox/contracts/ProviderRuntimeEvent"
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
import * as StartWatch from "../connection/StartWatch.ts"
import * as Warnings from "../projection/Warnings.ts"
import * as EventSink from "../projection/EventSink.ts"

export interface Dependencies extends SessionParts.Dependencies, SessionConnection.Dependencies {
  readonly profile: AgentProfile
  readonly directory: ProviderSessionDirectory["Service"]
  readonly admission: Admission
  /** How long the agent may have nothing to do before it ends, in milliseconds; 0: for ever. */
  readonly idleLimit: () => number
  /** Given what the session asks people, from before it is there: its start may wait for an answer. */
  readonly onRequests?: ((requests: OpenRequests) => Effect.Effect<void>) | undefined
  /** Whether people can be shown a terminal to sign in. */
  readonly terminalSignIn: boolean
}

/** What is done at the first words of an agent whose start was let in. */
interface FirstWords {
  readonly introduce: ReturnType<typeof AgentName.profileOf>["introduce"]
  /** Lets the next agent start: this one has said its first words. */
  readonly makeRoom: Effect.Effect<void>
}

export interface Started {
  readonly core: SessionCore
  readonly origin: SessionOrigin
  readonly settable: DesiredSettings.Settable
}

/** The scope holds the process: closing it ends everything. Until this succeeds nothing is emitted. */
export const start = Effect.fn("SessionStart.start")(function* (
  input: StartSession,
  dependencies: Dependencies
): Effect.fn.Return<Started, ProviderError, Scope.Scope> {
  const { introduce, profile } = AgentName.profileOf(dependencies.profile, input.provider)
  // Its time begins when it is its turn.
  const makeRoom = yield* dependencies.admission.admit(input.onWaiting)
  const begin = (watch: StartWatch.StartWatch) => begun(input, profile, { ...dependencies, introduce, makeRoom }, watch)
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
  dependencies: Dependencies & FirstWords,
  watch: StartWatch.StartWatch
) {
  const launch = yield* profile.launch(input)
  const parts = yield* SessionParts.make(input, profile, launch, dependencies)
  if (dependencies.onRequests !== undefined) yield* dependencies.onRequests(parts.requests)
  const connection = yield* SessionConnection.make(parts, launch, dependencies, watch)
  const {
    agent,
    opened,
    profile: known,
    tools
  } = yield* open(parts, launch, connection, dependencies, watch).pipe(
    Effect.mapError((error) => ProblemSecrets.withoutError(parts.secrets, error)),
    // Nobody else tells of a session that never comes to be.
    Effect.onError(() =>
      Effect.sync(() => parts.requests.closeAll({ type: "expired", reason: `${profile.name} did not start.` }))
    )
  )
  const version = launch.version ?? agent.agentInfo?.version
  return { core: coreOf({ ...parts, profile: known }, connection, opened, dependencies), opened, tools, version }
})

/** From the first words to a session, which is remembered as soon as it has a name. */
const open = Effect.fnUntraced(function* (
  { emission, input, mcp, profile: anonymous, projection, tape }: SessionParts.SessionParts,
  launch: Launch,
  { client, process, stray }: SessionConnection.SessionConnection,
  { directory, introduce, makeRoom, signedIn, terminalSignIn, timing }: Dependencies & FirstWords,
  watch: StartWatch.StartWatch
) {
  const { cwd, provider, threadId } = input
  const exit = Effect.tap(exitOf(process), (exit) =>
    Effect.sync(() => tape.note({ event: "exit", ...codeOf(exit), ended: "itself" }))
  )
  const explainAs = (profile: AgentProfile) => Initialization.explainer(profile, input, exit, stray.lines)

  const agent = yield* Initialization.initialize(client, anonymous, {
    launch,
    watch,
    terminalSignIn,
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
      // By now it knows who it is: it need not ask anybody.
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
    // A tape has no times of its own: there the next prompt ends it.
    if (silent && Duration.toMillis(timing.silence) > 0) emission.emit(History.pause)
  }
  return { agent, opened, profile, tools }
})

const coreOf = (
  parts: SessionParts.SessionParts,
  { client, process, terminals }: SessionConnection.SessionConnection,
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
      grants: SessionGrants.of(profile, input),
      ...(version !== undefined && { agentVersion: version }),
      ...(problem !== undefined && { problem })
    })
    SessionProjection.setSettings(projection, SettingsModel.fromOffer(offer))
    for (const { name, reason } of leftOut) Warnings.warn(projection, `The MCP server “${name}” was left out.`, reason)
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
    replace: (settings, line) =>
      emission.emit((projection) => SessionProjection.setSettings(projection, settings, line))
  }
  if (Object.keys(input.settings).length > 0) {
    const configured = yield* DesiredSettings.apply(settable, input.settings)
    emission.emit(({ sink }) => EventSink.push(sink, { type: "session.configured", ...configured }))
  }
  return settable
})
