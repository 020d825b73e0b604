/** The examples of `docs/components.md`: they stand there as they are, and do what it says. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bridge } from "./McpParts.ts"
import { chain, type Client, connect } from "./Parts.ts"
import { eliza, node, standIn } from "./Programs.ts"

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const example = (file: string) => path(`../examples/${file}`)
const document = readFileSync(path("../../../docs/components.md"), "utf8")

/** A folder with these files, each with its name as its text. */
const project = (...files: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "signalbox-examples-"))
      for (const file of files) writeFileSync(join(folder, file), file)
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )

/** Initializes the chain as a client that offers these capabilities. */
const initialize = (client: Client, symposium: object = {}) =>
  client.request("initialize", JSON.stringify({ protocolVersion: 1, clientCapabilities: { _meta: { symposium } } }))

const newSession = Effect.fnUntraced(function* (client: Client, cwd: string) {
  const session = yield* client.request("session/new", JSON.stringify({ cwd, mcpServers: [] }))
  return String(JSON.parse("result" in session ? session.result : "null").sessionId)
})

/** What the agent says to a prompt, and what comes meanwhile: each by its method and parameters. */
const ask = Effect.fnUntraced(function* (client: Client, sessionId: string, text: string) {
  yield* client.request("session/prompt", JSON.stringify({ sessionId, prompt: [{ type: "text", text }] }))
  const heard = yield* Queue.takeAll(client.heard)
  return heard.map(({ method, params = "null" }) => ({ method, params: JSON.parse(params) }))
})

const textsOf = (heard: ReadonlyArray<{ readonly params: { readonly update?: { content: { text: string } } } }>) =>
  heard.flatMap(({ params }) => (params.update === undefined ? [] : [params.update.content.text]))

const tool = "Use tool editor::open_files with {}"

describe("docs/components.md", () => {
  for (const file of readdirSync(path("../examples")))
    it(`shows ${file} as it is`, () => {
      assert.include(document, `\`\`\`ts\n${readFileSync(example(file), "utf8")}\`\`\``)
    })
})

describe("The component of its own", () => {
  it.live("puts the notes of a folder before the first prompt of each session", () =>
    Effect.gen(function* () {
      const folder = yield* project("NOTES.md")
      // This agent says again what it is asked.
      const agent = yield* node("echo", path("../../acp/examples/agent.ts"))
      const client = yield* connect(chain(agent, yield* node("context", example("main.ts"), "context")))
      yield* initialize(client)
      const sessionId = yield* newSession(client, folder)
      assert.deepStrictEqual(textsOf(yield* ask(client, sessionId, "Hello")), ["NOTES.md", "Hello"])
      assert.deepStrictEqual(textsOf(yield* ask(client, sessionId, "Hello")), ["Hello"])
      const without = yield* newSession(client, "/proc")
      assert.deepStrictEqual(textsOf(yield* ask(client, without, "Hello")), ["Hello"])
    })
  )
})

describe("The pair", () => {
  it.live("works where the client offers nothing, each part as a program", () =>
    Effect.gen(function* () {
      const folder = yield* project("a.ts")
      const adapter = yield* node("adapter", example("main.ts"), "openFilesAdapter")
      const component = yield* node("component", example("main.ts"), "openFiles")
      const client = yield* connect(chain(yield* eliza, adapter, component, bridge))
      yield* initialize(client)
      const [answer] = textsOf(yield* ask(client, yield* newSession(client, folder), tool))
      const text = JSON.stringify({ paths: ["a.ts"] })
      assert.strictEqual(answer, `OK: ${JSON.stringify([{ type: "text", text }])}`)
    })
  )

  it.live("leaves the question to a client that offers an answer", () =>
    Effect.gen(function* () {
      const folder = yield* project("a.ts")
      const adapter = yield* node("adapter", example("main.ts"), "openFilesAdapter")
      const component = yield* node("component", example("main.ts"), "openFiles")
      const client = yield* connect(chain(yield* eliza, adapter, component, bridge))
      yield* initialize(client, { example_open_files: true })
      const heard = yield* ask(client, yield* newSession(client, folder), tool)
      assert.deepStrictEqual(heard[0], { method: "_example/open_files", params: { cwd: folder } })
    })
  )
})

describe("The chain of the example", () => {
  for (const { expected, offered, title } of [
    {
      title: "puts the adapter in where the client lacks the primitive",
      offered: {},
      expected: [
        "context: it is switched on",
        "open files adapter: the client lacks example_open_files",
        "open files: it is switched on",
        "bridge: the agent was not asked what it lacks"
      ]
    },
    {
      title: "leaves the adapter out where the client has the primitive",
      offered: { example_open_files: true },
      expected: [
        "context: it is switched on",
        "open files: it is switched on",
        "bridge: the agent was not asked what it lacks"
      ]
    }
  ])
    it.live(title, () =>
      Effect.gen(function* () {
        const folder = yield* project("a.ts")
        const said: Array<string> = []
        const whole = yield* node("chain", example("chain.ts"), process.execPath, standIn("eliza"))
        const client = yield* connect(
          chain({
            ...whole,
            start: Effect.tap(whole.start, ({ ended }) =>
              Effect.forkDetach(Effect.map(ended, ({ stderrTail = [] }) => void said.push(...stderrTail)))
            )
          })
        )
        yield* initialize(client, offered)
        const heard = yield* ask(client, yield* newSession(client, folder), tool)
        const asked = heard.filter(({ method }) => method === "_example/open_files")
        if ("example_open_files" in offered) assert.lengthOf(asked, 1)
        else assert.match(textsOf(heard)[0] ?? "", /^OK: .*a\.ts/)
        yield* client.connection.close
        assert.isUndefined(yield* client.ended)
        assert.deepStrictEqual(said, expected)
      })
    )
})
