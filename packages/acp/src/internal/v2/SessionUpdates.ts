/** Translates the updates of one session to version 1. Updates that are equal in both versions pass unchanged. */
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as Lenient from "../schema/Lenient.ts"
import * as ConfigOptions from "./ConfigOptions.ts"
import * as V2 from "../generated/v2.ts"
import * as Messages from "./Messages.ts"
import * as Terminals from "./Terminals.ts"
import * as ToolCalls from "./ToolCalls.ts"

export interface SessionUpdates {
  /** Translates an update. Undefined if it passes unchanged. */
  readonly translate: (update: Update) => ReadonlyArray<object> | undefined
  /** A call in a request, without its tag. */
  readonly toolCall: (patch: V2.ToolCallUpdate) => object
  /** Forgets what only matters within a turn. */
  readonly endTurn: () => void
}

export type Update = { readonly [member: PropertyKey]: unknown }

const read = <A>(schema: Schema.Codec<A, unknown>) => {
  const reader = Lenient.reader(schema)
  return (update: Update): A | undefined => {
    const reading = reader(update)
    return Result.isSuccess(reading) ? reading.success.value : undefined
  }
}

const readMessage = read(V2.AgentMessage)
const readToolCall = read(V2.ToolCallUpdate)
const readContentChunk = read(V2.ToolCallContentChunk)
const readTerminal = read(V2.TerminalUpdate)
const readOutput = read(V2.TerminalOutputChunk)
const readOptions = read(V2.ConfigOptionUpdate)

const wholes: { readonly [kind: string]: Messages.ChunkKind | undefined } = {
  user_message: "user_message_chunk",
  agent_message: "agent_message_chunk",
  agent_thought: "agent_thought_chunk"
}

const changed = (calls: ReadonlyArray<object>) => calls.map((call) => ({ sessionUpdate: "tool_call_update", ...call }))

export const make = (isCancelling: () => boolean): SessionUpdates => {
  const messages = Messages.make()
  const terminals = Terminals.make()
  const toolCalls = ToolCalls.make(terminals, isCancelling)

  const chunk = (update: Update) => {
    const { messageId } = update
    if (typeof messageId !== "string") return undefined
    const told = messages.chunk(messageId, update["content"])
    return told === messageId ? undefined : [{ ...update, messageId: told }]
  }

  const whole = (kind: Messages.ChunkKind, update: Update) => {
    const message = readMessage(update)
    return message && messages.whole(kind, message.messageId, message.content ?? [])
  }

  /** Announces a new call with a title as `tool_call`, as agents of version 1 do. */
  const announced = (patch: V2.ToolCallUpdate) => {
    const { call, isNew } = toolCalls.update(patch)
    return { sessionUpdate: isNew && "title" in call ? "tool_call" : "tool_call_update", ...call }
  }

  const translate: SessionUpdates["translate"] = (update) => {
    switch (update["sessionUpdate"]) {
      case "agent_message_chunk":
      case "agent_thought_chunk":
      case "user_message_chunk":
        return chunk(update)
      case "agent_message":
      case "agent_thought":
      case "user_message": {
        const kind = wholes[update["sessionUpdate"]]
        return kind && whole(kind, update)
      }
      case "tool_call_update": {
        const patch = readToolCall(update)
        return patch && [announced(patch)]
      }
      case "tool_call_content_chunk": {
        const piece = readContentChunk(update)
        return piece && changed([toolCalls.append(piece)])
      }
      case "terminal_update": {
        const terminal = readTerminal(update)
        if (terminal === undefined) return undefined
        terminals.update(terminal)
        return changed(toolCalls.showing(terminal.terminalId))
      }
      case "terminal_output_chunk": {
        const output = readOutput(update)
        if (output === undefined) return undefined
        terminals.append(output)
        return changed(toolCalls.showing(output.terminalId))
      }
      case "config_option_update": {
        const options = readOptions(update)
        return options && [{ ...update, configOptions: ConfigOptions.toV1(options.configOptions) }]
      }
      default:
        return undefined
    }
  }

  return { translate, toolCall: (patch) => toolCalls.update(patch).call, endTurn: messages.clear }
}
