/** Shows an agent's forms and addresses to people (ACP v1, elicitation). Signalbox never fetches an address. */
import type { CreateElicitationRequest, CreateElicitationResponse } from "@signalbox/acp/AcpSchema"
import type { ElicitationHandlers } from "@signalbox/acp/ClientHandlers"
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { RequestOutcome } from "@signalbox/contracts/AgentRequest"
import { addressFacts } from "@signalbox/contracts/Elicitation"
import * as Effect from "effect/Effect"
import * as ElicitationForm from "./ElicitationForm.ts"
import type { AccessGuard } from "./AccessGuard.ts"
import type { OpenRequests, RequestDraft } from "./OpenRequests.ts"

export interface ElicitationOptions {
  /** Shows the request to people, and waits for its end. */
  readonly ask: (draft: RequestDraft) => Effect.Effect<RequestOutcome>
  readonly requests: Pick<OpenRequests, "complete">
  /** The agent's name, for people. */
  readonly name: string
  /** The call that waits for the agent before the session is announced. Undefined afterwards. */
  readonly during: () => string | undefined
  readonly warn: (message: string) => void
  /** Why an address is not put to people. Undefined if it is. */
  readonly refusalOf?: AccessGuard["refusalOf"]
}

/** Whether people are asked. A request that can't be answered, or of an unknown kind, is not shown. */
export const asksPeople = (params: CreateElicitationRequest): boolean =>
  params.mode === "url"
    ? addressFacts(params.url) !== undefined
    : params.mode === "form" && !ElicitationForm.read(params.requestedSchema).unanswerable

export const make = (options: ElicitationOptions): ElicitationHandlers<never> => {
  const { ask, during, name, refusalOf = () => Effect.undefined, requests, warn } = options

  /** The request for people. Undefined if nobody could answer it. */
  const draftOf = (params: CreateElicitationRequest): Effect.Effect<RequestDraft | undefined, RpcError> => {
    const common = { message: params.message, ...scopeOf(params, during()) }
    if (params.mode === "url") {
      const { elicitationId, url } = params
      if (addressFacts(url) === undefined)
        return Effect.fail(RpcError.invalidParams("Only addresses of http and https are opened"))
      return Effect.map(refusalOf(url), (refusal) => {
        if (refusal === undefined) return { type: "url", ...common, elicitationId, url }
        warn(`${name} asked you to open an address. The request was declined: ${refusal}`)
        return undefined
      })
    }
    if (params.mode !== "form") return Effect.fail(RpcError.invalidParams("This mode of elicitation is not known"))
    const { description, title } = params.requestedSchema
    const { fields, unanswerable, unknown } = ElicitationForm.read(params.requestedSchema)
    if (unanswerable) {
      const kinds = unknown.map(({ kind, name }) => `${name} (${kind})`).join(", ")
      warn(
        `${name} asked for a form that can't be filled in, and its request was declined: ${kinds || "a field is missing"}.`
      )
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
          : Effect.map(ask(draft), responseOf)
      ),
    onComplete: ({ elicitationId }) => Effect.sync(() => requests.complete(elicitationId))
  }
}

/** What the request belongs to: a call of the session, or before the session, the call that waits. */
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
