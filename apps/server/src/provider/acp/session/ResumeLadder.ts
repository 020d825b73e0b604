/**
 * Opens a session (ACP v1, session-setup). To continue one, it tries `session/resume` and then `session/load`, as far
 * as the agent offers them. If both fail, a new session replaces it, with the reason. An imported session is loaded, so
 * that people see its history. A fork is a copy of a session that continues elsewhere. Imports and forks are never
 * replaced.
 */
import type { AcpClient } from "@signalbox/acp/AcpClient"
import { AuthRequired, type RequestFailure } from "@signalbox/acp/AcpError"
import type { AgentCapabilities, McpServer } from "@signalbox/acp/AcpSchema"
import { retryOnce } from "@signalbox/acp/Authentication"
import { ConnectionClosed, RpcError } from "@signalbox/acp/JsonRpc"
import type { SessionSource } from "@signalbox/contracts/AgentSession"
import { ResumeToken } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { SessionOrigin } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { ProviderError } from "../../../base/ProviderError.ts"
import { failureProblem } from "../connection/AgentProblems.ts"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import type { Explain } from "../connection/Initialization.ts"
import type { Offer } from "../projection/SettingsModel.ts"

export interface Opened {
  readonly resumeToken: ResumeToken
  readonly origin: SessionOrigin
  readonly offer: Offer
  /** With `replaced`, the reason for it. With `resumed`, the part of the session that can't be shown. */
  readonly problem?: Problem
}

export interface Rungs {
  readonly client: AcpClient
  readonly profile: AgentProfile
  readonly capabilities: AgentCapabilities
  readonly cwd: string
  /** Sent with each call that opens a session, since agents do not keep them. */
  readonly additionalDirectories: ReadonlyArray<string>
  /** Sent with each call that opens a session, since agents do not keep them. */
  readonly mcpServers: ReadonlyArray<McpServer>
  readonly resume: ResumeToken | undefined
  /** The source of the thread's first session. Undefined after that session exists. */
  readonly from: SessionSource | undefined
  readonly explain: Explain
  /** Called with the method before each call. */
  readonly step: (method: string) => void
  /** Signs in again with the method that succeeded before, or fails with `required`. */
  readonly login: (required: AuthRequired) => Effect.Effect<unknown, RequestFailure>
  /**
   * Called around `session/load` and `session/fork`: updates in between are history. `end` runs exactly at the
   * response.
   */
  readonly replay: { readonly begin: () => void; readonly end: (loaded: boolean) => void }
}

export const open = Effect.fnUntraced(function* (rungs: Rungs): Effect.fn.Return<Opened, ProviderError> {
  const { from, resume } = rungs
  // An import has priority over `resume`: its first start may have failed after the id was stored.
  if (from?.type === "import") return yield* bringIn(rungs, from.sessionId)
  if (resume !== undefined) return yield* takeUp(rungs, resume)
  if (from?.type === "fork") return yield* fork(rungs, from.sessionId)
  return { ...(yield* create(rungs)), origin: "new" }
})

const takeUp = Effect.fnUntraced(function* (
  rungs: Rungs,
  resume: ResumeToken
): Effect.fn.Return<Opened, ProviderError> {
  const { capabilities, profile } = rungs
  let problem = cannotResume(profile.name)
  if (capabilities.sessionCapabilities?.resume) {
    const taken = yield* take(rungs, "session/resume", resume)
    if ("offer" in taken) return { resumeToken: resume, origin: "resumed", offer: taken.offer }
    problem = taken.problem
  }
  if (capabilities.loadSession === true) {
    const taken = yield* take(rungs, "session/load", resume)
    if ("offer" in taken) return { resumeToken: resume, origin: "loaded", offer: taken.offer }
    problem = taken.problem
  }
  return { ...(yield* create(rungs)), origin: "replaced", problem }
})

/** Opens an imported session. Loading comes first, since people want to see its history. */
const bringIn = Effect.fnUntraced(function* (
  rungs: Rungs,
  sessionId: ResumeToken
): Effect.fn.Return<Opened, ProviderError> {
  const { capabilities, profile } = rungs
  let problem = cannotResume(profile.name)
  if (capabilities.loadSession === true) {
    const taken = yield* take(rungs, "session/load", sessionId)
    if ("offer" in taken) return { resumeToken: sessionId, origin: "loaded", offer: taken.offer }
    problem = taken.problem
  }
  if (capabilities.sessionCapabilities?.resume) {
    const taken = yield* take(rungs, "session/resume", sessionId)
    if ("offer" in taken)
      return {
        resumeToken: sessionId,
        origin: "resumed",
        offer: taken.offer,
        problem: noHistory(profile.name, problem)
      }
    problem = taken.problem
  }
  return yield* new ProviderError({ problem })
})

