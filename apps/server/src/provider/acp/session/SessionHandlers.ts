/** Handles what the agent sends by itself: updates, requests and notifications. */
import type { Handlers } from "@signalbox/acp/AcpClient"
import type { RequestPermissionRequest, RequestPermissionResponse } from "@signalbox/acp/AcpSchema"
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as ComponentMeta from "@signalbox/contracts/ComponentMeta"
import type { RequestOutcome } from "@signalbox/contracts/AgentRequest"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import * as Effect from "effect/Effect"
import type { Secrets } from "@signalbox/redaction/Secrets"
import type { AgentProfile, ExtensionContext } from "../profile/AgentProfile.ts"
import type * as Emission from "../projection/Emission.ts"
import type { EventOutlet } from "../../Services/EventOutlet.ts"
import * as Issues from "../connection/Issues.ts"
import { compact } from "../../../base/Json.ts"
import type * as EditorIde from "../requests/EditorIde.ts"
import type { OpenRequests } from "../requests/OpenRequests.ts"
import { placeNow, type SessionStatus } from "./SessionCore.ts"
import * as FileProjection from "../projection/FileProjection.ts"
import * as PlanProjection from "../projection/PlanProjection.ts"
import * as SessionProjection from "../projection/SessionProjection.ts"
import * as Warnings from "../projection/Warnings.ts"

export interface HandlerOptions {
  readonly profile: AgentProfile
  readonly projection: SessionProjection.SessionProjection
  readonly emission: Emission.Emission
  readonly requests: OpenRequests
  readonly status: SessionStatus
  readonly outlet: EventOutlet
  readonly secrets: Secrets
}

/**
 * Makes the handlers for every agent. Services that depend on settings are added elsewhere.
 *
 * @param ide answers questions about code, if an editor does
 */
export const make = (options: HandlerOptions, ide?: EditorIde.Answer): Handlers => {
  const { emission, outlet, profile, projection, requests, status } = options
  const reportOf = Issues.reporter(profile, options.secrets)
  const context = extensionContext(options)
  const takesIn = intake(options)

  return {
    onUpdates: (batch) => {
      if (!takesIn()) return Effect.void
      emission.project(batch)
      requests.callsChanged()
      return outlet.isFull() ? outlet.room : Effect.void
    },
    requestPermission: (params) =>
      Effect.suspend(() => {
        if (!takesIn()) return Effect.succeed(permissionResponse({ type: "cancelled" }))
        const ambiguous = ambiguousId(params)
        if (ambiguous !== undefined) {
          const message = `${profile.name} asked for permission with two answers of one id, “${ambiguous}”. It was refused: nobody can know which of them would be taken.`
          emission.emit((projection) => Warnings.warn(projection, message, compact(params.options)))
          return Effect.fail(RpcError.invalidParams(`Two options have the id ${JSON.stringify(ambiguous)}`))
        }
        const place = placeNow(status)
        if (!requests.admits(params, place)) return Effect.succeed(permissionResponse({ type: "cancelled" }))
        const now = callOf(params, options)
        // The request's fields may also change what another request about this call shows, and a call that was allowed.
        requests.callsChanged()
        const reason = reasonOf(params)
        const draft = {
          type: "approval",
          options: params.options.map(({ kind, name, optionId }) => ({ optionId, name, kind })),
          ...(reason !== undefined && { reason }),
          ...(ComponentMeta.isForPeople(params._meta) && { onlyPeople: true as const }),
          ...(projection.seal.takes(params._meta) && { byComponent: true as const })
        } as const
        return Effect.map(requests.approve(draft, place, now), permissionResponse)
      }),
    extRequest: (method, params) =>
      ide?.(method, params) ??
      Effect.suspend(() =>
        takesIn()
          ? profile.extensionRequest(method, params, context)
          : Effect.fail(RpcError.internal("Too much was said before there is a session"))
      ),
    extNotification: ({ method, params }) =>
      Effect.suspend(() => (takesIn() ? profile.extensionNotification(method, params, context) : Effect.void)),
    onIssue: (issue) => {
      const report = reportOf(issue)
      if (report === undefined) return
      emission.emit((projection) => Warnings.warn(projection, report.message, report.detail, report.line))
    }
  }
}

/**
 * Whether an update is accepted. An agent that floods instead of answering can't be paused, since its answer comes
 * after the flood. So updates beyond a limit are dropped until the session is announced, with one warning.
 */
const intake = ({ emission, profile, projection }: HandlerOptions): (() => boolean) => {
  let told = false
  return () => {
    if (projection.replay !== undefined || !emission.isFull()) return true
    if (!told) {
      told = true
      const message = `${profile.name} said too much before its session had begun. What came after that was left out.`
      emission.emit((projection) => Warnings.warn(projection, message))
    }
    return false
  }
}

/** The first option id that occurs more than once. */
export const ambiguousId = ({ options }: RequestPermissionRequest): string | undefined => {
  const ids = new Set<string>()
  for (const { optionId } of options) {
    if (ids.has(optionId)) return optionId
    ids.add(optionId)
  }
  return undefined
}

/** The call that the request asks about. The result reads its latest state. */
const callOf = (
  { toolCall }: RequestPermissionRequest,
  { emission, projection, requests }: HandlerOptions
): (() => ToolCall) => {
  const isAsked = requests.asksAbout(toolCall.toolCallId)
  let now: (() => ToolCall) | undefined
  emission.emit((projection) => {
    now = SessionProjection.callOfRequest(projection, toolCall, isAsked)
  })
  return now ?? SessionProjection.callOfRequest(projection, toolCall, isAsked)
}

/** The reason for the request: the text in its content. */
const reasonOf = ({ toolCall }: RequestPermissionRequest): string | undefined => {
  const texts = (toolCall.content ?? []).flatMap((piece) =>
    piece.type === "content" && piece.content.type === "text" ? [piece.content.text] : []
  )
  return texts.length === 0 ? undefined : texts.join("\n")
}

/** The response to a permission request: the option that a person chose, by the agent's own id, or else `cancelled`. */
const permissionResponse = (outcome: RequestOutcome): RequestPermissionResponse =>
  outcome.type === "answered" && outcome.response.type === "option"
    ? { outcome: { outcome: "selected", optionId: outcome.response.optionId } }
    : { outcome: { outcome: "cancelled" } }

const extensionContext = ({ emission, projection, requests, status }: HandlerOptions): ExtensionContext => {
  const tell = (step: Emission.Step) => Effect.sync(() => emission.emit(step))
  return {
    ask: (request) => Effect.suspend(() => requests.ask(request, placeNow(status))),
    get plan() {
      return projection.plan
    },
    setPlan: (entries) => tell((projection) => PlanProjection.set(projection, entries)),
    subagent: (update) => tell((projection) => SessionProjection.tellSubagent(projection, update)),
    fileGenerated: (file) => tell((projection) => FileProjection.generated(projection, file)),
    warn: (message, detail) => tell((projection) => Warnings.warn(projection, message, detail))
  }
}
