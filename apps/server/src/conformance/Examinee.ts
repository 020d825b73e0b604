/** The examined agent. Many probes share one process; a probe that needs or breaks a process gets a new one. */
import type { RequestFailure } from "@signalbox/acp/AcpError"
import * as Capabilities from "@signalbox/acp/Capabilities"
import type { Offer } from "@signalbox/acp/NesSchema"
import * as MarkedProcesses from "@signalbox/process/MarkedProcesses"
import type { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as SecretValues from "@signalbox/redaction/SecretValues"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import type { ProviderError } from "../base/ProviderError.ts"
import type { AgentProfile, LaunchInput } from "../provider/acp/profile/AgentProfile.ts"
import * as AgentSandbox from "../provider/agent/AgentSandbox.ts"
import type { Launch } from "../provider/agent/Launch.ts"
import { OwnFolders } from "../workspace/ProtectedPaths.ts"
import { least, type Limits } from "./Limits.ts"
import * as MadeSessions from "./MadeSessions.ts"
import { opened } from "./Opening.ts"
import { type Greeted, type OpenSession, sessionOf } from "./OpenSession.ts"
import { markOf } from "./ProbeMark.ts"
import * as Processes from "./Processes.ts"
import * as SharedAgent from "./SharedAgent.ts"
import * as SuggestionEditor from "./SuggestionEditor.ts"
import type { Editor } from "./SuggestionEditor.ts"
import * as SuggestionOffer from "./SuggestionOffer.ts"
import * as SuggestionRound from "./SuggestionRound.ts"
import * as ToolTurn from "./ToolTurn.ts"
import * as Turn from "./Turn.ts"

export interface Examinee extends Processes.Processes, SharedAgent.SharedAgent {
  readonly launch: Launch
  /** The secrets that are hidden in reports. */
  readonly secrets: Secrets.Secrets
  /** Whether probes may ask the agent's model. */
  readonly model: boolean
  /** The session of the shared process; none if the agent opens none. */
  readonly session: Effect.Effect<Option.Option<OpenSession>, ProviderError>
  /** A further session of the shared process, which may be used up. */
  readonly spare: Effect.Effect<Option.Option<OpenSession>, ProviderError>
  /** One turn with a small prompt, taken once for all probes; none if the agent opens no session. */
  readonly turn: Effect.Effect<Option.Option<Turn.Turn>, ProviderError>
  /** One turn that needs a tool, taken once for all probes; none if the agent opens no session. */
  readonly toolTurn: Effect.Effect<Option.Option<ToolTurn.ToolTurn>, ProviderError>
  /** Opens an editor for suggestions, whose session ends with the scope. */
  readonly editor: (agent: Greeted, offer: Offer) => Effect.Effect<Editor, RequestFailure, Scope.Scope>
  /** Questions for suggestions in the shared process, asked once for all probes; none if the agent starts no session. */
  readonly suggestions: Effect.Effect<Option.Option<SuggestionRound.Round>, ProviderError>
  /** One question in a process that was offered edits only; none if the agent starts no session. */
  readonly plainSuggestions: Effect.Effect<Option.Option<SuggestionRound.Round>, ProviderError>
  /** Asks the agent to delete the sessions that probes made, if it claims that it can. */
  readonly tidy: Effect.Effect<void, ProviderError>
}

export interface Options {
  readonly input: LaunchInput
  readonly profile: AgentProfile
  readonly ledger: ProcessLedger["Service"]
  readonly model: boolean
  readonly limits?: Partial<Limits> | undefined
}

/** Makes an examinee. Closing the scope ends all of its processes, and processes that they left behind. */
export const make = Effect.fnUntraced(function* (options: Options) {
  const { input, ledger, limits: wished, model, profile: anonymous } = options
  const profile = { ...anonymous, name: input.provider.name }
  const found = yield* profile.launch(input)
  const mark = markOf(randomUUID())
  const launch: Launch = { ...found, env: { ...found.env, [mark.name]: mark.value } }
  const secrets = Secrets.of({ ...process.env, ...launch.env }, SecretValues.ofArguments(launch.args))
  // Runs last. By then all processes have ended, but not those that left their groups.
  yield* Effect.addFinalizer(() => Effect.sync(() => MarkedProcesses.end(mark.text)))
  const folder = input.cwd
  const made = MadeSessions.make()
  const floor: Limits = { ...least, ...wished }
  const own = yield* OwnFolders
  const sandbox = yield* AgentSandbox.make({ ...input, launch, folders: [folder], own })
  const processes = Processes.make({ launch, sandbox, profile, ledger, secrets, folder, floor, sessions: made })
  const { another, limits } = processes
  const shared = yield* SharedAgent.make(another())
  const { agent } = shared

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
  const editor: Examinee["editor"] = (agent, offer) =>
    Effect.provideService(SuggestionEditor.open(agent, processes, offer), OwnFolders, own)
  const suggestions: Examinee["suggestions"] = yield* Effect.cached(
    Effect.gen(function* () {
      const one = yield* agent
      const round = yield* SuggestionRound.whole(one, processes, editor(one, SuggestionOffer.everything))
      // The next probe needs a process that answers.
      if (Option.exists(round, SuggestionRound.hasStopped)) yield* shared.renew
      return round
    })
  )
  const plainSuggestions: Examinee["plainSuggestions"] = yield* Effect.cached(
    Effect.gen(function* () {
      const offer = SuggestionOffer.editsOnly
      return yield* SuggestionRound.short(editor(yield* another({}, offer), offer))
    }).pipe(Effect.scoped)
  )
  const tidy: Examinee["tidy"] = Effect.gen(function* () {
    if (made.ids().size === 0) return
    const { claims, wire } = yield* agent
    if (Capabilities.missingForMethod(claims, "session/delete") !== undefined) return
    for (const sessionId of made.ids()) yield* wire.ask("session/delete", { sessionId }, "3 seconds")
  })

  return {
    ...processes,
    ...shared,
    launch,
    secrets,
    model,
    session,
    spare,
    turn,
    toolTurn,
    editor,
    suggestions,
    plainSuggestions,
    tidy
  } satisfies Examinee
})
