/**
 * How a session comes to be. One to resume is resumed if the agent offers that, else loaded. Only if neither works does a new one stand in
 * for it, with the reason why (ACP v1, session-setup). One that the agent has kept is loaded, so that its history can be seen. A copy is
 * made of one that goes on elsewhere; nothing stands in for these.
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
  /** With `replaced`: why. With `resumed`: what of it can't be shown. */
  readonly problem?: Problem
}

export interface Rungs {
  readonly client: AcpClient
  readonly profile: AgentProfile
  readonly capabilities: AgentCapabilities
  readonly cwd: string
  /** Told anew with each session that is opened: agents do not remember them. */
  readonly additionalDirectories: ReadonlyArray<string>
  /** Likewise. */
  readonly mcpServers: ReadonlyArray<McpServer>
  readonly resume: ResumeToken | undefined
  /** The source of the first session, until there was one. */
  readonly from: SessionSource | undefined
  readonly explain: Explain
  /** Told of each call before it is made. */
  readonly step: (method: string) => void
  /** Signs in by itself, as somebody has before, or fails with what it is given. */
  readonly login: (required: AuthRequired) => Effect.Effect<unknown, RequestFailure>
  /** Around `session/load` and `session/fork`: what comes in between is history. `end` runs exactly at the response. */
  readonly replay: { readonly begin: () => void; readonly end: (loaded: boolean) => void }
}

export const open = Effect.fnUntraced(function* (rungs: Rungs): Effect.fn.Return<Opened, ProviderError> {
  const { from, resume } = rungs
  // Also where its id is known already: the first start may have come to nothing before anything was told.
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

/** People want to see what was said: so it is loaded where that can be done. */
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

/** What every session is opened with. */
const setupOf = ({ additionalDirectories, cwd, mcpServers }: Rungs) => ({
  cwd,
  mcpServers,
  ...(additionalDirectories.length > 0 && { additionalDirectories })
})

/** One call that opens a session; where a login is missing that somebody has given before, it is given again, once. */
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

/** One rung for a session that exists. A session that is gone leads to the next rung; a missing login or process does not. */
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

/** What comes until the response is history. */
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
  // Some agents tell the history of a copy, as if it were loaded.
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
