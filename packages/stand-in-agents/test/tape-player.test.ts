import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, assert, describe, it } from "vitest"

const main = join(import.meta.dirname, "../src/player/main.ts")
const folder = mkdtempSync(join(tmpdir(), "tape-player-"))
const started: Array<ChildProcessWithoutNullStreams> = []
afterEach(() => {
  for (const player of started.splice(0)) player.kill("SIGKILL")
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Line = readonly ["in" | "out" | "err" | "note", unknown]

const startNote: Line = ["note", { event: "start", argv: ["agent"], cwd: "/then", envNames: [], pid: 1 }]
const exit = (note: object): Line => ["note", { event: "exit", ...note }]
const initialize: Line = ["out", { jsonrpc: "2.0", id: 0, method: "initialize", params: { clientInfo: "then" } }]
const initialized: Line = ["in", { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } }]
const created: Line = ["out", { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/then" } }]
const piece = (text: string): Line => [
  "in",
  {
    jsonrpc: "2.0",
    method: "session/update",
    params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } }
  }
]

let tapes = 0
const tapeOf = (lines: ReadonlyArray<Line>, msApart = 1_000): string => {
  const path = join(folder, `${tapes++}.ndjson`)
  const text = lines.map(([dir, line], index) => JSON.stringify({ at: index * msApart, dir, line }))
  writeFileSync(path, `${text.join("\n")}\n`)
  return path
}

/** Plays a tape to a client that is written here. */
const play = (tape: string, ...flags: ReadonlyArray<string>) => {
  const player = spawn(process.execPath, [main, ...flags, tape])
  started.push(player)
  let out = ""
  let err = ""
  const waiting = new Set<() => void>()
  player.stdin.on("error", () => {})
  player.stderr.on("data", (chunk) => (err += String(chunk)))
  player.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk
    for (const look of waiting) look()
  })
  const closed = once(player, "close")
  return {
    say: (message: object) => player.stdin.write(`${JSON.stringify(message)}\n`),
    kill: (signal: NodeJS.Signals) => player.kill(signal),
    /** Resolves with all that it has said when it has said this. */
    until: (text: string): Promise<string> =>
      new Promise((resolve) => {
        const look = () => {
          if (!out.includes(text)) return
          waiting.delete(look)
          resolve(out)
        }
        waiting.add(look)
        look()
      }),
    end: async () => {
      player.stdin.end()
      const [code, signal] = await closed
      return { code, signal, out, err }
    },
    ended: async () => {
      const [code, signal] = await closed
      return { code, signal, out, err }
    }
  }
}

const lines = (out: string) =>
  out
    .trimEnd()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line))

