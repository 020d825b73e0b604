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

/** Needs an answer, so that it makes no sense as a notification. */
const asking = [AskQuestion, CreatePlan]
/** Tells something; the answer only confirms it. */
const telling = [UpdateTodos, Task, GenerateImage]

type Handle = (params: unknown, context: ExtensionContext) => Effect.Effect<unknown, RpcError>

const requests = new Map<string, Handle>([...asking, ...telling].map(({ handle, method }) => [method, handle]))
const notifications = new Map<string, Handle>(telling.map(({ handle, method }) => [method, handle]))

/** The one answer to a request, in the documented shape; what we do not know (`cursor/canvas` …) fails with −32601. */
export const request = (
  method: string,
  params: unknown,
  context: ExtensionContext
): Effect.Effect<unknown, RpcError> => {
  const handle = requests.get(method)
  return handle === undefined ? Effect.fail(RpcError.methodNotFound(method)) : handle(params, context)
}

/** A refusal has been told to people as a warning already; a notification has nobody else to tell. */
export const notification = (method: string, params: unknown, context: ExtensionContext): Effect.Effect<void> => {
  const handle = notifications.get(method)
  return handle === undefined ? Effect.void : Effect.ignore(handle(params, context))
}

const askingMethods = new Map(asking.map(({ method, responseIn }) => [method, responseIn]))

/** Whether a method puts something to people. */
export const asks = (method: string): boolean => askingMethods.has(method)

/** What people had answered when a method that asks gave this result; undefined where it was nobody's answer. */
export const responseIn = (method: string, result: unknown): RequestResponse | undefined =>
  askingMethods.get(method)?.(result)
