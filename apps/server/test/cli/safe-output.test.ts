/** Nothing that an agent sends steers the terminal, wherever it stands. */
import { assert, describe, it } from "@effect/vitest"
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import type { ConformanceReport } from "@signalbox/contracts/Conformance"
import { Problem } from "@signalbox/contracts/Problem"
import { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { vi } from "vitest"
import { ask } from "../../src/cli/terminal/Ask.ts"
import { decide } from "../../src/cli/run/ApprovalPolicy.ts"
import { reportText } from "../../src/cli/conformance/ConformanceText.ts"
import { jsonText } from "../../src/cli/terminal/JsonText.ts"
import { threadTable } from "../../src/cli/threads/ListThreads.ts"
import * as Printer from "../../src/cli/terminal/Printer.ts"
import { problemShown } from "../../src/cli/terminal/ProblemText.ts"
import * as ReplayText from "../../src/cli/tape/ReplayText.ts"
import { requestText } from "../../src/cli/terminal/RequestText.ts"
import { tapeTable } from "../../src/cli/tape/TapeList.ts"
import * as Terminal from "../../src/cli/terminal/Terminal.ts"
import { play } from "./support/Runs.ts"
import { call, hasTerminals, start } from "./support/Signalbox.ts"
import { assertSafe, steering } from "../support/SteeringWords.ts"

type Path = ReadonlyArray<string>

const textsIn = (node: unknown, path: Path = []): ReadonlyArray<Path> => {
  if (typeof node === "string") return [path]
  if (typeof node !== "object" || node === null) return []
  return Object.entries(node).flatMap(([key, child]) => textsIn(child, [...path, key]))
}

const changed = (node: unknown, [key, ...rest]: Path, change: (text: string) => string): unknown => {
  if (key === undefined) return change(String(node))
  if (Array.isArray(node))
    return node.map((child, index) => (String(index) === key ? changed(child, rest, change) : child))
  const object = node as Readonly<Record<string, unknown>>
  return { ...object, [key]: changed(object[key], rest, change) }
}

/** The value with hostile words behind each of its texts, where the schema lets them be. */
const poisoned = <Value>(schema: Schema.Schema<Value>, value: Value, which: number): Value => {
  const is = Schema.is(schema)
  return textsIn(value).reduce<Value>((whole, path, index) => {
    const next = changed(whole, path, (text) => `${text}${steering[(which + index) % steering.length]}`)
    return is(next) ? next : whole
  }, value)
}

/** A terminal whose screen can be read. */
const screen = (isTTY: boolean) => {
  let written = ""
  const sink = { isTTY, columns: 60, write: (text: string) => void (written += text) }
  return { terminal: Terminal.over(sink, sink, isTTY), written: () => written }
}

const Which = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99 }))

