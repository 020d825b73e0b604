/** Makes an adapter from a profile: the sessions of its threads, and one stream with the events of all. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { AuditLog } from "../../../audit/AuditLog.ts"
import { McpServers } from "../../../mcp/McpServers.ts"
import { LikeAnswers } from "../../../rules/LikeAnswers.ts"
import { RulesInForce } from "../../../rules/RulesInForce.ts"
import { Tape } from "../../../tape/Tape.ts"
import { OwnFolders } from "../../../workspace/ProtectedPaths.ts"
import { ChosenLanguageServers } from "../../Services/ChosenLanguageServers.ts"
import { SettingsProfiles } from "../../Services/SettingsProfiles.ts"
import type { ProviderAdapter } from "../../Services/ProviderAdapter.ts"
import { providerError } from "../../../base/ProviderError.ts"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import { SignedIn } from "../../Services/SignedIn.ts"
import { ProviderSessionDirectory } from "../../Services/ProviderSessionDirectory.ts"
import * as SessionChange from "./SessionChange.ts"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import * as AgentRoster from "./AgentRoster.ts"
import * as EventOutlet from "../../Services/EventOutlet.ts"
import { IdleLimit } from "../profile/IdleLimit.ts"
import * as ProcessFacts from "@signalbox/process/ProcessFacts"
import { defaultTiming, type Timing } from "../profile/SessionTiming.ts"
import { StartAdmission } from "@signalbox/process/StartAdmission"
import * as ThreadSessions from "./ThreadSessions.ts"

export interface Options {
  readonly timing?: Partial<Timing>
  /** Whether people can use a terminal to sign in. The default is false. */
  readonly terminalSignIn?: boolean
}

/** Makes the adapter. Closing the scope stops all its sessions. */
export const make = Effect.fnUntraced(function* (
  profile: AgentProfile,
  options: Options = {}
): Effect.fn.Return<ProviderAdapter, never, Scope.Scope | ProcessLedger | ProviderSessionDirectory | SignedIn | Tape> {
  const outlet = EventOutlet.make()
  const roster = AgentRoster.make(ProcessFacts.ofThisSystem)
  const signedIn = yield* SignedIn
  const sessions = yield* ThreadSessions.make({
    profile,
    outlet,
    directory: yield* ProviderSessionDirectory,
    tape: yield* Tape,
    ledger: yield* ProcessLedger,
    signedIn,
    roster,
    timing: { ...defaultTiming, ...options.timing },
    admission: yield* StartAdmission,
    idleLimit: yield* IdleLimit,
    terminalSignIn: options.terminalSignIn ?? false,
    mcpServers: yield* McpServers,
    ownFolders: yield* OwnFolders,
    languageServers: yield* ChosenLanguageServers,
    rules: yield* RulesInForce,
    profiles: yield* SettingsProfiles,
    auditLog: yield* AuditLog,
    answers: yield* LikeAnswers
  })
  const renewing = Stream.runForEach(signedIn.changes, (id) => ThreadSessions.renewRefused(sessions, id))
  yield* Effect.forkIn(renewing, sessions.background)

  return {
    kind: profile.kind,
    capabilities: profile.capabilities,
    startSession: Effect.fn("AcpAdapter.startSession")(function* (input) {
      return (yield* ThreadSessions.start(sessions, input)).session
    }),
    sendTurn: Effect.fn("AcpAdapter.sendTurn")(function* (threadId, turn) {
      yield* (yield* ThreadSessions.get(sessions, threadId)).prompt(turn)
    }),
    steer: Effect.fn("AcpAdapter.steer")(function* (threadId, steering) {
      return yield* (yield* ThreadSessions.get(sessions, threadId)).steer(steering)
    }),
    interruptTurn: Effect.fn("AcpAdapter.interruptTurn")(function* (threadId, turnId) {
      const session = yield* ThreadSessions.get(sessions, threadId)
      if ((yield* session.interrupt(turnId)) === "stuck") yield* ThreadSessions.replace(sessions, threadId, session)
    }),
    respondToRequest: Effect.fn("AcpAdapter.respondToRequest")(function* (threadId, requestId, response, client) {
      yield* (yield* ThreadSessions.requestsOf(sessions, threadId)).respond(requestId, response, client)
    }),
    setProfile: Effect.fn("AcpAdapter.setProfile")(function* (threadId, chosen) {
      const session = yield* ThreadSessions.get(sessions, threadId)
      session.setProfile(chosen)
    }),
    setSetting: Effect.fn("AcpAdapter.setSetting")(function* (threadId, settingId, value) {
      yield* (yield* ThreadSessions.get(sessions, threadId)).setSetting(settingId, value)
    }),
    readThread: Effect.fn("AcpAdapter.readThread")(function* (threadId) {
      return (yield* ThreadSessions.get(sessions, threadId)).view()
    }),
    rollbackThread: Effect.fn("AcpAdapter.rollbackThread")(function* () {
      const { rollback } = profile.capabilities
      return yield* providerError(
        "unsupported",
        `${profile.name} cannot go back.`,
        rollback.supported ? "It is not part of the protocol." : rollback.reason
      )
    }),
    changeSession: Effect.fn("AcpAdapter.changeSession")(function* (threadId, change) {
      const changed = yield* (yield* ThreadSessions.get(sessions, threadId)).change(change)
      if (SessionChange.endsIt(change)) yield* ThreadSessions.stop(sessions, threadId)
      return changed
    }),
    stopSession: Effect.fn("AcpAdapter.stopSession")(function* (threadId) {
      yield* ThreadSessions.stop(sessions, threadId)
    }),
    listSessions: Effect.map(ThreadSessions.live(sessions), (all) =>
      all.flatMap(({ isLive, session }) => (isLive() ? [session] : []))
    ),
    hasSession: (threadId) =>
      Effect.map(ThreadSessions.live(sessions), (all) =>
        all.some(({ isLive, session }) => session.threadId === threadId && isLive())
      ),
    stopAll: ThreadSessions.stopAll(sessions),
    health: roster.health,
    streamEvents: outlet.stream
  }
})
