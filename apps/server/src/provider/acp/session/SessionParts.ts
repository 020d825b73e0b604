/** The parts of a session that exist before its process: status, tape, projection, requests. */
import * as Seal from "@signalbox/conductor/Seal"
import { ProviderSessionId } from "@signalbox/contracts/Ids"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as RequestLook from "@signalbox/permission/RequestLook"
import * as Stream from "effect/Stream"
import type { PermissionProfile } from "@signalbox/contracts/Provider"
import * as PermissionPolicy from "@signalbox/permission/PermissionPolicy"
import * as RuleAnswer from "@signalbox/permission/RuleAnswer"
import * as RuleOffer from "@signalbox/permission/rules/RuleOffer"
import { basename } from "node:path"
import type { SettingsProfiles } from "../../Services/SettingsProfiles.ts"
import type { AuditLog } from "../../../audit/AuditLog.ts"
import * as SessionAudit from "../../../audit/SessionAudit.ts"
import type { LikeAnswers } from "../../../rules/LikeAnswers.ts"
import type { RulesInForce } from "../../../rules/RulesInForce.ts"
import * as RulesProblem from "../../../rules/RulesProblem.ts"
import * as SettingsSecrets from "../../../settings/SettingsSecrets.ts"
import * as SessionJudge from "../../../rules/SessionJudge.ts"
import type { McpServersOfSettings, SessionMcpServers } from "../../../mcp/McpServers.ts"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as SecretValues from "@signalbox/redaction/SecretValues"
import type { Tape } from "../../../tape/Tape.ts"
import type { StartSession } from "../../Services/ProviderAdapter.ts"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import type { Launch } from "../../agent/Launch.ts"
import * as Emission from "../projection/Emission.ts"
import type { EventOutlet } from "../../Services/EventOutlet.ts"
import * as EventSink from "../projection/EventSink.ts"
import type * as Approvals from "../requests/Approvals.ts"
import * as OpenRequests from "../requests/OpenRequests.ts"
import * as ProblemSecrets from "../connection/ProblemSecrets.ts"
import * as RequestLooking from "../../../permission/RequestLooking.ts"
import type { SessionCore, SessionStatus } from "./SessionCore.ts"
import * as SessionPhase from "./SessionPhase.ts"
import * as RequestProjection from "../projection/RequestProjection.ts"
import * as SessionProjection from "../projection/SessionProjection.ts"
import * as ThreadRecord from "../projection/ThreadRecord.ts"
import * as Warnings from "../projection/Warnings.ts"

export interface Dependencies {
  readonly outlet: EventOutlet
  readonly tape: Tape["Service"]
  readonly mcpServers: McpServersOfSettings
  /** The folders of Signalbox, as `ProtectedPaths.OwnFolders` defines them. */
  readonly ownFolders: ReadonlyArray<string>
  readonly rules: RulesInForce
  readonly answers: LikeAnswers
  readonly profiles: SettingsProfiles
  readonly auditLog: AuditLog
}

export type SessionParts = Pick<
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
  | "hasOwnProfile"
> & {
  readonly mcp: SessionMcpServers
  readonly judge: SessionJudge.SessionJudge
  readonly audit: SessionAudit.SessionAudit
  /** Knows what the components of the session say themselves. */
  readonly seal: Seal.Seal
}

