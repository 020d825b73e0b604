/** `signalbox conductor` as a client starts it: what it says, what it starts, how it ends, and that nothing is left. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as AcpCaller from "./support/AcpCaller.ts"
import { call, temporaryFolder } from "./support/Signalbox.ts"

/** Processes whose command lines or environments hold this word, but for the conductor itself. */
const processesWith = (word: string): ReadonlyArray<string> =>
  execFileSync("ps", ["-A", "-o", "stat=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((row) => row.includes(word) && !row.startsWith("Z") && !row.includes("ps -A"))

/** Answers what is needed to begin a turn, says that it waits, and never answers. The prompt `die` ends it. */
const sleeper = `
  const answers = { initialize: { protocolVersion: 1 }, "session/new": { sessionId: "s" } }
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line)
    if (answers[method]) return console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] }))
    console.error("at work")
    if (params.prompt[0].text === "die") process.exit(7)
  })
  process.on("SIGTERM", () => {})
  setInterval(() => {}, 1000)
`

const isMessage = (line: string): boolean => JSON.parse(line).jsonrpc === "2.0"

describe("signalbox conductor agent", () => {
  it.live("brings a turn through its proxies in their order, says nothing but ACP, and traces it", () =>
    Effect.gen(function* () {
      const arrow = AcpCaller.line("arrow")
      const trace = join(temporaryFolder("conductor"), "trace.jsonl")
      const chain = ["--no-bridge", "--component", "pass", "--proxy", arrow, "--trace", trace, `--proxy=${arrow}`]
      const caller = yield* AcpCaller.start(["conductor", "agent", ...chain, "--", ...AcpCaller.words("eliza")], {
        env: { SIGNALBOX_STATE_DIR: "/proc/no-such-folder" }
      })
      const { sessionId } = yield* AcpCaller.newSession(caller)
      const { result } = yield* caller.request("session/prompt", AcpCaller.prompt(sessionId, "Hello"))
      assert.deepStrictEqual(result, { stopReason: "end_turn" })
      caller.stdin.end()
      const { code, stderr, stdout } = yield* caller.ended
      assert.strictEqual(code, 0, stderr)
      assert.match(stdout, /"text":">>/)
      const lines = stdout.trimEnd().split("\n")
      assert.isTrue(lines.every(isMessage))
      const events = readFileSync(trace, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
      assert.deepStrictEqual(
        events
          .filter(({ method }) => method === "session/update")
          .map(({ from, params, to }) => [from, to, /^>*/.exec(params.update.content.text)?.[0]]),
        [
          ["Agent", "Proxy(2)", ""],
          ["Proxy(2)", "Proxy(1)", ">"],
          ["Proxy(1)", "Proxy(0)", ">>"],
          ["Proxy(0)", "Client", ">>"]
        ]
      )
      // The trace has what the client has heard.
      assert.deepStrictEqual(
        events.filter(({ to }) => to === "Client").map(({ params, payload }) => params ?? payload),
        lines.map((line) => JSON.parse(line)).map(({ params, result }) => params ?? result)
      )
      assert.include(stderr, "A program is started without being on record.")
    })
  )

  it.live("starts each program with its words as they are", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("conductor")
      // Each program writes its words in a file, and ends.
      const script = `require("node:fs").appendFileSync(${JSON.stringify(join(folder, "words"))}, JSON.stringify(process.argv.slice(1)) + "\\n")`
      const odd = ["two words", `"quoted"`, "$HOME", "*", "--proxy", "--", ""]
      const node = [process.execPath, "-e", script, "--"]
      const chain = ["--no-bridge", "--proxy", `${process.execPath} -e '${script}' -- 'a b' \\$HOME *`]
      const caller = yield* AcpCaller.start(["conductor", "agent", ...chain, "--", ...node, ...odd])
      const { error } = yield* caller.request("initialize", { protocolVersion: 1 })
      assert.strictEqual(error?.code, -32603)
      caller.stdin.end()
      assert.strictEqual((yield* caller.ended).code, 1)
      const started = readFileSync(join(folder, "words"), "utf8").trimEnd().split("\n").toSorted()
      assert.deepStrictEqual(started, [JSON.stringify(["a b", "$HOME", "*"]), JSON.stringify(odd)].toSorted())
    })
  )

  it.live("answers a prompt whose agent dies with the agent's command, and ends with 1", () =>
    Effect.gen(function* () {
      const words = [process.execPath, "-e", sleeper, "--", "signalbox-test-dies"]
      const caller = yield* AcpCaller.start(["conductor", "agent", "--proxy", AcpCaller.line("arrow"), "--", ...words])
      const { sessionId } = yield* AcpCaller.newSession(caller)
      const { error } = yield* caller.request("session/prompt", AcpCaller.prompt(sessionId, "die"))
      assert.strictEqual(error?.code, -32603)
      assert.deepInclude(error?.data, { reason: "Ended", exitCode: 7, stderrTail: ["at work"] })
      assert.include(String(error?.data?.["component"]), "signalbox-test-dies")
      const { code, stderr } = yield* caller.ended
      assert.strictEqual(code, 1)
      assert.match(stderr, /^signalbox conductor agent: .*signalbox-test-dies exited with code 7\.$/m)
      assert.deepStrictEqual(processesWith("signalbox-test-dies"), [])
    })
  )

  for (const { end, expected, name } of [
    {
      name: "its client leaves",
      expected: 0,
      end: (caller: AcpCaller.AcpCaller) => void caller.stdin.end()
    },
    {
      name: "somebody presses Ctrl-C",
      expected: 130,
      end: (caller: AcpCaller.AcpCaller) => caller.kill("SIGINT")
    },
    { name: "it is asked to by SIGTERM", expected: 143, end: (caller: AcpCaller.AcpCaller) => caller.kill("SIGTERM") }
  ])
    it.live(`ends in the middle of a prompt when ${name}, with a program that does not want to`, () =>
      Effect.gen(function* () {
        const mark = `signalbox-test-stays-${expected}`
        const words = [process.execPath, "-e", sleeper, "--", mark]
        const caller = yield* AcpCaller.start(["conductor", "agent", "--component", "pass", "--", ...words])
        const { sessionId } = yield* AcpCaller.newSession(caller)
        caller.begin("session/prompt", AcpCaller.prompt(sessionId, "wait"))
        yield* caller.says(/at work/)
        const before = performance.now()
        end(caller)
        const { code } = yield* caller.ended
        assert.strictEqual(code, expected)
        assert.isBelow(performance.now() - before, 30_000)
        assert.deepStrictEqual(processesWith(mark), [])
      })
    )

  it.live("refuses a first message that is not initialize, and garbage before it", () =>
    Effect.gen(function* () {
      const caller = yield* AcpCaller.start(["conductor", "agent", "--", "no-such-program"])
      caller.send("garbage")
      for (const method of ["session/new", "initialize"])
        assert.strictEqual((yield* caller.request(method, {})).error?.code, -32600)
      caller.stdin.end()
      const { code, stderr, stdout } = yield* caller.ended
      assert.strictEqual(code, 1)
      assert.isTrue(stdout.trimEnd().split("\n").every(isMessage))
      assert.include(stderr, "client wrote a line that is no message: garbage")
    })
  )

  it.live("names the proxy that is none, and the program that is not there", () =>
    Effect.gen(function* () {
      const agentAsProxy = ["--proxy", AcpCaller.line("eliza"), "--", ...AcpCaller.words("eliza")]
      const missing = ["--component", "pass", "--", "no-such-program", "--flag"]
      for (const [chain, reason, component] of [
        [agentAsProxy, "NotAProxy", AcpCaller.line("eliza")],
        [missing, "NotStarted", "no-such-program --flag"]
      ] as const) {
        const caller = yield* AcpCaller.start(["conductor", "agent", ...chain])
        const { error } = yield* caller.request("initialize", { protocolVersion: 1 })
        assert.deepInclude(error?.data, { reason, component })
        caller.stdin.end()
        const { code, stderr } = yield* caller.ended
        assert.strictEqual(code, 1)
        assert.include(stderr, `signalbox conductor agent: ${component} `)
      }
    })
  )

  it.live("names its usage errors, and starts nothing", () =>
    Effect.gen(function* () {
      const agent = ["--", "no-such-program"]
      for (const [words, said] of [
        [["agent"], "There is no agent. Name it behind --"],
        [["agent", "eliza", ...agent], '"eliza" is not expected here. Put -- before the agent.'],
        [["agent", "--component", "nope", ...agent], 'There is no component "nope". The components are:'],
        [["agent", "--component", "pass", "--component=pass", ...agent], "The chain names pass twice."],
        [["agent", "--proxy", "'' x", ...agent], `--proxy "'' x": the program has no name.`],
        [["agent", "--", "", "acp"], "The agent behind -- has no name."],
        [["agent", "--config", "/no/file"], "--config: /no/file can't be used."],
        [["agent", "--trace", "/no/folder/trace", ...agent], "--trace: ENOENT"],
        [
          ["agent", "--trace", "/dev/stdout", ...agent],
          "--trace: /dev/stdout is standard output, which carries ACP only."
        ],
        [["proxy", ...agent], "A chain in proxy mode has no agent"]
      ] as const) {
        const { code, stderr, stdout } = yield* call(["conductor", ...words])
        assert.deepStrictEqual([code, stdout], [2, ""], stderr)
        assert.include(stderr, said)
      }
    })
  )
})

describe("signalbox conductor proxy", () => {
  it.live("is one proxy of an outer chain that a file describes, as is signalbox component", () =>
    Effect.gen(function* () {
      const signalbox = `${process.execPath} ${AcpCaller.program}`
      const inner = `${signalbox} conductor proxy --proxy '${AcpCaller.line("arrow")}' --component pass`
      const component = (line: string) => ({ command: "sh", args: ["-c", `exec ${line}`] })
      const config = join(temporaryFolder("conductor"), "chain.json")
      const [command, ...args] = AcpCaller.words("eliza")
      const components = [inner, `${signalbox} component pass`, AcpCaller.line("arrow")].map(component)
      writeFileSync(config, JSON.stringify({ components, agent: { command, args } }))
      const caller = yield* AcpCaller.start(["conductor", "agent", "--config", config])
      const { sessionId } = yield* AcpCaller.newSession(caller)
      yield* caller.request("session/prompt", AcpCaller.prompt(sessionId, "Hello"))
      caller.stdin.end()
      const { code, stdout } = yield* caller.ended
      assert.strictEqual(code, 0)
      assert.match(stdout, /"text":">>/)
    })
  )
})

describe("signalbox conductor agent with another conductor in its chain", () => {
  it.live("names the component of the inner chain that failed, and the inner conductor that passed this on", () =>
    Effect.gen(function* () {
      const inner = `${process.execPath} ${AcpCaller.program} conductor proxy --component pass --proxy no-such-program`
      const caller = yield* AcpCaller.start(["conductor", "agent", "--proxy", inner, "--", ...AcpCaller.words("eliza")])
      for (const method of ["initialize", "session/new"])
        assert.deepInclude((yield* caller.request(method, { protocolVersion: 1 })).error?.data, {
          reason: "NotStarted",
          component: "no-such-program"
        })
      caller.stdin.end()
      const { code, stderr } = yield* caller.ended
      assert.strictEqual(code, 1)
      assert.include(stderr, `signalbox conductor agent: ${inner} answered its initialization with an error: `)
      assert.deepStrictEqual(processesWith(inner), [])
    })
  )
})

describe("signalbox conductor view", () => {
  it.live("reads a pipe once", () =>
    Effect.gen(function* () {
      const pipe = join(temporaryFolder("conductor"), "pipe")
      execFileSync("mkfifo", [pipe])
      const said = { type: "notification", ts: 1, protocol: "acp", from: "Client", to: "Agent", method: "x", params: 1 }
      const writing = writeFile(pipe, `${JSON.stringify(said)}\n`)
      const { code, stderr, stdout } = yield* call(["conductor", "view", pipe])
      yield* Effect.promise(() => writing)
      assert.deepStrictEqual([code, stdout], [0, "    1.000  Client → Agent        x\n"], stderr)
    })
  )

  it.live("prints a trace that was cut off, and refuses a file that is none", () =>
    Effect.gen(function* () {
      const trace = join(temporaryFolder("conductor"), "trace.jsonl")
      const event = {
        type: "request",
        ts: 1,
        protocol: "acp",
        from: "Client",
        to: "Agent",
        id: 1,
        method: "x",
        params: {}
      }
      writeFileSync(trace, `${JSON.stringify(event)}\n{"type":"resp`)
      const { code, stderr, stdout } = yield* call(["conductor", "view", trace])
      assert.deepStrictEqual([code, stdout], [0, "    1.000  Client → Agent        x\n"])
      assert.include(stderr, "1 line is no event of a trace; the first is line 2.\n1 request was not answered: x\n")
      writeFileSync(trace, "something else\n")
      const refused = yield* call(["conductor", "view", trace])
      assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
      assert.include(refused.stderr, "This is no trace.")
    })
  )
})
