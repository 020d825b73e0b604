/** What an agent really received. The record of the server is compared with it. */
import { isObject, type JsonObject, listIn, objectIn, parseJson, textIn } from "@signalbox/stand-in-agents/Json"
import { existsSync, readFileSync } from "node:fs"

export interface AgentLog {
  /** The text of each prompt, in the order in which they came. */
  readonly prompts: ReadonlyArray<string>
  /** Answers to requests for permission in which an option was chosen, in order. */
  readonly selections: ReadonlyArray<{ readonly pid: number; readonly id: string; readonly optionId: string }>
  readonly cancels: number
}

/** @param path of what `SCRIPTED_AGENT_LOG` or `FAKE_CURSOR_LOG` named; an agent that was never started has none. */
export const read = (path: string): AgentLog => {
  const received = existsSync(path) ? readFileSync(path, "utf8").split("\n").flatMap(entryOf) : []
  return {
    prompts: received.flatMap(({ message }) =>
      textIn(message, "method") === "session/prompt" ? [promptOf(objectIn(message, "params"))] : []
    ),
    selections: received.flatMap(({ message, pid }) => {
      const optionId = textIn(objectIn(objectIn(message, "result"), "outcome"), "optionId")
      return optionId === undefined ? [] : [{ pid, id: JSON.stringify(message["id"]), optionId }]
    }),
    cancels: received.filter(({ message }) => textIn(message, "method") === "session/cancel").length
  }
}

const entryOf = (line: string): ReadonlyArray<{ readonly pid: number; readonly message: JsonObject }> => {
  const entry = parseJson(line)
  if (!isObject(entry) || entry["type"] !== "received") return []
  return [{ pid: Number(entry["pid"]), message: objectIn(entry, "message") }]
}

const promptOf = (params: JsonObject): string =>
  listIn(params, "prompt")
    .flatMap((part) => (isObject(part) ? (textIn(part, "text") ?? []) : []))
    .join("\n")
