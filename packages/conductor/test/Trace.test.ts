import { assert, describe, it } from "@effect/vitest"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Trace from "../src/Trace.ts"
import { read } from "../src/TraceEvent.ts"
import * as TraceFile from "../src/TraceFile.ts"
import type * as Component from "../src/Component.ts"
import { byHand, chain, connect, echo, initialize, proxy, update } from "./Parts.ts"

/** A client of a traced chain, and the lines so far. `now` counts up by a quarter of a second. */
const traced = Effect.fnUntraced(function* (
  agent: Component.Component,
  ...proxies: ReadonlyArray<Component.Component>
) {
  const lines: Array<string> = []
  let now = 0
  const observer = Trace.make({
    proxies: proxies.length,
    secrets: Secrets.of({ MY_TOKEN: "very-secret-value" }),
    now: () => (now += 0.25),
    write: (line) => void lines.push(line)
  })
  const client = yield* connect({ ...chain(agent, ...proxies), observerOf: () => observer })
  return { client, lines }
})

/** An event in short: who says what to whom. */
const short = (line: string): string => {
  const event = read(line)
  assert.isDefined(event, line)
  const what = event?.type === "response" ? `answers ${event.id}` : event?.method
  return `${event?.from} > ${event?.to} ${what}`
}

const prompt = '{"sessionId":"s","prompt":[]}'