/** Makes the parts and opens the tape. Their events wait until the session is announced. */
export const make = Effect.fnUntraced(function* (
  input: StartSession,
  profile: AgentProfile,
  launch: Launch,
  { answers, auditLog, mcpServers, outlet, ownFolders, profiles, rules, tape: tapes }: Dependencies
): Effect.fn.Return<SessionParts, never, Scope.Scope> {
  const { threadId } = input
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const providerSessionId = ProviderSessionId.make(crypto.randomUUID())
  const status: SessionStatus = { phase: "starting", turn: undefined }
  const mcp = yield* mcpServers.forSession(input.cwd, input.mcpServers)
  const given = [
    ...mcp.secrets,
    ...SecretValues.ofArguments(launch.args),
    ...SettingsSecrets.inComponents(input.providerOptions.components ?? [])
  ]
  const secrets = Secrets.of({ ...process.env, ...launch.env }, given)
  const tape = yield* tapes.open({ threadId, providerSessionId, env: launch.env, secrets: given })
  const sink = EventSink.make({ providerKind: profile.kind, providerSessionId, threadId }, tape.lineOf, (draft) =>
    ProblemSecrets.withoutEvent(secrets, draft)
  )
  const seal = Seal.make(input.seal)
  const projection = SessionProjection.make(profile, sink, providerSessionId, seal)
  const record = ThreadRecord.make(input, now())
  const emission = Emission.make(projection, outlet, record, now)
  const { hardLinks } = profile.workspace(input)
  const surroundings = yield* RequestLooking.surroundingsOf(input, launch, { own: ownFolders, hardLinks })
  const judge = yield* SessionJudge.make(
    {
      ...sessionOf(input, launch, providerSessionId, ownFolders, surroundings),
      onFault: (file, isUnknown) =>
        emission.emit((projection) =>
          Warnings.note(projection, RulesProblem.noteOf(file, isUnknown), RulesProblem.causeOf(file))
        )
    },
    rules
  )
  const { isOwn, now: profileNow } = yield* profileOf(input, profiles)
  const { cwd: folder, provider } = input
  const sessionId = providerSessionId
  const { roots } = surroundings.grant
  const audit = SessionAudit.make(auditLog, { threadId, sessionId, agent: provider.id, folder, roots, secrets, now })
  const requests = OpenRequests.make({
    now,
    emit: (...drafts) => {
      const step: Emission.Step = (projection) => RequestProjection.tell(projection, drafts)
      if (drafts.some(({ type }) => type.startsWith("elicitation."))) emission.emitAhead(step)
      else emission.emit(step)
    },
    isCancelling: () => status.turn?.cancelling === true,
    isOver: () => SessionPhase.isOver(status.phase),
    look: Effect.fnUntraced(function* (tool, { onlyPeople, requestId }) {
      const look = yield* RequestLooking.of(tool, surroundings)
      const decision = yield* judge.judge({ type: "call", tool, look, onlyPeople: onlyPeople === true }, requestId)
      return { ...RequestLook.judged(look, decision), profile: status.profile ?? (yield* profileNow) }
    }),
    use: ({ options, requestId }, { decision }) => {
      const ruled = RuleAnswer.of(decision, options)
      const isUsed = ruled === "people" ? decision.effect === "ask" : ruled !== undefined
      return isUsed ? judge.use(decision, requestId) : Effect.succeed(true)
    },
    decide: (request, look) => {
      const ruled = RuleAnswer.of(look.decision, request.options)
      if (ruled === "people") return undefined
      if (ruled !== undefined) return { ...ruled, by: "rules" }
      const until = status.profile === undefined ? undefined : ("session" as const)
      const chosen = status.profile ?? look.profile
      const given = PermissionPolicy.choose(chosen, request.options, look)
      return given && { ...given, by: "settings", profile: chosen, ...(until !== undefined && { until }) }
    },
    likes: likesOf(answers, input),
    onDecided: (toolCallId, decision) => SessionProjection.decided(projection, toolCallId, decision),
    audit
  })
  const sayings = Stream.merge(profiles.changes, rules.changes)
  const again = Stream.runForEach(sayings, () => Effect.sync(requests.judgeAgain))
  yield* Effect.forkScoped(again)
  return {
    input,
    profile,
    providerSessionId,
    status,
    tape,
    projection,
    record,
    emission,
    requests,
    now,
    mcp: yield* judgedServers(mcp, judge, audit),
    secrets,
    judge,
    audit,
    seal,
    hasOwnProfile: isOwn
  }
})

/** What people have answered this agent in this folder, in other threads too. */
const likesOf = (answers: LikeAnswers, { cwd, provider }: StartSession): Approvals.Likes => {
  const wordsOf = ({ decision, facts, roots }: RequestLook.JudgedLook) =>
    RuleOffer.commandOf(decision, { folder: facts.folder, roots })
  return {
    offer: (look) => {
      const words = wordsOf(look)
      return words && answers.offer(provider.id, cwd, words)
    },
    add: (look, kind) => {
      const words = wordsOf(look)
      if (words === undefined || kind === "allow_always") return
      answers.add(provider.id, cwd, { words, isAllowed: kind === "allow_once" })
    }
  }
}

/** The servers that no rule denies. People have chosen them in the settings, so nothing else stands against them. */
const judgedServers = Effect.fnUntraced(function* (
  { leftOut, ready, secrets }: SessionMcpServers,
  { decide }: SessionJudge.SessionJudge,
  audit: SessionAudit.SessionAudit
) {
  const judged = yield* Effect.forEach(ready, (server) =>
    Effect.map(
      decide({ type: "server", name: server.name, ...("url" in server && { url: server.url }) }),
      (decision) => {
        const { effect, why } = decision
        const { name } = server
        if (effect === "deny") audit.access({ kind: "server", name, input: { name }, decision, effect, why })
        return { server, refusal: effect === "deny" ? why : undefined }
      }
    )
  )
  return {
    ready: judged.flatMap(({ refusal, server }) => (refusal === undefined ? [server] : [])),
    leftOut: [
      ...leftOut,
      ...judged.flatMap(({ refusal, server }) =>
        refusal === undefined ? [] : [{ name: server.name, reason: refusal }]
      )
    ],
    secrets
  }
})

/** The profile of the settings, now. A thread that was given another one at its start keeps that. */
const profileOf = Effect.fnUntraced(function* (
  { provider, providerOptions }: StartSession,
  profiles: SettingsProfiles
): Effect.fn.Return<{ readonly isOwn: boolean; readonly now: Effect.Effect<PermissionProfile> }> {
  const given = providerOptions.acp?.permissions ?? "ask"
  const atStart = yield* profiles.of(provider.id)
  if (atStart !== given) return { isOwn: atStart !== undefined, now: Effect.succeed(given) }
  return { isOwn: false, now: Effect.map(profiles.of(provider.id), (now) => now ?? given) }
})

const sessionOf = (
  { additionalDirectories = [], cwd, provider, threadId }: StartSession,
  { env }: Launch,
  session: ProviderSessionId,
  own: ReadonlyArray<string>,
  { base, isRemote }: RequestLooking.Surroundings
): Omit<SessionJudge.Session, "onFault"> => ({
  agent: provider.id,
  cwd,
  additionalDirectories,
  own,
  thread: threadId,
  session,
  surroundings: {
    base: isRemote ? undefined : base,
    isRemote,
    shell: basename(env["SHELL"] ?? process.env["SHELL"] ?? "sh")
  }
})
