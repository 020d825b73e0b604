/** Lines of a tape become rows: a message is one row on all hops that it passed unchanged, and knows its answer. */
import { assert, describe, it } from "@effect/vitest"
import type { WireRow } from "@signalbox/contracts/Wire"
import * as TapeReader from "../../src/tape/TapeReader.ts"
import * as WireRows from "../../src/wire/WireRows.ts"

const start = (...components: ReadonlyArray<string>) => ({
  dir: "note",
  line: {
    event: "start",
    argv: ["agent", "acp"],
    cwd: "/work",
    envNames: [],
    provider: { id: "cursor", kind: "cursor", name: "Cursor", simulated: false },
    ...(components.length > 0 && { components })
  }
})
const chain = (...names: ReadonlyArray<string>) => ({
  dir: "note",
  line: {
    event: "chain",
    parts: [...names.map((name) => ({ name, role: "component" })), { name: "Cursor", role: "agent" }]
  }
})
const out = (line: object) => ({ dir: "out", line: { jsonrpc: "2.0", ...line } })
const from = (line: object) => ({ dir: "in", line: { jsonrpc: "2.0", ...line } })
const hop = (sender: string, to: string, line: object) => ({
  dir: "hop",
  line: { ts: 0, from: sender, to, ...line }
})
const asks = (id: string, method: string, params: unknown) => ({ type: "request", protocol: "acp", id, method, params })
const answers = (id: string, payload: unknown, is_error = false) => ({ type: "response", id, is_error, payload })
const says = (params: unknown) => ({ type: "notification", protocol: "acp", method: "session/update", params })

/** Gives the lines to rows, one each 10 ms. */
const rowsOf = (lines: ReadonlyArray<object>) => {
  const counter = TapeReader.counter()
  const rows = WireRows.make()
  const found = new Map<number, WireRow>()
  for (const [index, line] of lines.entries()) {
    for (const one of counter.take(JSON.stringify({ at: 1000 + index * 10, ...line }))) {
      if (one.type === "fault") assert.fail(one.reason)
      rows.take(one)
    }
    for (const row of rows.changed()) found.set(row.line, row)
  }
  return {
    rows: [...found.values()].filter(({ kind }) => kind !== "note"),
    all: [...found.values()],
    places: rows.places()
  }
}

/** A row in short: `3+4 request 0>2 session/prompt`. */
const short = ({ from, kind, line, lines, method, to }: WireRow) =>
  `${[line, ...lines].join("+")} ${kind} ${from}>${to}${method === undefined ? "" : ` ${method}`}`

const prompt = { sessionId: "s", prompt: [{ type: "text", text: "Look." }] }
const chunk = (text: string, sessionId = "s") => ({
  sessionId,
  update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } }
})

