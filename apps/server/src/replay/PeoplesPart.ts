/**
 * Finds the acts of people in the client's recorded messages. The client sent all other messages by itself, and will
 * again.
 */
import { ContentBlock, CreateElicitationRequest, RequestPermissionRequest } from "@signalbox/acp/AcpSchema"
import type { RequestResponse } from "@signalbox/contracts/AgentRequest"
import { FormContent } from "@signalbox/contracts/Elicitation"
import type { PromptPart } from "@signalbox/contracts/Content"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { toPromptPart } from "../provider/acp/projection/ContentMapping.ts"
import { asksPeople } from "../provider/acp/requests/ElicitationRequests.ts"
import { ambiguousId } from "../provider/acp/session/SessionHandlers.ts"
import { objectOf, textOf } from "../base/Json.ts"
import type { RecordedActions } from "../provider/drivers/Driver.ts"

export type Act =
  | { readonly type: "prompt"; readonly prompt: ReadonlyArray<PromptPart> }
  /** A prompt in the middle of a turn. */
  | { readonly type: "steer"; readonly prompt: ReadonlyArray<PromptPart> }
  /** If the agent does not stop, the client repeats the cancel by itself. */
  | { readonly type: "cancel" }
  /** `request` counts the requests to people, from 0. */
  | { readonly type: "answer"; readonly request: number; readonly response: RequestResponse }
  /** The client also sends this by itself, while the session starts. */
  | { readonly type: "setting"; readonly settingId: string; readonly value: SettingValue }

const Prompt = Schema.Struct({ params: Schema.Struct({ prompt: Schema.Array(ContentBlock) }) })
const readPrompt = Schema.decodeUnknownOption(Prompt)

const permission = "session/request_permission"
const elicitation = "elicitation/create"

/** Reads the lines of one process in their order. */
export interface PeoplesPart {
  /** Takes a message of the agent. */
  readonly see: (message: unknown) => void
  /** The number of requests to people so far. */
  readonly asked: () => number
  /** The act of a person in a message of the client. Undefined if the client sent it by itself. */
  readonly actIn: (message: unknown) => Act | undefined
}

interface Asked {
  readonly method: string
  readonly number: number
}

/** `special`: requests that only this kind of agent makes. */
export const make = (special: RecordedActions): PeoplesPart => {
  const asked = new Map<string, Asked>()
  let count = 0

  const answerIn = (message: ReturnType<typeof objectOf>): Act | undefined => {
    const id = JSON.stringify(message["id"])
    const question = asked.get(id)
    if (question === undefined) return undefined
    asked.delete(id)
    const response =
      question.method === permission
        ? optionIn(message["result"])
        : question.method === elicitation
          ? elicitedIn(message["result"])
          : special.responseIn(question.method, message["result"])
    return response === undefined ? undefined : { type: "answer", request: question.number, response }
  }

  return {
    see: (incoming) => {
      const message = objectOf(incoming)
      const method = textOf(message, "method")
      if (method === undefined || message["id"] === undefined) return
      const asks = asksPermission(message) || special.asks(method) || elicits(message)
      if (!asks) return
      asked.set(JSON.stringify(message["id"]), { method, number: count })
      count += 1
    },
    asked: () => count,
    actIn: (outgoing) => {
      const message = objectOf(outgoing)
      const method = textOf(message, "method")
      const params = objectOf(message["params"])
      switch (method) {
        case undefined:
          return answerIn(message)
        case "session/prompt":
          return promptIn(message, "prompt")
        case "_session/steering":
          return promptIn(message, "steer")
        case "session/cancel":
          return { type: "cancel" }
        case "session/set_config_option":
          return settingOf(textOf(params, "configId"), params["value"])
        case "session/set_mode":
          return settingOf("mode", params["modeId"])
        case "session/set_model":
          return settingOf("model", params["modelId"])
        default:
          return undefined
      }
    }
  }
}

const promptIn = (message: unknown, type: "prompt" | "steer"): Act | undefined =>
  Option.getOrUndefined(
    Option.map(readPrompt(message), ({ params: { prompt } }) => ({
      type,
      prompt: prompt.flatMap((it) => toPromptPart(it) ?? [])
    }))
  )

const optionIn = (result: unknown): RequestResponse | undefined => {
  const optionId = textOf(objectOf(objectOf(result)["outcome"]), "optionId")
  return optionId === undefined ? undefined : { type: "option", optionId }
}

const Permission = Schema.Struct({ method: Schema.Literal(permission), params: RequestPermissionRequest })
const readPermission = Schema.decodeUnknownOption(Permission)

/**
 * Whether a message asks people for permission. A request with two options of the same id is refused without people. An
 * unreadable request is refused too, and its recording has no answer.
 */
const asksPermission = (message: unknown): boolean =>
  Option.match(readPermission(message), {
    onNone: () => objectOf(message)["method"] === permission,
    onSome: ({ params }) => ambiguousId(params) === undefined
  })

const Elicitation = Schema.Struct({ method: Schema.Literal(elicitation), params: CreateElicitationRequest })
const readElicitation = Schema.decodeUnknownOption(Elicitation)

/** Whether a message asks people by a form or an address. Some of these are answered without people. */
const elicits = (message: unknown): boolean =>
  Option.match(readElicitation(message), { onNone: () => false, onSome: ({ params }) => asksPeople(params) })

const readContent = Schema.decodeUnknownOption(FormContent)

/** The recorded answer. An accepted form has its values; an accepted address has none. */
const elicitedIn = (result: unknown): RequestResponse | undefined => {
  const { action, content } = objectOf(result)
  if (action === "decline") return { type: "reject" }
  if (action !== "accept") return undefined
  return Option.match(readContent(content), {
    onNone: () => ({ type: "accept" }),
    onSome: (content) => ({ type: "content", content })
  })
}

const settingOf = (settingId: string | undefined, value: unknown): Act | undefined =>
  settingId !== undefined && (typeof value === "string" || typeof value === "boolean")
    ? { type: "setting", settingId, value }
    : undefined
