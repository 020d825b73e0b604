/** `cursor/update_todos`: the whole to-do list, or with `merge` only its changes. */
import type { RpcError } from "@signalbox/acp/JsonRpc"
import * as Wire from "@signalbox/acp/Wire"
import type { PlanEntry } from "@signalbox/contracts/AgentRequest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ExtensionContext } from "../../../acp/profile/AgentProfile.ts"
import * as Todos from "../Todos.ts"
import * as Params from "./Params.ts"

export const method = "cursor/update_todos"

interface UpdateTodos {
  readonly todos: ReadonlyArray<Todos.Todo>
  readonly merge?: boolean
}

const UpdateTodos: Schema.Codec<UpdateTodos, unknown> = Schema.Struct({
  todos: Wire.skipInvalid(Todos.Todo),
  merge: Wire.lenient(Schema.Boolean)
})

const read = Params.reader(method, UpdateTodos)

export interface Answer {
  readonly outcome: "accepted"
  readonly todos: ReadonlyArray<Pick<PlanEntry, "id" | "content" | "status">>
}

export const handle = Effect.fnUntraced(function* (
  params: unknown,
  context: ExtensionContext
): Effect.fn.Return<{ readonly outcome: Answer }, RpcError> {
  const { merge = false, todos } = yield* read(params, context)
  const { plan } = context
  const lost = Todos.unreadable(plan, todos)
  if (lost > 0)
    yield* context.warn(
      `Cursor changed ${lost === 1 ? "a to-do" : `${lost} to-dos`} without saying what to do, and of which we know nothing.`,
      JSON.stringify(todos)
    )
  const entries = merge ? Todos.merging(plan, todos) : Todos.replacing(plan, todos)
  if (!Todos.samePlan(plan, entries)) yield* context.setPlan(entries)
  return {
    outcome: {
      outcome: "accepted",
      todos: entries.map(({ content, id, status }) =>
        id === undefined ? { content, status } : { id, content, status }
      )
    }
  }
})
