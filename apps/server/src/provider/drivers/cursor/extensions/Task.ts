/** `cursor/task`: a sub-agent has finished its work, or was launched into the background and continues there. */
import type { RpcError } from "@signalbox/acp/JsonRpc"
import * as Wire from "@signalbox/acp/Wire"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ExtensionContext } from "../../../acp/profile/AgentProfile.ts"
import * as Subagent from "../Subagent.ts"
import * as Params from "./Params.ts"

export const method = "cursor/task"

interface Task {
  readonly toolCallId?: string
  readonly description?: string
  readonly prompt?: string
  readonly subagentType?: unknown
  readonly agentId?: string
  readonly durationMs?: number
  readonly isBackground?: boolean
}

const Task: Schema.Codec<Task, unknown> = Schema.Struct({
  toolCallId: Wire.lenient(Schema.String),
  description: Wire.lenient(Schema.String),
  prompt: Wire.lenient(Schema.String),
  subagentType: Schema.optionalKey(Schema.Unknown),
  agentId: Wire.lenient(Schema.String),
  durationMs: Wire.lenient(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))),
  isBackground: Wire.lenient(Schema.Boolean)
})

const read = Params.reader(method, Task)

export interface Answer {
  readonly outcome: "completed"
  readonly agentId?: string
  readonly durationMs?: number
}

export const handle = Effect.fnUntraced(function* (
  params: unknown,
  context: ExtensionContext
): Effect.fn.Return<{ readonly outcome: Answer }, RpcError> {
  const task = yield* read(params, context)
  const { agentId, durationMs, toolCallId } = task
  const id = toolCallId ?? agentId
  if (id === undefined)
    return yield* Params.malformed(method, "neither toolCallId nor agentId is given", params, context)
  const purpose = task.description || task.prompt
  const background = task.isBackground ?? Subagent.isLaunchOnly(durationMs)
  yield* context.subagent({
    id,
    name: Subagent.nameOf(task.subagentType),
    ...(purpose !== undefined && purpose !== "" && { task: purpose }),
    state: background ? "background" : "completed",
    // The duration of a launch says nothing about the work.
    ...(durationMs !== undefined && !background && { durationMs })
  })
  return {
    outcome: {
      outcome: "completed",
      ...(agentId !== undefined && { agentId }),
      ...(durationMs !== undefined && { durationMs })
    }
  }
})
