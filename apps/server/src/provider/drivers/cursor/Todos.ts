/**
 * Cursor's to-do lists. They come as a `cursor/update_todos` request or as a notification of that name. Or they are only in the input of an
 * `updateTodos` tool call. Statuses have two spellings (`in_progress`, `TODO_STATUS_IN_PROGRESS`).
 */
import * as Lenient from "@signalbox/acp/Lenient"
import * as Wire from "@signalbox/acp/Wire"
import type { PlanEntry } from "@signalbox/contracts/AgentRequest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** A to-do. Every member may be missing: an update of a known item may have only its id and status. */
export interface Todo {
  readonly id?: string
  readonly content?: string
  readonly title?: string
  readonly status?: string
}

export const Todo: Schema.Codec<Todo, unknown> = Schema.Struct({
  id: Wire.lenient(Schema.String),
  content: Wire.lenient(Schema.String),
  title: Wire.lenient(Schema.String),
  status: Wire.lenient(Schema.String)
})

const TodoList: Schema.Codec<ReadonlyArray<Todo>, unknown> = Wire.skipInvalid(Todo)

const readList = Lenient.reader(TodoList)

/** The readable items of a list. Undefined if the input is no list. */
export const readTodos = (input: unknown): ReadonlyArray<Todo> | undefined => {
  const read = readList(input)
  return Result.isSuccess(read) ? read.success.value : undefined
}

const textOf = ({ content, title }: Todo): string | undefined => content ?? title

/** The status in our spelling. Undefined if it is missing or unknown. */
const statusOf = (status: string | undefined): PlanEntry["status"] | undefined => {
  const word = status?.toLowerCase().replace(/^todo_status_/, "") ?? ""
  switch (word) {
    case "pending":
      return "pending"
    case "in_progress":
      return "in_progress"
    case "completed":
      return "completed"
    case "cancelled":
    case "canceled":
      return "cancelled"
    default:
      return undefined
  }
}

/** The plan entry for a to-do. Undefined if the to-do has neither a text nor a known entry. */
const entryOf = (todo: Todo, known: PlanEntry | undefined): PlanEntry | undefined => {
  const content = textOf(todo) || known?.content
  if (content === undefined) return undefined
  const id = todo.id ?? known?.id
  return {
    ...(id !== undefined && { id }),
    content,
    status: statusOf(todo.status) ?? known?.status ?? "pending",
    ...(known?.priority !== undefined && { priority: known.priority })
  }
}

const knownAs = (plan: ReadonlyArray<PlanEntry>, todo: Todo): number =>
  plan.findIndex((entry) => (todo.id === undefined ? entry.content === textOf(todo) : entry.id === todo.id))

/** The plan that a whole list gives. Known items keep what the list leaves out. */
export const replacing = (plan: ReadonlyArray<PlanEntry>, todos: ReadonlyArray<Todo>): ReadonlyArray<PlanEntry> =>
  todos.flatMap((todo) => entryOf(todo, plan[knownAs(plan, todo)]) ?? [])

/** The plan with these items changed or added. Other items stay. */
export const merging = (plan: ReadonlyArray<PlanEntry>, todos: ReadonlyArray<Todo>): ReadonlyArray<PlanEntry> => {
  const merged = [...plan]
  for (const todo of todos) {
    const index = knownAs(merged, todo)
    const entry = entryOf(todo, merged[index])
    if (entry === undefined) continue
    if (index === -1) merged.push(entry)
    else merged[index] = entry
  }
  return merged
}

/** The number of items that can't be shown, since they have neither a text nor a known entry. */
export const unreadable = (plan: ReadonlyArray<PlanEntry>, todos: ReadonlyArray<Todo>): number =>
  todos.filter((todo) => entryOf(todo, plan[knownAs(plan, todo)]) === undefined).length

/** Whether any item belongs to the plan. If none does, the list is a new one, whatever it claims. */
export const concerns = (plan: ReadonlyArray<PlanEntry>, todos: ReadonlyArray<Todo>): boolean =>
  todos.some((todo) => knownAs(plan, todo) !== -1)

export const samePlan = (a: ReadonlyArray<PlanEntry>, b: ReadonlyArray<PlanEntry>): boolean =>
  a.length === b.length &&
  a.every((entry, index) => {
    const other = b[index]
    return (
      entry.id === other?.id &&
      entry.content === other?.content &&
      entry.status === other?.status &&
      entry.priority === other?.priority
    )
  })
