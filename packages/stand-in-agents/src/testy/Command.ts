/** What a prompt asks Testy to do: a JSON object, or a few plain words. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The scenarios, each with what it does. */
export const scenarios = {
  session_updates: "sends an update of every stable kind",
  content: "sends content of every kind, and says what the prompt held",
  tool_calls: "sends calls of tools with text, a diff, a terminal and a plan",
  callbacks: "makes every request that an agent may make of its client, but for elicitations",
  elicitations: "asks for a form and for a visit to an address, for the session and for a request",
  cancel_status: "says whether the session was cancelled since the last prompt",
  wait_for_cancel: "waits until the turn is cancelled",
  full: "does the first five of these, one after the other"
} as const

export type Scenario = keyof typeof scenarios

const Command = Schema.Union([
  Schema.Struct({ command: Schema.Literals(["help", "greet"]) }),
  Schema.Struct({ command: Schema.Literal("echo"), message: Schema.String }),
  Schema.Struct({
    command: Schema.Literal("run_scenario"),
    scenario: Schema.Literals([
      "session_updates",
      "content",
      "tool_calls",
      "callbacks",
      "elicitations",
      "cancel_status",
      "wait_for_cancel",
      "full"
    ])
  }),
  Schema.Struct({ command: Schema.Literal("list_tools"), server: Schema.String }),
  Schema.Struct({
    command: Schema.Literal("call_tool"),
    server: Schema.String,
    tool: Schema.String,
    params: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json))
  })
])

export type Command = typeof Command.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Command))

const isScenario = (word: string): word is Scenario => Object.hasOwn(scenarios, word)

/** Reads a prompt. What is no command is a greeting. */
export const parse = (prompt: string): Command => {
  const text = prompt.trim()
  const [, message] = /^echo\s+([^]*)$/i.exec(text) ?? []
  if (message !== undefined) return { command: "echo", message }
  const word = text.toLowerCase().replaceAll(" ", "_")
  if (word === "help") return { command: "help" }
  if (isScenario(word)) return { command: "run_scenario", scenario: word }
  return Option.getOrElse(decode(text), () => ({ command: "greet" }))
}
