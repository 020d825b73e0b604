import { assert, describe, it } from "@effect/vitest"
import { read } from "@signalbox/conductor/TraceEvent"
import * as TraceText from "../../src/cli/conductor/TraceText.ts"

const linesOf = (...lines: ReadonlyArray<string>) => {
  const text = TraceText.make()
  return lines.map((line) => {
    const event = read(line)
    return event === undefined ? "no event" : TraceText.lineOf(text.row(event))
  })
}

const request = (id: string, params: string, method = "session/prompt") =>
  `{"type":"request","ts":0.5,"protocol":"acp","from":"Client","to":"Proxy(0)","id":${id},"method":"${method}","params":${params}}`

const response = (id: string, ts: number, payload: string, isError = false) =>
  `{"type":"response","ts":${ts},"from":"Proxy(0)","to":"Client","id":${id},"is_error":${isError},"payload":${payload}}`

const update = (inner: string, protocol = "acp", method = "session/update") =>
  `{"type":"notification","ts":61.25,"protocol":"${protocol}","from":"Agent","to":"Client","method":"${method}","params":{"sessionId":"s","update":${inner}}}`

describe("a trace as text", () => {
  it("says who says what, how long answers take, and how they fail", () => {
    // Ids and members as the reference conductor writes them.
    assert.deepStrictEqual(
      linesOf(
        request('"a-1"', '{"prompt":[{"type":"text","text":"Hello"},{"type":"image"},{"type":"text","text":"there"}]}'),
        request("7", "null", "session/new"),
        update('{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"How\\ndo you do"}}'),
        update('{"sessionUpdate":"tool_call_update","title":"Read it","status":"completed"}'),
        update("null", "mcp", "notifications/progress"),
        response('"a-1"', 2.75, '{"stopReason":"end_turn"}'),
        response("7", 0.511, '{"code":-32603,"message":"eliza exited with code 1."}', true),
        response("7", 1, "{}")
      ),
      [
        '    0.500  Client → Proxy(0)     session/prompt  "Hello there"',
        "    0.500  Client → Proxy(0)     session/new",
        '   61.250  Agent → Client        session/update  agent message chunk "How do you do"',
        '   61.250  Agent → Client        session/update  tool call update "Read it" (completed)',
        "   61.250  Agent → Client        mcp notifications/progress",
        "    2.750  Proxy(0) → Client     session/prompt: answered after 2.25 s, end_turn",
        "    0.511  Proxy(0) → Client     session/new: failed after 11 ms, error -32603: eliza exited with code 1.",
        "    1.000  Proxy(0) → Client     request 7: answered"
      ]
    )
  })

  it("stays on one line of bounded length, whatever a trace says", () => {
    const hostile = "\u001b[2J\u001b]0;title\u0007\n\u202e".repeat(10_000)
    const text = JSON.stringify(hostile)
    for (const line of linesOf(
      request("1", `{"prompt":[{"text":${text}}]}`, hostile.slice(0, 0)),
      update(`{"sessionUpdate":${text},"title":${text},"status":${text},"content":{"text":${text}}}`),
      `{"type":"request","ts":1,"protocol":"acp","from":${text},"to":${text},"id":${text},"method":${text},"params":{}}`,
      `{"type":"response","ts":1,"from":"x","to":"y","id":${text},"is_error":true,"payload":{"code":1,"message":${text}}}`
    )) {
      assert.isBelow(line.length, 400)
      // eslint-disable-next-line no-control-regex -- control characters are what it looks for
      assert.notMatch(line, /[\u0000-\u001f\u202e]/)
    }
  })

  it("counts what was not answered, and remembers no more than ten thousand requests", () => {
    const text = TraceText.make()
    const say = (line: string) => {
      const event = read(line)
      if (event !== undefined) TraceText.lineOf(text.row(event))
    }
    say(request("0", "{}"))
    say(request("1", "{}", "session/new"))
    say(response("0", 1, "{}"))
    assert.deepStrictEqual(text.unanswered(), { count: 1, methods: ["session/new"], isPart: false })
    for (let id = 2; id < 10_010; id += 1) say(request(String(id), "{}"))
    assert.deepStrictEqual(text.unanswered(), { count: 10_000, methods: ["session/prompt"], isPart: true })
  })

  it("knows what is no event", () => {
    assert.deepStrictEqual(linesOf("{}", "x", "[]", '{"type":"request"}', '{"at":1,"dir":"in","line":{}}'), [
      "no event",
      "no event",
      "no event",
      "no event",
      "no event"
    ])
  })
})
