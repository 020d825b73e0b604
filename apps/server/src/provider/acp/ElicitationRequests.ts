/** Forms and addresses that an agent puts to people (ACP v1, elicitation). Addresses are shown, and never fetched by us. */
import type { CreateElicitationRequest, CreateElicitationResponse } from "@signalbox/acp/AcpSchema"
import type { ElicitationHandlers } from "@signalbox/acp/Elicitations"
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { RequestOutcome } from "@signalbox/contracts/AgentRequest"
import { addressFacts } from "@signalbox/contracts/Elicitation"
import * as Effect from "effect/Effect"
import * as ElicitationForm from "./ElicitationForm.ts"
import type { Emission } from "./Emission.ts"
import type { OpenRequests, RequestDraft } from "./OpenRequests.ts"
import { placeNow, type SessionStatus } from "./SessionCore.ts"
import * as SessionProjection from "./SessionProjection.ts"
import type { StartWatch } from "./StartWatch.ts"

export interface ElicitationOptions {
  readonly projection: SessionProjection.SessionProjection
  readonly emission: Emission
  readonly requests: OpenRequests
  readonly status: SessionStatus
  /** Of the agent, for people. */
  readonly name: string
  /** Before there is a session, its start waits for people. */
  readonly watch: Pick<StartWatch, "waitsFor" | "forPeople">
}

/** Whether a request is put to people: one that can't be answered, or is of no kind that we know, is not. */
export const asksPeople = (params: CreateElicitationRequest): boolean =>
  params.mode === "url"
    ? addressFacts(params.url) !== undefined
    : params.mode === "form" && !ElicitationForm.read(params.requestedSchema).unanswerable

export const make = (options: ElicitationOptions): ElicitationHandlers<never> => {
  const { emission, name, projection, requests, status, watch } = options
  const warn = (message: string) => emission.emit(() => SessionProjection.warn(projection, message))

  /** What people are asked; undefined when nobody could answer it. */
  const draftOf = (params: CreateElicitationRequest): Effect.Effect<RequestDraft | undefined, RpcError> => {
    const common = { message: params.message, ...scopeOf(params, status.ready ? undefined : watch.waitsFor()) }
    if (params.mode === "url") {
      const { elicitationId, url } = params
      return addressFacts(url) === undefined
        ? Effect.fail(RpcError.invalidParams("Only addresses of http and https are opened"))
        : Effect.succeed({ type: "url", ...common, elicitationId, url })
    }
    if (params.mode !== "form") return Effect.fail(RpcError.invalidParams("This mode of elicitation is not known"))
    const { description, title } = params.requestedSchema
    const { fields, unanswerable, unknown } = ElicitationForm.read(params.requestedSchema)
    if (unanswerable) {
      const kinds = unknown.map(({ kind, name }) => `${name} (${kind})`).join(", ")
      warn(`${name} asked for a form that can't be filled in, and was told so: ${kinds || "a field is missing"}.`)
      return Effect.undefined
    }
    return Effect.succeed({
      type: "form",
      ...common,
      fields,
      ...(typeof title === "string" && { title }),
      ...(typeof description === "string" && { description }),
      ...(unknown.length > 0 && { omitted: unknown })
    })
  }

  return {
    modes: ["form", "url"],
    create: (params) =>
      Effect.flatMap(draftOf(params), (draft) =>
        draft === undefined
          ? Effect.succeed<CreateElicitationResponse>({ action: "decline" })
          : Effect.map(watch.forPeople(requests.ask(draft, placeNow(status))), responseOf)
      ),
    onComplete: ({ elicitationId }) => Effect.sync(() => requests.complete(elicitationId))
  }
}

/** What it belongs to: a call of the session, or a request of ours that waits while there is no session yet. */
const scopeOf = (params: CreateElicitationRequest, starting: string | undefined) => {
  if ("requestId" in params) return starting === undefined ? {} : { during: starting }
  return typeof params.toolCallId === "string" ? { toolCallId: params.toolCallId } : {}
}

const responseOf = (outcome: RequestOutcome): CreateElicitationResponse => {
  if (outcome.type !== "answered") return { action: "cancel" }
  const { response } = outcome
  if (response.type === "content") return { action: "accept", content: response.content }
  return response.type === "accept" ? { action: "accept" } : { action: "decline" }
}