const cannotResume = (name: string): Problem => ({
  code: "session-not-found",
  title: `${name} cannot go back to an earlier session.`,
  cause: "It offers neither to resume a session nor to load one.",
  evidence: {},
  nextSteps: []
})

const noHistory = (name: string, { cause, code }: Problem): Problem => ({
  code: "unsupported",
  title: "What was said before can't be shown.",
  cause: `${name} knows it, and does not send its history${code === "session-not-found" ? ": it only offers to resume." : `. ${cause}`}`,
  evidence: {},
  nextSteps: []
})

/** The parameters of every call that opens a session. */
const setupOf = ({ additionalDirectories, cwd, mcpServers }: Rungs) => ({
  cwd,
  mcpServers,
  ...(additionalDirectories.length > 0 && { additionalDirectories })
})

/**
 * Makes a call that opens a session. If a sign-in is missing that a person has made before, repeats it and the call,
 * once.
 */
const opening = <A>(
  { login, step }: Rungs,
  method: string,
  call: Effect.Effect<A, RequestFailure>
): Effect.Effect<A, RequestFailure> =>
  retryOnce(
    Effect.suspend(() => {
      step(method)
      return call
    }),
    login
  )

/**
 * Tries one method for an existing session. A failure leads to the next method, except a missing sign-in or a closed
 * connection.
 */
const take = (
  rungs: Rungs,
  method: "session/resume" | "session/load",
  sessionId: ResumeToken
): Effect.Effect<{ readonly offer: Offer } | { readonly problem: Problem }, ProviderError> => {
  const { client, explain, profile, replay } = rungs
  const params = { sessionId, ...setupOf(rungs) }
  const call =
    method === "session/resume"
      ? client.resumeSession(params)
      : withHistory(replay, (atResponse) => client.loadSession(params, atResponse))
  return opening(rungs, method, call).pipe(
    Effect.map((result) => ({ offer: offerIn(result) })),
    Effect.catch((failure) =>
      failure instanceof ConnectionClosed || failure instanceof AuthRequired
        ? Effect.flatMap(explain(method, failure), Effect.fail)
        : Effect.succeed({ problem: failureProblem(profile, method, failure) })
    )
  )
}

/** Treats all updates until the response as history. */
const withHistory = <A, E>(
  replay: Rungs["replay"],
  call: (atResponse: {
    readonly onResponse: (exit: Exit.Exit<unknown, unknown>) => Effect.Effect<void>
  }) => Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    replay.begin()
    return call({ onResponse: (exit) => Effect.sync(() => replay.end(Exit.isSuccess(exit))) })
  })

const create = (rungs: Rungs) => {
  const { client, explain, profile } = rungs
  const once = opening(rungs, "session/new", client.newSession(setupOf(rungs)))
  return once.pipe(
    Effect.catchIf(
      (failure) => failure instanceof RpcError && profile.isTransient(failure),
      () => once
    ),
    Effect.catch((failure) => Effect.flatMap(explain("session/new", failure), Effect.fail)),
    Effect.map((result) => ({ resumeToken: ResumeToken.make(result.sessionId), offer: offerIn(result) }))
  )
}

const fork = (rungs: Rungs, sessionId: ResumeToken): Effect.Effect<Opened, ProviderError> => {
  const params = { sessionId, ...setupOf(rungs) }
  // Some agents send the history of a fork, as if it were loaded.
  const call = withHistory(rungs.replay, (atResponse) => rungs.client.forkSession(params, atResponse))
  return opening(rungs, "session/fork", call).pipe(
    Effect.catch((failure) => Effect.flatMap(rungs.explain("session/fork", failure), Effect.fail)),
    Effect.map((result) => ({
      resumeToken: ResumeToken.make(result.sessionId),
      origin: "forked",
      offer: offerIn(result)
    }))
  )
}

const offerIn = ({ configOptions, models, modes }: Offer): Offer => ({
  ...(configOptions !== undefined && { configOptions }),
  ...(modes !== undefined && { modes }),
  ...(models !== undefined && { models })
})
