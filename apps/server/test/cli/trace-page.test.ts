/** `signalbox conductor view --serve`: the page shows what is printed, reads what comes later, and opens to its link only. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { appendFileSync, rmSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import * as EventPage from "../../src/cli/conductor/EventPage.ts"
import * as TraceBook from "../../src/cli/conductor/TraceBook.ts"
import * as TracePage from "../../src/cli/conductor/TracePage.ts"
import { call, start, temporaryFolder } from "./support/Signalbox.ts"

const hop = (from: string, to: string) => `"protocol":"acp","from":${JSON.stringify(from)},"to":${JSON.stringify(to)}`

const prompt = (id: number, text: string): string =>
  `{"type":"request","ts":${id},${hop("Client", "Agent")},"id":${id},"method":"session/prompt","params":{"prompt":[{"text":${JSON.stringify(text)}}]}}\n`

const answer = (id: number): string =>
  `{"type":"response","ts":${id + 0.5},"from":"Agent","to":"Client","id":${id},"is_error":false,"payload":{"stopReason":"end_turn"}}\n`

const failure = (id: number, message: string): string =>
  `{"type":"response","ts":${id + 0.5},"from":"Agent","to":"Client","id":${id},"is_error":true,"payload":{"code":-32603,"message":${JSON.stringify(message)}}}\n`

const traceOf = (...lines: ReadonlyArray<string>): string => {
  const path = join(temporaryFolder("trace"), "trace.jsonl")
  writeFileSync(path, lines.join(""))
  return path
}

const hostile = `<script>alert(1)</script> & "quoted" 'too' \u202e\u001b[2J\u0007 </td>`

/** Text as a browser shows it. */
const shown = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

/** The rows of a page: its cells as text. */
const rowsIn = (html: string): ReadonlyArray<ReadonlyArray<string>> =>
  [...html.matchAll(/<tr class="(\w+)">(.*)<\/tr>/g)].map(([, kind = "", cells = ""]) => [
    kind,
    ...[...cells.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = ""]) => shown(cell))
  ])

interface Reply {
  readonly status: number
  readonly headers: { readonly [name: string]: unknown }
  readonly text: string
}

const get = (url: string, headers: { readonly [name: string]: string } = {}, method = "GET"): Effect.Effect<Reply> =>
  Effect.callback((resume) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (part) => (text += part))
      response.on("end", () =>
        resume(Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, text }))
      )
    })
    sent.on("error", (error) => resume(Effect.die(error)))
    sent.end()
    return Effect.sync(() => sent.destroy())
  })

