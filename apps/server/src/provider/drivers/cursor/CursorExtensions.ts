/**
 * Cursor's own methods. On the wire all of them are requests, though its documentation calls some notifications; both forms
 * do the same here. They name no session: the connection that they arrive on has only one.
 */
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { RequestResponse } from "@signalbox/contracts/AgentRequest"
import * as Effect from "effect/Effect"
import type { ExtensionContext } from "../../acp/profile/AgentProfile.ts"
import * as AskQuestion from "./extensions/AskQuestion.ts"
import * as CreatePlan from "./extensions/CreatePlan.ts"
import * as GenerateImage from "./extensions/GenerateImage.ts"
import * as Task from "./extensions/Task.ts"
import * as UpdateTodos from "./extensions/UpdateTodos.ts"

/** Methods that need an answer, so they make no sense as notifications. */
const asking = [AskQuestion, CreatePlan]
/** Methods that report something. Their answer only confirms it. */
const telling = [UpdateTodos, Task, GenerateImage]

type Handle = (params: unknown, context: ExtensionContext) => Effect.Effect<unknown, RpcError>

const requests = new Map<string, Handle>([...asking, ...telling].map(({ handle, method }) => [method, handle]))
const notifications = new Map<string, Handle>(telling.map(({ handle, method }) => [method, handle]))

/** Answers a request in the documented form. An unknown method, e.g. `cursor/canvas`, fails with −32601. */
export const request = (
  method: string,
  params: unknown,
  context: ExtensionContext
): Effect.Effect<unknown, RpcError> => {
  const handle = requests.get(method)
  return handle === undefined ? Effect.fail(RpcError.methodNotFound(method)) : handle(params, context)
}

/**
 * Handles a notification. Its error is ignored, since a refusal already gave a warning and a notification has no
 * answer.
 */
export const notification = (method: string, params: unknown, context: ExtensionContext): Effect.Effect<void> => {
  const handle = notifications.get(method)
  return handle === undefined ? Effect.void : Effect.ignore(handle(params, context))
}

const askingMethods = new Map(asking.map(({ method, responseIn }) => [method, responseIn]))

/** Whether a method asks people. */
export const asks = (method: string): boolean => askingMethods.has(method)

/** The people's answer that led to this result of an asking method. Undefined if the result was nobody's answer. */
export const responseIn = (method: string, result: unknown): RequestResponse | undefined =>
  askingMethods.get(method)?.(result)
