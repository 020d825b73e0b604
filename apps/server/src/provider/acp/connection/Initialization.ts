/** The handshake with an agent: the names of both, and a sign-in if the agent needs one (ACP v1, initialization). */
import type { AcpClient } from "@signalbox/acp/AcpClient"
import { type RequestFailure, UnsupportedVersion } from "@signalbox/acp/AcpError"
import type { InitializeResponse } from "@signalbox/acp/AcpSchema"
import * as MetaCapability from "@signalbox/acp/MetaCapability"
import type { Offer } from "@signalbox/acp/NesSchema"
import { ConnectionClosed } from "@signalbox/acp/JsonRpc"
import * as IdeOperation from "@signalbox/contracts/IdeOperation"
import * as Effect from "effect/Effect"
import { version } from "../../../base/Version.ts"
import { ProviderError } from "../../../base/ProviderError.ts"
import { failureProblem, unsupportedVersion } from "./AgentProblems.ts"
import { startExit } from "./ExitProblems.ts"
import type { AgentProfile, LaunchInput } from "../profile/AgentProfile.ts"
import type { AgentExit } from "../../agent/AgentExit.ts"
import type { Launch } from "../../agent/Launch.ts"
import * as KnownPrograms from "../profile/KnownPrograms.ts"
import type { StartWatch } from "./StartWatch.ts"

/** Explains a failed call to callers of `startSession`. If the connection closed, it waits for the process's exit. */
export type Explain = (method: string, failure: RequestFailure) => Effect.Effect<ProviderError>

/**
 * Makes an `Explain` for a connection. `exit` waits for the process's exit; `stray` returns its stdout lines that are
 * not messages. `isOver`: whether the call failed since its chain has ended.
 */
export const explainer =
  (
    profile: AgentProfile,
    input: LaunchInput,
    exit: Effect.Effect<AgentExit>,
    stray: () => ReadonlyArray<string>,
    isOver: () => boolean = () => false
  ): Explain =>
  (method, failure) =>
    failure instanceof ConnectionClosed || isOver()
      ? Effect.map(exit, (exit) => new ProviderError({ problem: startExit(profile, exit, input, stray()) }))
      : Effect.succeed(new ProviderError({ problem: failureProblem(profile, method, failure) }))

/** The name of this client in the handshake. */
export const clientInfo = { name: "signalbox", title: "Signalbox", version }

/** What this client offers an agent, beside its session handlers. */
export interface Client {
  readonly launch: Launch
  /** Whether people can use a terminal, so that the agent's program may run in it for a sign-in. */
  readonly terminalSignIn: boolean
  readonly explain: Explain
  readonly watch: Pick<StartWatch, "step">
  /** The kinds of next edit suggestions that can be shown. Undefined if none are asked for. */
  readonly suggestions?: Offer | undefined
  /** Whether an editor answers questions about code. Without one, a chain that needs answers brings an adapter. */
  readonly ideOperations?: boolean
}

export const initialize = Effect.fnUntraced(function* (
  client: AcpClient,
  profile: AgentProfile,
  { explain, ideOperations = false, launch, suggestions, terminalSignIn, watch }: Client
): Effect.fn.Return<InitializeResponse, ProviderError> {
  watch.step("initialize", KnownPrograms.firstWordsWithin(launch.command))
  const meta = Object.keys(profile.clientMeta).length > 0 && { _meta: profile.clientMeta }
  return yield* client
    .initialize({
      clientInfo,
      capabilities: {
        session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
        plan: {},
        subagents: {},
        ...suggestions,
        // The program of an agent that runs elsewhere can't be run here.
        ...(terminalSignIn && launch.remote === undefined && { auth: { terminal: true } }),
        ...(ideOperations ? MetaCapability.add({ ...meta }, IdeOperation.capability) : meta)
      }
    })
    .pipe(
      Effect.catch((failure) =>
        failure instanceof UnsupportedVersion
          ? Effect.fail(unsupportedVersion(profile, failure))
          : Effect.flatMap(explain("initialize", failure), Effect.fail)
      )
    )
})

/** Signs in if the profile has a method. Failures are ignored: `session/new` reports a missing sign-in. */
export const authenticate = (
  client: AcpClient,
  profile: AgentProfile,
  launch: Launch,
  agent: InitializeResponse
): Effect.Effect<void> => {
  const methodIds = (agent.authMethods ?? []).map(({ id }) => id)
  const choice = profile.authenticate(methodIds, launch)
  if (choice === undefined) return Effect.void
  return client.authenticate({ methodId: choice.methodId }).pipe(Effect.timeoutOption(choice.timeout), Effect.ignore)
}