describe("hostile words of an agent", () => {
  for (const [type, schema] of Object.entries(ProviderRuntimeEvent.cases)) {
    it.prop(
      `steer no terminal in ${type}, whoever prints it`,
      { event: schema, which: Which },
      ({ event: clean, which }) => {
        const event = poisoned(schema as Schema.Schema<ProviderRuntimeEvent>, clean, which)
        for (const isTTY of [true, false]) {
          const { terminal, written } = screen(isTTY)
          Printer.text(terminal)([event])
          ReplayText.make(terminal, Printer.text(terminal)).print([event])
          if ("request" in event) terminal.aside(requestText(event.request, "/project"))
          if ("request" in event) terminal.aside(decide("allow", event.request).words)
          assertSafe(written())
        }
        const { terminal, written } = screen(true)
        Printer.json(terminal)([event])
        assertSafe(written())
        assert.deepStrictEqual(JSON.parse(written()), JSON.parse(JSON.stringify(event)))
      },
      { arbitrary: { runs: 25 } }
    )
  }

  it.effect.prop(
    "steer no terminal in a question to a person, and hide nothing there",
    { event: ProviderRuntimeEvent.cases["approval.requested"], which: Which },
    ({ event: clean, which }) =>
      Effect.gen(function* () {
        const { request } = poisoned(ProviderRuntimeEvent.cases["approval.requested"], clean, which)
        const { subject } = request.tool
        const rawInput = JSON.stringify(subject)
        const shown = yield* asked({ ...request, tool: { ...request.tool, rawInput } })
        assertSafe(shown)
        // Every character of the command is shown as a glyph.
        if (subject.type === "command" && subject.command.includes("\u001b")) assert.include(shown, "␛")
      }),
    { arbitrary: { runs: 40 } }
  )

  for (const type of ["question.requested", "plan.proposed", "elicitation.requested"] as const) {
    it.effect.prop(
      `steer no terminal in a question to a person: ${type}`,
      { event: ProviderRuntimeEvent.cases[type], which: Which },
      ({ event: clean, which }) =>
        Effect.map(
          asked(poisoned(ProviderRuntimeEvent.cases[type] as Schema.Schema<Asking>, clean, which).request),
          assertSafe
        ),
      { arbitrary: { runs: 20 } }
    )
  }

  it.prop("steer no terminal in a problem", { problem: Problem, which: Which }, ({ problem, which }) => {
    const { terminal, written } = screen(true)
    terminal.err(problemShown(poisoned(Problem, problem, which)))
    assertSafe(written())
    assert.isTrue(written().startsWith("\u001b[31merror: "))
  })

  it.prop("steer no terminal in lists of threads", { row: ThreadSummary, which: Which }, ({ row, which }) => {
    const { terminal, written } = screen(true)
    const thread = poisoned(ThreadSummary, row, which)
    terminal.err(threadTable([thread], Date.now()).join("\n"))
    terminal.out(`${jsonText(thread)}\n`)
    assertSafe(written())
    assert.strictEqual(threadTable([thread], Date.now()).length, 2)
    assert.isFalse(threadTable([thread], Date.now()).some((line) => line.includes("\n")))
  })

  it("steer no terminal in lists of tapes and reports of conformance", () => {
    for (const end of steering) {
      const words = `x${end}`
      const { terminal, written } = screen(true)
      const row = { thread: words, session: words, agent: words, startedAt: 0, changedAt: 1, bytes: 1, parts: [words] }
      terminal.err(tapeTable([row], 2).join("\n"))
      const report: ConformanceReport = {
        agent: { name: words, version: words },
        commandLine: words,
        processes: words,
        at: 0,
        withModel: false,
        results: [
          {
            probe: "prompts/answer",
            area: "prompts",
            capability: words,
            verdict: "quirk",
            seen: words,
            quirk: words,
            said: words
          }
        ]
      }
      terminal.err(reportText(report, 60))
      assertSafe(written())
      assert.notInclude(written(), "\n✓ $ forged")
    }
  })

  it.live.each(["an image", "a name of an option"] as const)("leave no control in a run with %s", (where) =>
    Effect.gen(function* () {
      const words = steering.join(" ")
      const step =
        where === "an image"
          ? {
              update: {
                sessionUpdate: "agent_message_chunk",
                content: { type: "image", mimeType: `image/png${words}`, data: "aGk=", uri: words }
              }
            }
          : {
              permission: {
                toolCall: { toolCallId: words, title: words, kind: "execute", rawInput: { command: words } },
                options: [{ optionId: words, name: words, kind: "allow_once" }]
              }
            }
      const args = play([
        step,
        { text: words },
        { thought: words },
        { error: { code: 1, message: words, data: words } }
      ])
      const allowed = ["run", "--approve", "allow", ...args.slice(1)]
      const piped = yield* call(allowed)
      assertSafe(piped.stdout)
      assertSafe(piped.stderr)
      assert.include(piped.stderr, where === "an image" ? "[image image/png" : "allowed (")
      const json = yield* call(["run", "--json", "--approve", "allow", ...args.slice(1)])
      assertSafe(json.stdout)
      if (!hasTerminals) return
      const run = yield* start(allowed, { terminal: true })
      const { stdout } = yield* run.ended
      // The terminal itself ends each line with a carriage return.
      assertSafe(stdout.replaceAll("\r\n", "\n"))
    }).pipe(Effect.scoped)
  )
})

type Asking = Extract<ProviderRuntimeEvent, { readonly request: AgentRequest }>

/** All that is printed up to the point where somebody can answer. */
const asked = Effect.fnUntraced(function* (request: AgentRequest) {
  const { terminal, written } = screen(true)
  const prompts = vi.spyOn(process.stderr, "write").mockReturnValue(true)
  yield* Effect.flatMap(
    Effect.forkChild(ask(terminal, request, "/project"), { startImmediately: true }),
    Fiber.interrupt
  )
  const prompted = prompts.mock.calls.map(([text]) => String(text)).join("")
  prompts.mockRestore()
  return written() + prompted
})

describe("the command line", () => {
  it("writes in one place only, where all that it writes is made safe", () => {
    const folder = fileURLToPath(new URL("../../src/cli", import.meta.url))
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))
    const writers = files.filter((name) =>
      /\bconsole\.|\bstd(?:out|err)\.write\(|\\u001b|\\x1b/.test(readFileSync(`${folder}/${name}`, "utf8"))
    )
    assert.deepStrictEqual(writers.sort(), ["terminal/Ink.ts", "terminal/Stdout.ts", "terminal/Terminal.ts"])
  })
})
