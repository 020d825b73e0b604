import { announce } from "../Extensions.ts"
import type { JsonObject } from "../../Json.ts"
import type { Script } from "../Script.ts"
import { Tool } from "../Tools.ts"
import type { Turn } from "../Turn.ts"

type Status = "pending" | "in_progress" | "completed"

interface Todo {
  readonly id: string
  readonly content: string
  readonly status: Status
}

const generic = { title: "Update TODOs", rawInput: { _toolName: "updateTodos" } }

/** Streams a list into the tool's arguments item by item; then the list itself goes to the client as a request. */
export const writeTodos = async (turn: Turn, todos: ReadonlyArray<Todo>, merge: boolean): Promise<void> => {
  const tool = Tool.open(turn, { kind: "other", generic })
  for (let count = 1; count <= todos.length; count += 1) {
    await turn.wait(40)
    const shown = todos.slice(0, count)
    tool.enrich({
      title: `Update TODOs: ${shown.map((todo) => todo.content).join(", ")}`,
      rawInput: { _toolName: "updateTodos", todos: shown.map(inTool) }
    })
  }
  tool.start()
  await turn.wait(30)
  tool.complete()
  const changed: ReadonlyArray<JsonObject> = merge
    ? todos.map(({ id, status }) => ({ id, status }))
    : todos.map(({ id, content, status }) => ({ id, content, status }))
  await announce(turn, "cursor/update_todos", { toolCallId: tool.id, todos: changed, merge })
}

const items = ["Read the code", "Change it", "Run the tests"]

/** The items, of which the first `done` are completed and the next one is in progress. */
export const todosAt = (contents: ReadonlyArray<string>, done: number): ReadonlyArray<Todo> =>
  contents.map((content, index) => ({
    id: `todo-${index + 1}`,
    content,
    status: index < done ? "completed" : index === done ? "in_progress" : "pending"
  }))

export const todos: Script = async (turn) => {
  await turn.think("This takes several steps; I will write them down.")
  await writeTodos(turn, todosAt(items, 0), false)
  await turn.say("I have written a list, and begin with its first item. ")
  await turn.wait(500)
  await writeTodos(turn, todosAt(items, 1), true)
  await turn.say("The first item is done.")
}

/** The todo as the tool's arguments spell it. */
const inTool = (todo: Todo): JsonObject => {
  const now = new Date().toISOString()
  const status = `TODO_STATUS_${todo.status.toUpperCase()}`
  return { id: todo.id, content: todo.content, status, createdAt: now, updatedAt: now, dependencies: [] }
}