describe("A trace", () => {
  it.effect("has what is nested too deep to be written again, and lets it pass", () =>
    Effect.gen(function* () {
      const { client, lines } = yield* traced(echo(), proxy("first"))
      yield* initialize(client)
      const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`
      client.connection.notify({
        side: "client",
        method: "mcp/message",
        params: `{"requestId":"r","method":"tools/call","params":${deep}}`
      })
      yield* client.request("session/prompt", prompt)
      assert.deepStrictEqual(lines.filter((line) => line.includes(deep)).map(short), [
        "Client > Proxy(0) mcp/message",
        "Proxy(0) > Agent mcp/message"
      ])
      const observer = Trace.make({
        proxies: 1,
        secrets: Secrets.of({}),
        now: () => 0,
        write: (line) => void lines.push(line)
      })
      observer.request(1, 0, "1", { method: "mcp/message", params: '{"requestId":"r","method":"tools/call"}' })
      observer.response(0, 1, "1", { result: `{"result":${deep}}` })
      assert.strictEqual(short(lines.at(-1) ?? ""), "Proxy(0) > Agent answers Agent:1")
    }).pipe(Effect.scoped)
  )

  it.effect("has each message of each hop once, as the reference writes it", () =>
    Effect.gen(function* () {
      const { client, lines } = yield* traced(echo(), proxy("first"), proxy("second"))
      yield* initialize(client)
      yield* client.request("session/prompt", prompt)
      const hop = (one: string, other: string) =>
        lines
          .map(short)
          .filter((words) => words.startsWith(`${one} > ${other} `) || words.startsWith(`${other} > ${one} `))
      assert.deepStrictEqual(hop("Client", "Proxy(0)"), [
        "Client > Proxy(0) proxy/initialize",
        "Proxy(0) > Client answers Client:1",
        "Client > Proxy(0) session/prompt",
        "Proxy(0) > Client session/update",
        "Proxy(0) > Client answers Client:2"
      ])
      assert.deepStrictEqual(hop("Proxy(0)", "Proxy(1)"), [
        "Proxy(0) > Proxy(1) proxy/initialize",
        "Proxy(1) > Proxy(0) answers Proxy(0):1",
        "Proxy(0) > Proxy(1) session/prompt",
        "Proxy(1) > Proxy(0) session/update",
        "Proxy(1) > Proxy(0) answers Proxy(0):2"
      ])
      assert.deepStrictEqual(hop("Proxy(1)", "Agent"), [
        "Proxy(1) > Agent initialize",
        "Agent > Proxy(1) answers Proxy(1):1",
        "Proxy(1) > Agent session/prompt",
        "Agent > Proxy(1) session/update",
        "Agent > Proxy(1) answers Proxy(1):2"
      ])
      assert.lengthOf(lines, 15)
      assert.strictEqual(
        lines[6],
        '{"type":"request","ts":1.75,"protocol":"acp","from":"Client","to":"Proxy(0)","id":"Client:2","method":"session/prompt","session":"s","params":{"sessionId":"s","prompt":[]}}'
      )
      assert.strictEqual(
        lines[14],
        '{"type":"response","ts":3.75,"from":"Proxy(0)","to":"Client","id":"Client:2","is_error":false,"payload":{"stopReason":"end_turn"}}'
      )
    })
  )

  it.effect("agrees with what the client heard", () =>
    Effect.gen(function* () {
      const { client, lines } = yield* traced(echo())
      yield* initialize(client)
      yield* client.request("session/prompt", prompt)
      const heard = yield* Queue.take(client.heard)
      const events = lines.map((line) => JSON.parse(line))
      assert.deepStrictEqual(
        events.filter(({ to, type }) => to === "Client" && type === "notification").map(({ params }) => params),
        [JSON.parse(heard.params ?? "")]
      )
      assert.strictEqual(heard.params, update("hello"))
      assert.deepStrictEqual([...new Set(events.map(({ from }) => from))], ["Client", "Agent"])
    })
  )

  it.effect("shows an MCP message under its own method, with its own outcome", () =>
    Effect.gen(function* () {
      const outcomes = ['{"result":{"tools":[]}}', '{"error":{"code":-32602,"message":"no"}}', '{"tools":[]}']
      const agent = byHand("agent", ({ request }) => ({
        onRequest: ({ method, params }, respond) => {
          if (method === "initialize") return respond({ result: '{"protocolVersion":1}' })
          request({ side: "client", method: "mcp/message", params }, () => respond({ result: "null" }))
        },
        onNotification: () => {}
      }))
      // The client answers with null, and so the proxy does it here.
      const server = byHand("server", ({ request }) => ({
        onRequest: ({ method, params, side }, respond) => {
          if (side === "client")
            return void request(
              { side: "agent", method: method === "proxy/initialize" ? "initialize" : method, params },
              (settled) => respond("closed" in settled ? { error: "{}" } : settled)
            )
          respond({ result: outcomes.shift() ?? "null" })
        },
        onNotification: () => {}
      }))
      const { client, lines } = yield* traced(agent, server)
      yield* initialize(client)
      const call =
        '{"serverId":"S","requestId":"r1","method":"tools/list","params":{"cursor":1,"large":9007199254740993}}'
      yield* client.request("go", call)
      yield* client.request("go", call)
      yield* client.request("go", '{"connectionId":"c","method":"tools/list"}')
      const events = lines.map((line) => JSON.parse(line))
      const asked = events.filter(({ protocol }) => protocol === "mcp")
      assert.deepStrictEqual(
        asked.map(({ from, method, params, to }) => [from, to, method, params]),
        [
          ["Agent", "Proxy(0)", "tools/list", { cursor: 1, large: 9007199254740992 }],
          ["Agent", "Proxy(0)", "tools/list", { cursor: 1, large: 9007199254740992 }],
          ["Agent", "Proxy(0)", "tools/list", null]
        ]
      )
      for (const line of lines) if (line.includes("cursor")) assert.include(line, "9007199254740993")
      const answers = asked.map(({ id }) => events.find((event) => event.type === "response" && event.id === id))
      assert.deepStrictEqual(
        answers.map(({ error_domain, is_error, payload }) => [is_error, error_domain, payload]),
        [
          [false, undefined, { tools: [] }],
          [true, "mcp", { code: -32602, message: "no" }],
          [false, undefined, { tools: [] }]
        ]
      )
    })
  )

  it.effect("holds no secrets, and keeps large numbers", () =>
    Effect.gen(function* () {
      const agent = byHand("agent", () => ({
        onRequest: (_, respond) => respond({ result: '{"protocolVersion":1}' }),
        onNotification: () => {}
      }))
      const { client, lines } = yield* traced(agent)
      yield* initialize(client)
      yield* client.request("session/new", '{"mcpServers":[{"name":"x","env":[{"name":"A","value":"hidden"}]}]}')
      yield* client.request("authenticate", '{"methodId":"hidden"}')
      yield* client.request("say", '{"text":"a very-secret-value","n":[9007199254740993]}')
      yield* client.request("say", '{"n":9007199254740993}')
      const text = lines.join("\n")
      assert.notMatch(text, /very-secret-value|hidden/)
      assert.include(lines.at(-2), '"params":{"n":9007199254740993}}')
      for (const line of lines) assert.isDefined(read(line))
    })
  )
})

/** A folder that is removed with the scope. */
const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "signalbox-trace-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const lost = (why: string) => assert.fail(why)

describe("The file of a trace", () => {
  it.live("begins empty, and holds all lines when the chain is over", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "trace.jsonl")
      writeFileSync(path, "earlier\n")
      const write = Effect.flatMap(TraceFile.make(path, lost), (line) =>
        Effect.sync(() => ["a", "b", "c"].forEach((each) => line(each)))
      )
      yield* Effect.scoped(write)
      assert.strictEqual(readFileSync(path, "utf8"), "a\nb\nc\n")
    })
  )

  it.live("goes on at the beginning of a file that somebody has emptied, and writes over nobody's lines", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "trace.jsonl")
      const line = yield* TraceFile.make(path, lost)
      const holds = (text: string) =>
        Effect.repeat(
          Effect.andThen(
            Effect.sleep("1 millis"),
            Effect.sync(() => readFileSync(path, "utf8"))
          ),
          {
            until: (found) => found === text
          }
        )
      line("earlier")
      yield* holds("earlier\n")
      truncateSync(path)
      line("a")
      yield* holds("a\n")
      appendFileSync(path, "of another\n")
      line("b")
      yield* holds("a\nof another\nb\n")
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!existsSync("/dev/full"))("says once that the disk takes no more, and lets the chain go on", () =>
    Effect.gen(function* () {
      const reasons: Array<string> = []
      const line = yield* TraceFile.make("/dev/full", (why) => reasons.push(why))
      line("a")
      yield* Effect.sleep("1 millis").pipe(Effect.repeat({ until: () => reasons.length > 0 }))
      line("b")
      assert.lengthOf(reasons, 1)
      assert.match(reasons[0] ?? "", /ENOSPC/)
    }).pipe(Effect.scoped)
  )

  it.live("is refused where none can be", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(Effect.scoped(TraceFile.make("/no/such/folder/trace", lost)))
      assert.match(message, /ENOENT/)
    })
  )
})
