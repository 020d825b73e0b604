/** The scenarios that ask the client: permission, files, terminals, forms and addresses. */
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { report, type Turn } from "./Turn.ts"
import * as Updates from "./Updates.ts"

const terminalOf = ({ client, session }: Turn, text: string) =>
  client.createTerminal({
    sessionId: session.id,
    command: "printf",
    args: [`${text}\\n`],
    cwd: session.setup.cwd,
    outputByteLimit: 1024
  })

/** Calls of tools, one of them with a terminal if the client has any. */
export const toolCalls = (turn: Turn) => {
  const sessionId = turn.session.id
  return Effect.acquireUseRelease(
    Effect.option(terminalOf(turn, "testy tool call")),
    (terminal) => Updates.toolCalls(turn, terminal._tag === "Some" ? terminal.value.terminalId : undefined),
    (terminal) =>
      terminal._tag === "None"
        ? Effect.void
        : Effect.ignore(turn.client.releaseTerminal({ sessionId, terminalId: terminal.value.terminalId }))
  )
}

export const callbacks = Effect.fnUntraced(function* (turn: Turn) {
  const { client, nextId, session } = turn
  const sessionId = session.id
  const path = join(session.setup.cwd, "testy-write.txt")
  const lines = [
    yield* report(
      "session/request_permission",
      client.requestPermission({
        sessionId,
        toolCall: { toolCallId: nextId("testy-permission"), title: "Testy asks", kind: "execute", status: "pending" },
        options: [
          { optionId: "allow", name: "Allow once", kind: "allow_once" },
          { optionId: "reject", name: "Reject once", kind: "reject_once" }
        ]
      })
    ),
    yield* report("fs/write_text_file", client.writeTextFile({ sessionId, path, content: "written by testy\n" })),
    yield* report("fs/read_text_file", client.readTextFile({ sessionId, path, line: 1, limit: 20 }))
  ]
  const created = yield* Effect.result(terminalOf(turn, "testy terminal"))
  if (created._tag === "Failure") return [...lines, `terminal/create: error ${created.failure.message}`]
  const terminal = { sessionId, terminalId: created.success.terminalId }
  return [
    ...lines,
    `terminal/create: ok ${JSON.stringify(created.success)}`,
    yield* report("terminal/wait_for_exit", client.waitForTerminalExit(terminal)),
    yield* report("terminal/output", client.terminalOutput(terminal)),
    yield* report("terminal/kill", client.killTerminal(terminal)),
    yield* report("terminal/release", client.releaseTerminal(terminal))
  ]
})

export const elicitations = Effect.fnUntraced(function* (turn: Turn) {
  const { client, nextId, requestId, session } = turn
  const requestedSchema = {
    type: "object",
    properties: {
      color: { type: "string", title: "Color", enum: ["red", "green"] },
      isSure: { type: "boolean", title: "Sure" }
    },
    required: ["color"]
  } as const
  const lines: Array<string> = []
  for (const [scope, named] of [
    ["session", { sessionId: session.id }],
    ["request", { requestId }]
  ] as const) {
    const form = { mode: "form" as const, message: `A form for the ${scope}`, requestedSchema, ...named }
    lines.push(yield* report(`elicitation/create, form, ${scope}`, client.createElicitation(form)))
    const elicitationId = nextId("testy-address")
    const url = `https://example.com/testy/${scope}`
    const address = { mode: "url" as const, message: `An address for the ${scope}`, elicitationId, url, ...named }
    lines.push(yield* report(`elicitation/create, url, ${scope}`, client.createElicitation(address)))
    yield* Effect.ignore(client.completeElicitation({ elicitationId }))
  }
  return lines
})
