/**
 * How a session comes to be. One to take up again is resumed if the agent offers that, else loaded, and only if neither
 * works does a new one stand in for it, with the reason why (ACP v1, session-setup).
 */
import type { AcpClient } from "@signalbox/acp/AcpClient"
import { MalformedResult } from "@signalbox/acp/AcpError"
import { type AgentCapabilities, NewSessionResponse } from "@signalbox/acp/AcpSchema"
import { ConnectionClosed, ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import * as Lenient from "@signalbox/acp/Lenient"
import { ResumeToken } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { SessionOrigin } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { ProviderError } from "../Services/ProviderError.ts"
import { failureProblem } from "./AgentProblems.ts"
import type { AgentProfile } from "./AgentProfile.ts"
import type { Explain } from "./Initialization.ts"
import { objectOf } from "./Json.ts"
import type { LegacyModels, Offer } from "./SettingsModel.ts"

export interface Opened {
  readonly resumeToken: ResumeToken
  readonly origin: SessionOrigin
  readonly offer: Offer
  /** With `replaced`: why. */
  readonly problem?: Problem
}

export interface Rungs {
  readonly client: AcpClient
  readonly profile: AgentProfile
  readonly capabilities: AgentCapabilities
  readonly cwd: string
  readonly resume: ResumeToken | undefined
  readonly explain: Explain
  /** Told of each call before it is made. */
  readonly step: (method: string) => void
  /** Around `session/load`: what comes in between is history. `end` runs exactly at the response. */
  readonly replay: { readonly begin: () => void; readonly end: (loaded: boolean) => void }
}

const LegacyResult = Schema.Struct({
  models: Schema.Struct({
    currentModelId: Schema.optionalKey(Schema.NullOr(Schema.String)),
    availableModels: Schema.Array(
      Schema.Struct({
        modelId: Schema.String,
        name: Schema.optionalKey(Schema.NullOr(Schema.String)),
        description: Schema.optionalKey(Schema.NullOr(Schema.String))
      })
    )
  })
})

const readNew = Lenient.reader(NewSessionResponse)
const readLegacy = Schema.decodeUnknownExit(LegacyResult)

export const open = Effect.fnUntraced(function* (rungs: Rungs): Effect.fn.Return<Opened, ProviderError> {
  const { capabilities, profile, resume } = rungs
  if (resume === undefined) return { ...(yield* create(rungs)), origin: "new" }
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

const cannotResume = (name: string): Problem => ({
  code: "session-not-found",
  title: `${name} cannot go back to an earlier session.`,
  cause: "It offers neither to resume a session nor to load one.",
  evidence: {},
  nextSteps: []
})

/** One rung for a session that exists. A session that is gone leads to the next rung; a missing login or process does not. */
const take = (
  { client, cwd, explain, profile, replay, step }: Rungs,
  method: "session/resume" | "session/load",
  sessionId: ResumeToken
): Effect.Effect<{ readonly offer: Offer } | { readonly problem: Problem }, ProviderError> => {
  const loading = method === "session/load"
  step(method)
  if (loading) replay.begin()
  return client
    .extRequest(
      method,
      { sessionId, cwd, mcpServers: [] },
      { onResponse: (exit) => Effect.sync(() => (loading ? replay.end(Exit.isSuccess(exit)) : undefined)) }
    )
    .pipe(
      // The answer need not repeat the id.
      Effect.flatMap((result) => read(method, { ...objectOf(result), sessionId })),
      Effect.map(({ offer }) => ({ offer })),
      Effect.catch((failure) => {
        const fatal =
          failure instanceof ConnectionClosed ||
          (failure instanceof RpcError && failure.code === ErrorCode.AuthRequired)
        return fatal
          ? Effect.flatMap(explain(method, failure), Effect.fail)
          : Effect.succeed({ problem: failureProblem(profile, method, failure) })
      })
    )
}

const create = ({ client, cwd, explain, profile, step }: Rungs) => {
  const once = Effect.suspend(() => {
    step("session/new")
    return client.extRequest("session/new", { cwd, mcpServers: [] })
  }).pipe(Effect.flatMap((result) => read("session/new", result)))
  return once.pipe(
    Effect.catchIf(
      (failure) => failure instanceof RpcError && profile.isTransient(failure),
      () => once
    ),
    Effect.catch((failure) => Effect.flatMap(explain("session/new", failure), Effect.fail))
  )
}

/** Reads the result with the models that are no part of the protocol. */
const read = (method: string, result: unknown) => {
  const session = readNew(result)
  if (Result.isFailure(session)) return Effect.fail(new MalformedResult({ method, message: session.failure, result }))
  const { configOptions, modes, sessionId } = session.success.value
  const legacy = readLegacy(result)
  const models: LegacyModels | undefined = Exit.isSuccess(legacy) ? legacy.value.models : undefined
  const offer: Offer = {
    ...(configOptions !== undefined && { configOptions }),
    ...(modes !== undefined && { modes }),
    ...(models !== undefined && { models })
  }
  return Effect.succeed({ resumeToken: ResumeToken.make(sessionId), offer })
}