describe("the page of a trace", () => {
  it.effect("shows each event as one row, whatever its text is", () =>
    Effect.gen(function* () {
      const path = traceOf(prompt(1, hostile), failure(1, hostile), prompt(2, "Bye"), "no event\n")
      const html = TracePage.html(`/<b>/${path}`, yield* TraceBook.make(path).read, 1)
      const rows = rowsIn(html)
      assert.deepStrictEqual(rows[0]?.slice(0, 3), ["down", "1.000", "Client → Agent"])
      assert.strictEqual(rows[1]?.[0], "failed")
      assert.deepStrictEqual(rows[2], ["open", "2.000", "Client → Agent", 'session/prompt  "Bye" not answered'])
      assert.include(html, `session/prompt  &quot;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quoted&quot; `)
      for (const row of rows.slice(0, 2)) assert.include(row[3], "<script>alert(1)</script> & \"quoted\" 'too'")
      assert.strictEqual(rows.length, 3)
      for (const raw of ["<script", "<b>/", "\u202e", "\u001b", "\u0007"]) assert.notInclude(html, raw)
      assert.include(html, "/&lt;b&gt;/")
      // Letters from right to left change the places of the two names nowhere.
      assert.include(html, "<bdi>Client</bdi> <span>→</span> <bdi>Agent</bdi>")
      assert.include(shown(html), "1 line is no event of a trace; the first is line 4.")
      assert.include(shown(html), "1 request was not answered: session/prompt")
    })
  )

  it.effect("shows a thousand events at once, and the rest on pages of their own", () =>
    Effect.gen(function* () {
      const events = Array.from({ length: 1250 }, (_, at) => prompt(at, String(at)) + answer(at))
      const reading = yield* TraceBook.make(traceOf(...events)).read
      const first = (page: number) => rowsIn(TracePage.html("/trace", reading, page)).map((row) => row[1])
      assert.strictEqual(TracePage.pagesOf(reading), 3)
      assert.deepStrictEqual([first(1).length, first(1)[0]], [1000, "0.000"])
      assert.deepStrictEqual([first(3).length, first(3).at(-1)], [500, "1249.500"])
      // Pages that are not there are the nearest ones.
      assert.deepStrictEqual([first(0), first(99)], [first(1), first(3)])
      const html = TracePage.html("/trace", reading, 2)
      assert.include(shown(html), "Events 1001 to 2000 of 2500")
      const links = new Set([...html.matchAll(/href="(\?[^"]*)"/g)].map(([, link]) => link))
      assert.deepStrictEqual(links, new Set(["?page=1", "?page=3"]))
    })
  )

  it.effect("reads what the file gets later, and a file that has begun again", () =>
    Effect.gen(function* () {
      const path = traceOf(prompt(1, "Hello"))
      const book = TraceBook.make(path)
      const words = Effect.map(book.read, ({ isWaiting, rows }) =>
        rows.map(({ key, words }) => [words, key !== undefined && isWaiting(key)])
      )
      assert.deepStrictEqual(yield* words, [['session/prompt  "Hello"', true]])
      const [begin, end] = [answer(1).slice(0, 20), answer(1).slice(20)]
      appendFileSync(path, begin)
      assert.strictEqual((yield* words).length, 1)
      appendFileSync(path, end)
      assert.deepStrictEqual(yield* words, [
        ['session/prompt  "Hello"', false],
        ["session/prompt: answered after 500 ms, end_turn", false]
      ])
      writeFileSync(path, prompt(7, "New"))
      assert.deepStrictEqual(yield* words, [['session/prompt  "New"', true]])
    })
  )

  it.effect("shows nothing of an earlier trace when a chain has written a longer one into its file", () =>
    Effect.gen(function* () {
      const path = traceOf(prompt(1, "Old"), answer(1))
      const book = TraceBook.make(path)
      const words = Effect.map(book.read, ({ rows }) => rows.map(({ number, words }) => [number, words]))
      assert.strictEqual((yield* words).length, 2)
      writeFileSync(path, [prompt(2, "New"), answer(2), prompt(3, "Newer")].join(""))
      assert.deepStrictEqual(yield* words, [
        [1, 'session/prompt  "New"'],
        [2, "session/prompt: answered after 500 ms, end_turn"],
        [3, 'session/prompt  "Newer"']
      ])
    })
  )

  it.effect("waits for no pipe that has taken the file's place", () =>
    Effect.gen(function* () {
      const path = traceOf(prompt(1, "Hello"))
      const book = TraceBook.make(path)
      yield* book.read
      rmSync(path)
      execFileSync("mkfifo", [path])
      assert.strictEqual((yield* Effect.flip(book.read)).problem.cause, "The page needs a file, and this is none.")
      rmSync(path)
      writeFileSync(path, prompt(2, "Hello") + answer(2))
      assert.lengthOf((yield* book.read).rows, 2)
    })
  )

  it.effect("keeps so many events only, and says how many more there are", () =>
    Effect.gen(function* () {
      const events = Array.from({ length: 5 }, (_, at) => prompt(at, "x") + answer(at))
      const { notes, rows } = yield* TraceBook.make(traceOf(...events), 4).read
      assert.strictEqual(rows.length, 4)
      assert.deepStrictEqual(notes, ["Only the first 4 events are shown. 6 more are in the file."])
    })
  )
})

describe("the page of one event", () => {
  const htmlOf = Effect.fnUntraced(function* (path: string, number: number) {
    const book = TraceBook.make(path)
    const reading = yield* book.read
    const line = yield* book.line(number)
    return line === undefined ? "" : EventPage.html("/<b>/trace", reading, line)
  })
  const textIn = (html: string) => /<pre>([^]*)<\/pre>/.exec(html)?.[1] ?? ""

  it.effect("shows the whole message as the file has it, and nothing of it as HTML", () =>
    Effect.gen(function* () {
      const said = `{"type":"notification","ts":1,${hop("Client", "Agent")},"method":"x","params":{"big":90071992547409931,"a":[],"a":{ },"text":"<script>\u202e\\u202e","deep":[1,[true,null]]}}`
      const path = traceOf(prompt(1, hostile), `${said}\n`)
      assert.strictEqual(
        shown(textIn(yield* htmlOf(path, 2))),
        `{
  "type": "notification",
  "ts": 1,
  "protocol": "acp",
  "from": "Client",
  "to": "Agent",
  "method": "x",
  "params": {
    "big": 90071992547409931,
    "a": [],
    "a": {},
    "text": "<script><U+202E>\\u202e",
    "deep": [
      1,
      [
        true,
        null
      ]
    ]
  }
}`
      )
      const html = yield* htmlOf(path, 1)
      for (const raw of ["<script", "<b>/", "\u202e", "\u001b", "\u0007"]) assert.notInclude(html, raw)
      assert.include(shown(textIn(html)), "<script>alert(1)</script> & \\\"quoted\\\" 'too'")
    })
  )

  it.effect("leads to the event before and behind it, and back to its place in the trace", () =>
    Effect.gen(function* () {
      const events = Array.from({ length: 600 }, (_, at) => `${prompt(at, "x")}no event\n\n${answer(at)}`)
      const path = traceOf(...events)
      const links = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link).slice(1)
      const html = yield* htmlOf(path, 1501)
      assert.deepStrictEqual(links(html), ["./?page=2#l1501", "event?line=1500", "event?line=1503"])
      assert.include(TracePage.html(path, yield* TraceBook.make(path).read, 2), '<a id="l1501" href="event?line=1501">')
      assert.deepStrictEqual(links(yield* htmlOf(path, 1)), ["./?page=1#l1", "event?line=3"])
      assert.deepStrictEqual(links(yield* htmlOf(path, 1800)), ["./?page=2#l1800", "event?line=1798"])
      // A line that is no event is shown as it is.
      const none = yield* htmlOf(path, 1502)
      assert.deepStrictEqual(links(none), ["./", "event?line=1501", "event?line=1503"])
      assert.strictEqual(textIn(none), "no event")
      assert.include(none, "This line is no event of a trace.")
      assert.deepStrictEqual([yield* htmlOf(path, 0), yield* htmlOf(path, 1801)], ["", ""])
    })
  )

  it.effect("finds each line of a file that is read in pieces, also when it grows", () =>
    Effect.gen(function* () {
      const path = traceOf(prompt(1, "x".repeat(200_000)))
      const book = TraceBook.make(path)
      yield* book.read
      for (let at = 2; at < 40; at++) {
        appendFileSync(path, `${at % 3 === 0 ? "\n\r\n" : ""}${prompt(at, "y".repeat(at * 1000))}`)
        if (at % 5 === 0) yield* book.read
      }
      yield* book.read
      for (let number = 1; number < 40; number++) {
        const line = yield* book.line(number)
        assert.deepStrictEqual([line?.number, line?.event?.ts], [number, number])
      }
    })
  )

  it.effect("shows the beginning of a message that is too long, and says how much is left", () =>
    Effect.gen(function* () {
      const html = yield* htmlOf(traceOf(prompt(1, "x".repeat(1_000_000))), 1)
      const text = shown(textIn(html))
      assert.isBelow(html.length, 300_000)
      const left = Number(/Only the beginning is shown. (\d+) more characters/.exec(html)?.[1])
      assert.strictEqual(
        text.replaceAll(/\n +|(?<="): /g, (space) => (space === ": " ? ":" : "")).length + left,
        prompt(1, "").length - 1 + 1_000_000
      )
      const deep = `{"type":"notification","ts":1,${hop("a", "b")},"method":"x","params":${"[".repeat(50_000)}${"]".repeat(50_000)}}\n`
      assert.isBelow((yield* htmlOf(traceOf(deep), 1)).length, 600_000)
    })
  )
})

describe("signalbox conductor view --serve", () => {
  it.live("shows what is printed, opens to its link only, and ends with Ctrl-C", () =>
    Effect.gen(function* () {
      const path = traceOf(prompt(1, hostile), answer(1), prompt(2, "Bye"), failure(2, "no"), prompt(3, "Hello?"))
      const printed = yield* call(["conductor", "view", path])
      const running = yield* start(["conductor", "view", path, "--serve"])
      const [link = "", origin = ""] = yield* running.says(/(http:\/\/127\.0\.0\.1:\d+)\/[\w-]{43}\/(?=\n)/)
      const { headers, status, text } = yield* get(link)
      assert.strictEqual(status, 200)
      assert.include(headers["content-security-policy"], "default-src 'none'; style-src 'self';")
      assert.strictEqual(headers["cache-control"], "no-store")
      const lines = rowsIn(text).map(
        ([, time = "", hop = "", words = ""]) =>
          `${time.padStart(9)}  ${hop.padEnd(20)}  ${words.replace(/ not answered$/, "")}`
      )
      assert.deepStrictEqual(lines, printed.stdout.trimEnd().split("\n"))
      assert.include(shown(text), printed.stderr.trim())
      assert.match(String((yield* get(`${link}style.css`)).headers["content-type"]), /^text\/css/)

      const [, address = ""] = /<a id="l4" href="([^"]*)"/.exec(text) ?? []
      const event = yield* get(new URL(address, link).href)
      assert.deepStrictEqual([event.status, rowsIn(event.text)], [200, [rowsIn(text)[3]]])
      assert.include(shown(event.text), '"message": "no"')
      assert.strictEqual(event.headers["content-security-policy"], headers["content-security-policy"])

      const missing = yield* get(`${link}event?line=6`)
      assert.include(missing.text, '<a href="./">All events</a>')
      assert.include(shown(missing.text), "The trace has no line 6 now.")
      const { port } = new URL(link)
      for (const [url, more, method, expected] of [
        [`${origin}/`, {}, "GET", 403],
        [`${origin}/${"A".repeat(43)}/`, {}, "GET", 403],
        [`${link}other`, {}, "GET", 404],
        [`${link}constructor`, {}, "GET", 404],
        [`${link}__proto__`, {}, "GET", 404],
        [`${link}event`, {}, "GET", 404],
        [`${link}event?line=0`, {}, "GET", 404],
        [`${link}event?line=-1`, {}, "GET", 404],
        [`${link}event?line=6`, {}, "GET", 404],
        [`${link}event?line=1e9`, {}, "GET", 404],
        [`${origin}/event?line=1`, {}, "GET", 403],
        [link, { host: `evil.example:${port}` }, "GET", 421],
        [link, { origin: "http://evil.example" }, "GET", 403],
        [link, { origin }, "POST", 405]
      ] as const) {
        const refused = yield* get(url, more, method)
        assert.strictEqual(refused.status, expected, `${method} ${url}`)
        assert.notInclude(refused.text, "session/prompt")
      }
      running.kill("SIGINT")
      assert.strictEqual((yield* running.ended).code, 0)
    })
  )

  it.live("refuses a file that is no trace, and one that is not there, before it listens", () =>
    Effect.gen(function* () {
      for (const [path, words] of [
        [traceOf("no trace\n"), "This is no trace."],
        ["/no/such/file", "The trace can't be read."]
      ] as const) {
        const { code, stderr, stdout } = yield* call(["conductor", "view", path, "--serve"])
        assert.deepStrictEqual([code, stdout], [1, ""])
        assert.include(stderr, words)
      }
    })
  )
})
