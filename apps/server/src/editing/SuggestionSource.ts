/** A running agent with a session for suggestions. Its process ends with the scope. */
import type { IncomingUpdate } from "@signalbox/acp/AcpClient"
import type { NesSession } from "@signalbox/acp/Nes"
import * as Nes from "@signalbox/acp/Nes"
import type { Offer, Suggestion, SuggestRequest } from "@signalbox/acp/NesSchema"
import type { AuthRequired } from "@signalbox/acp/AcpError"
import { retryOnce } from "@signalbox/acp/Authentication"
import { ErrorCode } from "@signalbox/acp/JsonRpc"
import { ProviderSessionId, ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { SessionSetting } from "@signalbox/contracts/SessionSetting"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Scope from "effect/Scope"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { basename } from "node:path"
import { pathToFileURL } from "node:url"
import type { AuditLog } from "../audit/AuditLog.ts"
import * as SessionAudit from "../audit/SessionAudit.ts"
import type { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as SecretValues from "@signalbox/redaction/SecretValues"
import * as ByteOrderMark from "../base/ByteOrderMark.ts"
import { type ProviderError, providerError } from "../base/ProviderError.ts"
import { startRefused } from "../provider/acp/connection/StartRefused.ts"
import type { AgentProfile } from "../provider/acp/profile/AgentProfile.ts"
import type { Timing } from "../provider/acp/profile/SessionTiming.ts"
import * as SettingsModel from "../provider/acp/projection/SettingsModel.ts"
import * as AgentVisit from "../provider/acp/visits/AgentVisit.ts"
import type { Launch } from "../provider/agent/Launch.ts"
import type { SignedIn } from "../provider/Services/SignedIn.ts"
import type { RulesInForce } from "../rules/RulesInForce.ts"
import * as RulesProblem from "../rules/RulesProblem.ts"
import * as SessionJudge from "../rules/SessionJudge.ts"
import type { AgentTally } from "../tally/SuggestionTally.ts"
import type { Tape } from "../tape/Tape.ts"
import * as Containment from "../workspace/Containment.ts"
import * as TextFiles from "../workspace/TextFiles.ts"
import { longestText } from "./Documents.ts"
import * as Repository from "./Repository.ts"
import { pathOf } from "./Sendable.ts"
import * as SentQuestions from "./SentQuestions.ts"
import { mostCharacters, mostEdits, mostSuggestions } from "./SuggestionCheck.ts"
import type { SuggestionPlace } from "./SuggestionPlace.ts"
import * as SuggestionSettings from "./SuggestionSettings.ts"
import type { Settable } from "./SuggestionSettings.ts"

export interface SuggestionSource {
  /** The name of the agent, for sentences. */
  readonly name: string
  /** The version that the agent reports. */
  readonly version: string | undefined
  /** Takes what happens to documents. */
  readonly documents: Pick<NesSession, "didOpen" | "didChange" | "didClose" | "didSave" | "didFocus">
  /** The settings of the session: now, and whenever the agent changes them. */
  readonly settings: SubscriptionRef.SubscriptionRef<ReadonlyArray<SessionSetting>>
  readonly setSetting: Settable["set"]
  /** Asks for suggestions. Interrupting it cancels the request. */
  readonly suggest: (request: SuggestRequest) => Effect.Effect<ReadonlyArray<Suggestion>, ProviderError>
  /** The suggestions that were left out of the latest answer, and that the agent knows to be rejected. */
  readonly refused: () => ReadonlyArray<Nes.Refusal>
  /** How many more of it were left out, beyond these. */
  readonly unnamed: () => number
  /** The latest question as it left. */
  readonly sent: () => string | undefined
  /** The file of its tape. */
  readonly tape: string | undefined
  /** Rules files with faults, as it was started. */
  readonly faultyRules: ReadonlyArray<Problem>
  /** Takes the end of each suggestion. */
  readonly ends: Pick<NesSession, "accept" | "reject">
  /** Why the agent has gone. Completes when it has. */
  readonly closed: Effect.Effect<Problem>
}

/** What the agent learns of a place: the kinds that are shown there. Positions may come in any encoding. */
const offerOf = ({ kinds = ["jump", "rename", "searchAndReplace"] }: SuggestionPlace): Offer => ({
  nes: Object.fromEntries(kinds.map((kind) => [kind, {}])),
  positionEncodings: ["utf-16", "utf-8", "utf-32"]
})

/** How long an agent may take to begin a session, and to answer one request. */
const startLimit = Duration.seconds(30)
const suggestLimit = Duration.seconds(20)
const settingLimit = Duration.seconds(15)
/** Most reports of settings that are kept until the session is known. */
const mostEarly = 20
/** Most refused suggestions of one answer that are named. */
const mostRefused = 100

export interface Dependencies {
  readonly profile: AgentProfile
  readonly ledger: ProcessLedger["Service"]
  readonly timing: Timing
  /** Whether people can use a terminal to sign in. */
  readonly terminalSignIn: boolean
  /** The folders of Signalbox itself. */
  readonly ownFolders: ReadonlyArray<string>
  readonly rules: RulesInForce
  readonly auditLog: AuditLog
  readonly signedIn: SignedIn["Service"]
  readonly tape: Tape["Service"]
  /** Counts what is refused, also of answers that nobody waits for any more. */
  readonly tally: Pick<AgentTally, "refused">
}

/** Starts the agent, unless a rule denies that, and begins a session. */
export const start = Effect.fn("SuggestionSource.start")(function* (
  place: SuggestionPlace,
  dependencies: Dependencies
): Effect.fn.Return<SuggestionSource, ProviderError, Scope.Scope> {
  const { provider, providerOptions, roots } = place
  const [cwd] = roots
  const tapes = tapeOf(place)
  const offer = offerOf(place)
  const faultyRules = yield* admitted(place, tapes, dependencies)
  let sent: string | undefined
  let tape: string | undefined
  const settings = yield* SubscriptionRef.make<ReadonlyArray<SessionSetting>>([])
  /** What came before the session was known. */
  let early: ReadonlyArray<IncomingUpdate> = []
  let taken = (updates: ReadonlyArray<IncomingUpdate>) =>
    Effect.sync(() => {
      early = [...early, ...updates.filter(isAboutSettings)].slice(-mostEarly)
    })
  const visit = yield* AgentVisit.start({ provider, providerOptions, cwd }, dependencies, {
    suggestions: offer,
    onUpdates: (updates) => taken(updates),
    tape: (launch) =>
      Effect.map(taped(dependencies.tape, launch, tapes), (opened) => {
        tape = opened.path
        return SentQuestions.watched(opened, (json) => {
          sent = json
        })
      })
  })
  const { agent, client, ended, profile } = visit
  let refused: ReadonlyArray<Nes.Refusal> = []
  let unnamed = 0
  const repository = yield* Repository.of(cwd)
  const workspace = {
    workspaceUri: uriOf(cwd),
    workspaceFolders: roots.map((root) => ({ uri: uriOf(root), name: basename(root) })),
    ...(repository !== undefined && { repository })
  }
  const begun = Nes.start(client, offer, workspace, {
    textOf: textIn(yield* Containment.pin(roots), dependencies.ownFolders),
    longestDocument: longestText,
    limits: { suggestions: mostSuggestions, edits: mostEdits, characters: mostCharacters },
    onRefused: (refusal) => {
      dependencies.tally.refused(refusal.reason)
      if (refused.length < mostRefused) refused = [...refused, refusal]
      else unnamed++
    }
  })
  const scope = yield* Effect.scope
  const login = (required: AuthRequired) => signIn(visit, required, dependencies)
  const session = yield* visit
    .ask("nes/start", retryOnce(Scope.provide(begun, scope), login), startLimit)
    .pipe(Effect.mapError((error) => inOurWords(profile.name, error)))
  const settingsNow = Effect.suspend(() =>
    SubscriptionRef.set(settings, SettingsModel.fromConfigOptions(session.configOptions()))
  )
  taken = (updates) =>
    Effect.suspend(() => {
      const own = updates.filter((update) => session.take(update))
      return own.some(isAboutSettings) ? settingsNow : Effect.void
    })
  for (const update of early) session.take(update)
  yield* settingsNow
  return {
    name: profile.name,
    settings,
    setSetting: (settingId, value) =>
      visit
        .ask("session/set_config_option", session.setConfigOption(settingId, value), settingLimit)
        .pipe(Effect.mapError(SuggestionSettings.refusedByAgent), Effect.andThen(settingsNow)),
    version: agent.agentInfo?.version,
    documents: session,
    suggest: (request) =>
      Effect.suspend(() => {
        refused = []
        unnamed = 0
        return visit.ask("nes/suggest", session.suggest(request), suggestLimit)
      }).pipe(Effect.mapError((error) => inOurWords(profile.name, error))),
    refused: () => refused,
    unnamed: () => unnamed,
    sent: () => sent,
    tape,
    faultyRules,
    ends: session,
    closed: ended
  }
})

const isAboutSettings = ({ raw }: IncomingUpdate): boolean =>
  Predicate.isObject(raw) && raw["sessionUpdate"] === "config_option_update"

/** Signs in as the person has before, or as the settings say. Nobody is asked here, so it fails otherwise. */
const signIn = Effect.fnUntraced(function* (
  { client, launch, profile, provider }: AgentVisit.AgentVisit,
  required: AuthRequired,
  { signedIn }: Dependencies
) {
  const offered = required.authMethods.map(({ id }) => id)
  const methodId = (yield* signedIn.methodOf(provider)) ?? profile.authenticate(offered, launch)?.methodId
  if (methodId === undefined) return yield* required
  return yield* Effect.mapError(client.authenticate({ methodId }), () => required)
})

/** Reads files of the workspace that are not open, so that places in them can be checked. Nothing of them is sent. */
const textIn =
  (roots: ReadonlyArray<string>, own: ReadonlyArray<string>) =>
  (uri: string): Effect.Effect<string | undefined> => {
    const path = pathOf(uri)
    if (path === undefined) return Effect.succeed(undefined)
    return TextFiles.read({ roots, own, hardLinks: "read" }, path).pipe(
      Effect.map((content) => ByteOrderMark.parted(content).text),
      Effect.orElseSucceed(() => undefined)
    )
  }

const uriOf = (path: string): string => pathToFileURL(path).href

/**
 * A person has asked for suggestions, so only a rule that denies the agent stands against its start. Returns the
 * problems of rules files.
 */
const admitted = Effect.fnUntraced(function* (
  { provider, providerOptions, roots: [cwd, ...additionalDirectories] }: SuggestionPlace,
  { providerSessionId: sessionId, threadId }: TapeId,
  { auditLog, ownFolders, rules }: Dependencies
) {
  const faulty: Array<Problem> = []
  const session: SessionJudge.Session = {
    agent: provider.id,
    cwd,
    additionalDirectories,
    own: ownFolders,
    session: sessionId,
    surroundings: { base: cwd, isRemote: false, shell: basename(process.env["SHELL"] ?? "sh") },
    // A rules file that can't be understood asks people. A person has asked for this start.
    onFault: (file) => {
      const problem = RulesProblem.of(file)
      if (problem !== undefined) faulty.push(problem)
    }
  }
  const judge = yield* SessionJudge.make(session, rules)
  const decision = yield* judge.decide({ type: "agent" })
  const { effect, why } = decision
  if (effect !== "deny") return faulty
  const clock = yield* Clock.Clock
  const audit = SessionAudit.make(auditLog, {
    threadId,
    sessionId,
    agent: provider.id,
    folder: cwd,
    roots: yield* Containment.pin([cwd, ...additionalDirectories]),
    secrets: Secrets.of({ ...process.env, ...providerOptions.acp?.env }),
    now: () => clock.currentTimeMillisUnsafe()
  })
  audit.access({ kind: "agent", name: provider.id, input: { name: provider.id }, decision, effect, why })
  return yield* startRefused(provider.name, why, cwd)
})

/** Names a start where records are kept by thread. Suggestions belong to none, so they get an id that no thread has. */
const tapeOf = ({ provider }: SuggestionPlace) => ({
  threadId: ThreadId.make(`suggestions ${provider.id}`),
  providerSessionId: ProviderSessionId.make(crypto.randomUUID())
})
type TapeId = ReturnType<typeof tapeOf>

const taped = (tape: Tape["Service"], { args, env }: Launch, id: TapeId) =>
  Effect.map(tape.open({ ...id, env, secrets: SecretValues.ofArguments(args) }), (opened) => ({
    ...opened,
    // So the list of tapes shows the name as it is.
    note: (note: Parameters<typeof opened.note>[0]) =>
      opened.note(note.event === "start" ? { ...note, threadId: id.threadId } : note)
  }))

/** Explains an agent that has no suggestions, or only claims to have them. */
const inOurWords = (name: string, error: ProviderError): ProviderError => {
  const { code, evidence } = error.problem
  if (code === "unsupported")
    return providerError("unsupported", `${name} makes no suggestions.`, "It does not offer next edit suggestions.", {
      evidence
    })
  if (evidence.rpcCode !== ErrorCode.MethodNotFound) return error
  const cause = `It offers next edit suggestions, but answers ${evidence.method} as a method that it does not know.`
  return providerError("unsupported", `${name} makes no suggestions.`, cause, { evidence })
}