describe("the tape player", () => {
  it("says what was said when the client has said what came before, under the client's own ids", async () => {
    const odd: Line = ["in", "a banner, no JSON"]
    const player = play(
      tapeOf([startNote, odd, initialize, initialized, created, ["in", { id: 1, result: { sessionId: "s" } }]])
    )
    assert.strictEqual(await player.until("banner"), "a banner, no JSON\n")
    player.say({ jsonrpc: "2.0", id: "mine", method: "initialize", params: { clientInfo: "now" } })
    assert.include(await player.until("protocolVersion"), '"id":"mine"')
    player.say({ jsonrpc: "2.0", id: 77, method: "session/new", params: { cwd: "/now" } })
    await player.until("sessionId")
    const { code, out } = await player.end()
    assert.strictEqual(code, 0)
    assert.deepStrictEqual(lines(out.slice(out.indexOf("{"))).at(-1), { id: 77, result: { sessionId: "s" } })
  })

  it("keeps every byte of a line that needs no other id", async () => {
    const path = join(folder, "bytes.ndjson")
    const message =
      '{"jsonrpc" : "2.0", "method":"session/update","params":{"n":1.0,"big":12345678901234567890,"s":"\u2028"}}'
    writeFileSync(path, `{"at":1,"dir":"in","line":${message}}\n`)
    const { out } = await play(path).end()
    assert.strictEqual(out, `${message}\n`)
  })

  it("ends as the process on the tape ended, by itself or when its input does", async () => {
    const endings = [
      [exit({ exitCode: 7, ended: "itself" }), 7, null],
      [exit({ signal: "SIGSEGV", ended: "itself" }), null, "SIGSEGV"],
      [exit({ exitCode: 143, ended: "stopped" }), 143, null],
      [exit({ signal: "SIGTERM", ended: "stopped" }), null, "SIGTERM"]
    ] as const
    for (const [note, code, signal] of endings) {
      const player = play(tapeOf([startNote, piece("x"), ["err", "last words"], note]))
      const stops = JSON.stringify(note).includes("stopped")
      await player.until("agent_message_chunk")
      const ended = stops ? await player.end() : await player.ended()
      assert.deepInclude(ended, { code, signal, err: "last words\n" })
    }
    const asked = play(tapeOf([startNote, piece("x"), exit({ exitCode: 5, ended: "stopped" })]))
    await asked.until("agent_message_chunk")
    asked.kill("SIGTERM")
    assert.strictEqual((await asked.ended()).code, 5)
  })

  it("shows both lines when the client says something else", async () => {
    const answer: Line = ["out", { id: "a", result: { outcome: { outcome: "selected", optionId: "yes" } } }]
    const ask: Line = ["in", { id: "a", method: "session/request_permission", params: {} }]
    const others: ReadonlyArray<object> = [
      { id: "a", result: { outcome: { outcome: "selected", optionId: "no" } } },
      { id: "b", result: { outcome: { outcome: "selected", optionId: "yes" } } },
      { id: "a", error: { code: -32603, message: "no" } },
      { id: "a", method: "session/cancel" }
    ]
    for (const other of others) {
      const player = play(tapeOf([startNote, ask, answer, piece("never")]))
      player.say(other)
      const { code, err, out } = await player.end()
      assert.strictEqual(code, 1)
      assert.include(err, JSON.stringify(other))
      assert.include(err, `line 3\n  ${JSON.stringify(answer[1])}`)
      assert.notInclude(out, "never")
    }
    const silent = await play(tapeOf([startNote, ask, answer])).end()
    assert.include(silent.err, "left before line 3")
    const more = play(tapeOf([startNote, ask]))
    more.say({ method: "more" })
    assert.include((await more.end()).err, "nothing more")
  })

  it("takes other folders, other words of errors and what was redacted for the same", async () => {
    const heard: ReadonlyArray<readonly [object, object]> = [
      [
        { id: 0, method: "session/new", params: { cwd: "/then", env: [{ name: "K", value: "[redacted]" }] } },
        { id: 5, method: "session/new", params: { cwd: "/now", env: [{ name: "K", value: 1 }], _meta: {} } }
      ],
      [
        { method: "x", params: { path: "/then/a" } },
        { method: "x", params: { path: "/now/a" } }
      ],
      [
        { id: 2, result: { path: "/then/b" } },
        { id: 2, result: { path: "/then/b" } }
      ],
      [
        { id: 3, error: { code: -32601, message: "Not found" } },
        { id: 3, error: { code: -32601, message: "No such thing" } }
      ],
      [
        { method: "$/cancel_request", params: { requestId: 0 } },
        { method: "$/cancel_request", params: { requestId: 5 } }
      ]
    ]
    const player = play(tapeOf([startNote, ...heard.map(([then]): Line => ["out", then]), piece("through")]))
    for (const [, now] of heard) player.say(now)
    await player.until("through")
    assert.strictEqual((await player.end()).code, 0)
  })

  it("asks a client that is driven how far it is, after all but pieces of text", async () => {
    const player = play(
      tapeOf([startNote, initialize, initialized, piece("a"), piece("b"), created, exit({ ended: "itself" })]),
      "--driven"
    )
    const refuse = (place: string) => player.say({ jsonrpc: "2.0", id: `tape:${place}`, error: { code: -32601 } })
    await player.until('"tape:2"')
    player.say({ id: 0, method: "initialize" })
    refuse("2")
    assert.notInclude(await player.until('"tape:3"'), "chunk")
    refuse("3")
    const out = await player.until('"tape:6"')
    assert.notInclude(out, "tape:4")
    refuse("6")
    player.say({ id: 1, method: "session/new", params: { cwd: "/now" } })
    await player.until('"tape:end"')
    refuse("end")
    assert.strictEqual((await player.ended()).code, 0)
  })

  it("reports a divergence to who drives the client, on the wire", async () => {
    const player = play(tapeOf([startNote, initialize]), "--driven")
    player.say({ id: 0, method: "session/new" })
    const said = lines(await player.until("_tape/diverged")).at(-1)
    assert.deepStrictEqual(said?.["params"], { line: 2, said: '{"id":0,"method":"session/new"}' })
    const { code, err } = await player.end()
    assert.deepStrictEqual([code, err], [1, ""])
  })

  it("keeps the tape's pauses at the speed that it is given", async () => {
    const tape = tapeOf([startNote, piece("a"), piece("b")], 3_000)
    const began = performance.now()
    const player = play(tape, "--speed", "2")
    await player.until('"b"')
    assert.isAbove(performance.now() - began, 1_490)
    await player.end()
  })

  it("plays the first process of a tape, and says which line is none", async () => {
    const two = await play(tapeOf([startNote, piece("one"), startNote, piece("two")])).end()
    assert.include(two.out, "one")
    assert.notInclude(two.out, "two")
    const path = join(folder, "broken.ndjson")
    writeFileSync(path, '{"at":1,"dir":"in","line":"fine"}\n{"at":2,"dir":"in","li')
    const broken = await play(path).end()
    assert.strictEqual(broken.out, "fine\n")
    assert.include(broken.err, "Line 2 of")
    assert.deepInclude(await play("/no-such-tape").end(), { code: 1 })
    assert.deepInclude(await play(path, "--speed", "0").end(), { code: 2 })
  })
})