describe("the rows of a wire", () => {
  it("pair a request with its answer, and say how long that took", () => {
    const { places, rows } = rowsOf([
      start(),
      out({ id: 1, method: "session/prompt", params: prompt }),
      from({ id: 1, result: { stopReason: "end_turn" } })
    ])
    assert.deepStrictEqual(places, ["Signalbox", "Cursor"])
    assert.deepStrictEqual(rows.map(short), ["2 request 0>1 session/prompt", "3 answer 1>0 session/prompt"])
    const [asked, answered] = rows
    assert.deepStrictEqual([asked?.pair, asked?.id, asked?.summary], [3, "1", '"Look."'])
    assert.deepStrictEqual([answered?.pair, answered?.tookMs, answered?.summary], [2, 10, "end_turn"])
  })

  it("leave a request without an answer open", () => {
    const { rows } = rowsOf([start(), out({ id: 1, method: "session/prompt", params: prompt })])
    assert.deepStrictEqual(
      rows.map(({ pair }) => pair),
      [undefined]
    )
  })

  it("keep requests of both sides with one id apart", () => {
    const { rows } = rowsOf([
      start(),
      out({ id: 1, method: "session/prompt", params: prompt }),
      from({ id: 1, method: "fs/read_text_file", params: { path: "/a" } }),
      out({ id: 1, result: { content: "" } }),
      from({ id: 1, result: { stopReason: "end_turn" } })
    ])
    assert.deepStrictEqual(
      rows.map(({ pair }) => pair),
      [5, 4, 3, 2]
    )
  })

  it("show a message once on all hops that it passed unchanged, and its answer, too", () => {
    const { places, rows } = rowsOf([
      start("Packages", "Git"),
      chain("Packages", "Git"),
      out({ id: 31, method: "session/prompt", params: prompt }),
      hop("Proxy(0)", "Proxy(1)", asks("Proxy(0):7", "session/prompt", prompt)),
      hop("Proxy(1)", "Agent", asks("Proxy(1):7", "session/prompt", prompt)),
      hop("Agent", "Proxy(1)", answers("Proxy(1):7", { stopReason: "end_turn" })),
      hop("Proxy(1)", "Proxy(0)", answers("Proxy(0):7", { stopReason: "end_turn" })),
      from({ id: 31, result: { stopReason: "end_turn" } })
    ])
    assert.deepStrictEqual(places, ["Signalbox", "Packages", "Git", "Cursor"])
    assert.deepStrictEqual(rows.map(short), ["3+4+5 request 0>3 session/prompt", "6+7+8 answer 3>0 session/prompt"])
    assert.deepStrictEqual([rows[0]?.pair, rows[1]?.pair, rows[1]?.tookMs], [6, 3, 50])
  })

  it("show the request once more behind a part that has changed it", () => {
    const added = { ...prompt, prompt: [...prompt.prompt, { type: "text", text: "Ask package_query first." }] }
    const { rows } = rowsOf([
      start("Packages"),
      chain("Packages"),
      out({ id: 31, method: "session/prompt", params: prompt }),
      hop("Proxy(0)", "Agent", asks("Proxy(0):7", "session/prompt", added)),
      hop("Agent", "Proxy(0)", answers("Proxy(0):7", { stopReason: "end_turn" })),
      from({ id: 31, result: { stopReason: "cancelled" } })
    ])
    assert.deepStrictEqual(rows.map(short), [
      "3 request 0>1 session/prompt",
      "4 request 1>2 session/prompt",
      "5 answer 2>1 session/prompt",
      "6 answer 1>0 session/prompt"
    ])
    assert.deepStrictEqual(
      rows.map(({ changed }) => changed),
      [undefined, 3, undefined, 5]
    )
    assert.deepStrictEqual(
      rows.map(({ pair }) => pair),
      [6, 5, 4, 3]
    )
  })

  it("do not call it a change where a part asks something of its own", () => {
    const research = { sessionId: "research", prompt: [{ type: "text", text: "Read." }] }
    const { rows } = rowsOf([
      start("Packages"),
      chain("Packages"),
      out({ id: 31, method: "session/prompt", params: prompt }),
      hop("Proxy(0)", "Agent", asks("Proxy(0):6", "session/prompt", prompt)),
      // It is answered by the part, so nobody passes it on.
      hop("Agent", "Proxy(0)", { ...asks("Agent:4", "tools/call", { name: "package_query" }), protocol: "mcp" }),
      hop("Proxy(0)", "Agent", asks("Proxy(0):7", "session/prompt", research)),
      hop("Agent", "Proxy(0)", says(chunk("a", "research"))),
      hop("Agent", "Proxy(0)", answers("Proxy(0):7", { stopReason: "end_turn" })),
      hop("Proxy(0)", "Agent", answers("Agent:4", { content: [] }))
    ])
    assert.deepStrictEqual(rows.map(short), [
      "3+4 request 0>2 session/prompt",
      "5 request 2>1 tools/call",
      "6 request 1>2 session/prompt",
      "7 notification 2>1 session/update",
      "8 answer 2>1 session/prompt",
      "9 answer 1>2 tools/call"
    ])
    assert.isTrue(rows.every(({ changed }) => changed === undefined))
    assert.strictEqual(rows[1]?.mcp, true)
    // The first prompt has no answer yet; the research has.
    assert.deepStrictEqual([rows[0]?.pair, rows[1]?.pair, rows[2]?.pair], [undefined, 9, 8])
  })

  it("do not call it a change where a part asks the client what the agent asks, too", () => {
    const { rows } = rowsOf([
      start("Build"),
      chain("Build"),
      hop("Agent", "Proxy(0)", asks("Agent:1", "terminal/create", { sessionId: "s", command: "ls" })),
      from({ id: 1, method: "terminal/create", params: { sessionId: "s", command: "npm" } }),
      from({ id: 2, method: "terminal/create", params: { sessionId: "s", command: "ls" } })
    ])
    assert.deepStrictEqual(rows.map(short), ["3+5 request 2>0 terminal/create", "4 request 1>0 terminal/create"])
    assert.isTrue(rows.every(({ changed }) => changed === undefined))
  })

  it("show what a component wrote to stderr at its place, also before the chain is known", () => {
    const { rows } = rowsOf([
      { dir: "err", part: "Git", line: "early" },
      start("Packages", "Git"),
      { dir: "err", line: "of the agent" },
      chain("Packages", "Git"),
      { dir: "err", part: "Packages", line: "late" }
    ])
    assert.deepStrictEqual(rows.map(short), ["1 stderr 2>2", "3 stderr 3>3", "5 stderr 1>1"])
  })

  it("show pieces of one text as one row, with how many came through", () => {
    const { rows } = rowsOf([
      start("Packages"),
      chain("Packages"),
      ...["a", "b", "c"].map((text) => hop("Agent", "Proxy(0)", says(chunk(text)))),
      from({ method: "session/update", params: chunk("a") }),
      from({ method: "session/update", params: chunk("b") })
    ])
    assert.deepStrictEqual(rows.map(short), ["3 notification 2>0 session/update"])
    assert.deepStrictEqual(rows[0]?.times, { sent: 3, arrived: 2 })
  })

  it("keep pieces together that a part sends on with another text", () => {
    const pieces = ["a", "b", "c"].flatMap((text) => [
      hop("Agent", "Proxy(0)", says(chunk(text))),
      from({ method: "session/update", params: chunk(`>${text}`) })
    ])
    const { rows } = rowsOf([start("Quotes"), chain("Quotes"), ...pieces])
    assert.deepStrictEqual(rows.map(short), ["3 notification 2>1 session/update", "4 notification 1>0 session/update"])
    assert.deepStrictEqual(
      rows.map(({ times }) => times),
      [
        { sent: 3, arrived: 3 },
        { sent: 3, arrived: 3 }
      ]
    )
  })

  it("end a row of pieces where something else is said", () => {
    const tool = { sessionId: "s", update: { sessionUpdate: "tool_call", toolCallId: "t", title: "Read" } }
    const { rows } = rowsOf([
      start(),
      from({ method: "session/update", params: chunk("a") }),
      from({ method: "session/update", params: chunk("b") }),
      from({ method: "session/update", params: tool }),
      from({ method: "session/update", params: chunk("c") })
    ])
    assert.deepStrictEqual(
      rows.map(({ line, times }) => [line, times?.sent]),
      [
        [2, 2],
        [4, undefined],
        [5, undefined]
      ]
    )
  })

  it("show an error, a line that is no message, and what was written to stderr", () => {
    const { all, rows } = rowsOf([
      start(),
      out({ id: 1, method: "session/prompt", params: prompt }),
      { dir: "err", line: "warn: \u001b[31mslow" },
      { dir: "in", line: "no JSON" },
      from({ id: 1, error: { code: -32000, message: "Sign in." } }),
      { dir: "note", line: { event: "exit", exitCode: 3 } }
    ])
    assert.deepStrictEqual(rows.map(short), [
      "2 request 0>1 session/prompt",
      "3 stderr 1>1",
      "4 stray 1>0",
      "5 answer 1>0 session/prompt"
    ])
    assert.deepStrictEqual([rows[3]?.error, rows[3]?.summary], [true, "error -32000: Sign in."])
    assert.notInclude(rows[1]?.summary, "\u001b")
    assert.deepStrictEqual(
      all.filter(({ kind }) => kind === "note").map(({ summary }) => summary),
      ["The agent was started: agent acp", "The agent ended with exit code 3."]
    )
  })

  it("show what is nested deeper than anything can be written, and claim no change of it", () => {
    const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`
    let carried = "null"
    for (let level = 0; level < 20_000; level++) carried = `{"method":"mcp/message","params":${carried}}`
    const tape = [
      start("Packages"),
      chain("Packages"),
      `{"at":1,"dir":"out","line":{"id":1,"method":"x/y","params":${deep(20_000)}}}`,
      `{"at":1,"dir":"hop","line":{"ts":0,"from":"Proxy(0)","to":"Agent","type":"request","protocol":"acp","id":"Proxy(0):1","method":"x/y","params":${deep(20_000)}}}`,
      `{"at":1,"dir":"in","line":{"id":1,"result":${deep(20_000)}}}`,
      `{"at":1,"dir":"in","line":${deep(20_000)}}`,
      `{"at":1,"dir":"in","line":{"method":"mcp/message","params":${carried}}}`
    ]
    const counter = TapeReader.counter()
    const rows = WireRows.make()
    for (const line of tape)
      for (const one of counter.take(typeof line === "string" ? line : JSON.stringify({ at: 1, ...line })))
        if (one.type !== "fault") rows.take(one)
    const found = rows.changed().filter(({ kind }) => kind !== "note")
    assert.deepStrictEqual(found.map(short), [
      "3 request 0>1 x/y",
      "4 request 1>2 x/y",
      "5 answer 1>0 x/y",
      "6 stray 1>0",
      "7 notification 1>0 mcp/message"
    ])
    assert.isTrue(found.every(({ changed }) => changed === undefined))
  })

  it("are short, however long an id, a session or a line is", () => {
    const long = "x".repeat(1_000_000)
    const { all } = rowsOf([
      start(),
      from({ id: long, method: "x/y", params: { sessionId: long, command: long } }),
      out({ id: long, result: { stopReason: long } }),
      { dir: "err", line: long },
      { dir: "in", line: [long] }
    ])
    assert.isBelow(JSON.stringify(all).length, 2000)
    assert.strictEqual(all[1]?.pair, 3)
  })

  it("stand at the agent also where they came before its chain was known", () => {
    const warn = { dir: "err", line: "warn" }
    const { all } = rowsOf([warn, start("Packages"), warn, chain("Packages"), warn])
    assert.deepStrictEqual(all.map(short), ["1 stderr 2>2", "2 note 2>2", "3 stderr 2>2", "4 note 2>2", "5 stderr 2>2"])
  })

  it("say that an answer may be among lines that are missing, until it comes", () => {
    const counter = TapeReader.counter()
    const rows = WireRows.make()
    const take = (line: object) => {
      for (const one of counter.take(JSON.stringify({ at: 1, ...line }))) if (one.type !== "fault") rows.take(one)
    }
    take(out({ id: 1, method: "x/y" }))
    take(out({ id: 2, method: "x/y" }))
    rows.miss()
    assert.deepStrictEqual(
      rows.changed().map(({ missed }) => missed),
      [true, true]
    )
    take(from({ id: 2, result: {} }))
    take(out({ id: 3, method: "x/y" }))
    assert.deepStrictEqual(
      rows.changed().map(({ line, missed, pair }) => [line, missed, pair]),
      [
        [2, true, 3],
        [3, undefined, 2],
        [4, undefined, undefined]
      ]
    )
  })

  it("forget nothing of what is open after a flood, and keep no more than a bound", () => {
    const flood = Array.from({ length: 30_000 }, (_, index) => out({ id: index, method: "x/y", params: { index } }))
    const { rows } = rowsOf([start("Packages"), chain("Packages"), ...flood, from({ id: 29_999, result: {} })])
    assert.lengthOf(rows, 30_001)
    assert.strictEqual(rows.at(-1)?.pair, 30_002)
  })
})
