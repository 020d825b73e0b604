/** Researchers: what they may do, how they end, and that nothing of them is left or seen. */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Behaviour, type Bench, start } from "./HandAgent.ts"

const options = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" }
]

/** Asks for permission, and hands over which option was chosen. */
const permission = ({ ask }: Bench, toolCall: object, then: (chosen: unknown) => void) =>
  ask("session/request_permission", { toolCall: { toolCallId: "t", ...toolCall }, options }, (answer) =>
    then(Object(answer).outcome?.optionId ?? answer)
  )

const returning = (bench: Bench, response: unknown, then?: () => void) =>
  bench.call("return_response_to_user", { response }, then)

/** Returns the question itself, and ends. */
const echoing: Behaviour = {
  prompted: (bench) => returning(bench, bench.session.question, () => bench.end("end_turn"))
}

type Chain = Effect.Success<ReturnType<typeof start>>

/** What the client has heard so far. */
const allHeardBy = ({ client }: Chain) =>
  Effect.map(Queue.clear(client.heard), (heard) =>
    heard.map(({ method, params = "null" }) => ({ method, params: JSON.parse(params) }))
  )

/** What the client has heard so far, without the tool calls of the component, which stand in its own session. */
const heardBy = (chain: Chain) =>
  Effect.map(allHeardBy(chain), (heard) =>
    heard.filter(
      ({ params }) => params.sessionId !== chain.own.id || !String(params.update?.toolCallId).startsWith("research-")
    )
  )

/** Waits until the agent has no session but that of the client. */
const untilAlone = (sessions: ReadonlyMap<string, unknown>) =>
  Effect.gen(function* () {
    while (sessions.size > 1) yield* Effect.sleep("5 millis")
  }).pipe(Effect.timeout("20 seconds"))

describe("A researcher", () => {
  it.live("is known before its first word: what it asks at once is answered, and the client hears nothing", () =>
    Effect.gen(function* () {
      const chain = yield* start({
        opened: (bench) =>
          permission(bench, { kind: "execute", rawInput: { command: "rm -rf /" } }, (chosen) => {
            bench.session.question = String(chosen)
          }),
        prompted: (bench) => {
          const first = bench.session.question
          bench.notify("session/update", {
            update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hm" } }
          })
          permission(bench, { kind: "read", locations: [{ path: chain.path }] }, (chosen) =>
            returning(bench, [first, chosen], () => bench.end("end_turn"))
          )
        }
      })
      const answer = yield* chain.ask("?")
      assert.deepInclude(answer, { result: { result: ["?", "yes"], version: "1.2.3" } })
      yield* untilAlone(chain.sessions)
      assert.deepStrictEqual(yield* heardBy(chain), [])
    })
  )

  it.live("may read its sources and the project, and nothing else", () =>
    Effect.gen(function* () {
      const chosen: Array<unknown> = []
      const asked: ReadonlyArray<object> = [
        { kind: "execute", title: "rm -rf /", rawInput: { command: "rm -rf /" } },
        { kind: "read", title: "Read", rawInput: { path: "/etc/passwd" } },
        { kind: "read", title: "Read", rawInput: { command: "cat index.js" } },
        { kind: "read", title: "Read", rawInput: { path: "leak" } },
        { kind: "edit", title: "Edit", content: [{ type: "diff", path: "a", newText: "b" }] },
        { kind: "fetch", title: "Fetch", rawInput: { url: "http://127.0.0.1/" } },
        { kind: "read", title: "Read", rawInput: { path: "node_modules/left/index.js" } },
        { kind: "search", title: "Search", rawInput: { pattern: "left" } },
        { kind: "other", title: "mcp__rust-crate-sources__return_response_to_user" }
      ]
      const more: Array<unknown> = []
      const chain = yield* start({
        prompted: (bench) => {
          const next = (at: number): void => {
            const toolCall = asked[at]
            if (toolCall !== undefined)
              return permission(bench, toolCall, (answer) => {
                chosen.push(answer)
                next(at + 1)
              })
            const requests: ReadonlyArray<readonly [string, object]> = [
              ["fs/write_text_file", { path: join(chain.cwd, "x"), content: "x" }],
              ["terminal/create", { command: "rm", args: ["-rf", "/"] }],
              ["fs/read_text_file", { path: "/etc/passwd" }],
              ["fs/read_text_file", { path: join(chain.path, "index.js"), line: 2, limit: 1 }],
              ["_vendor/ask", {}]
            ]
            for (const [method, params] of requests)
              bench.ask(method, params, (answer) => {
                more.push("error" in Object(answer) ? "refused" : answer)
                if (more.length === requests.length) returning(bench, "done", () => bench.end("end_turn"))
              })
          }
          next(0)
        }
      })
      symlinkSync("/etc/passwd", join(chain.cwd, "leak"))
      yield* chain.ask("?")
      assert.deepStrictEqual(chosen, ["no", "no", "no", "no", "no", "no", "yes", "yes", "yes"])
      assert.sameDeepMembers(more, ["refused", "refused", "refused", "refused", { content: "export const Right = 2" }])
      assert.deepStrictEqual(yield* heardBy(chain), [])
    })
  )

  it.live("lists, reads and searches the source for an agent that can't, and nothing outside of it", () =>
    Effect.gen(function* () {
      const answers: Array<unknown> = []
      const calls = (path: string): ReadonlyArray<readonly [string, object]> => [
        ["get_package_source", { package: "left" }],
        ["list_files", { path }],
        ["read_file", { path: join(path, "index.js"), first_line: 2 }],
        ["search_files", { path, text: "right" }],
        ["read_file", { path: "/etc/passwd" }],
        ["get_package_source", { package: "../../etc" }],
        ["get_package_source", { package: "left", ecosystem: "none" }]
      ]
      const chain = yield* start({
        prompted: (bench) => {
          const all = calls(chain.path)
          const next = (at: number): void => {
            const [tool, args] = all[at] ?? []
            if (tool === undefined || args === undefined) return returning(bench, "done", () => bench.end("end_turn"))
            bench.call(tool, args, (answer) => {
              const { content, isError, structuredContent } = Object(Object(answer).result)
              answers.push(isError === true ? JSON.parse(content[0].text) : structuredContent)
              next(at + 1)
            })
          }
          next(0)
        }
      })
      yield* chain.ask("?")
      const [source, list, read, search, outside, wrong, none] = answers
      assert.deepStrictEqual(source, {
        ecosystem: "npm",
        package: "left",
        version: "1.2.3",
        checkout_path: chain.path,
        message: `Package 'left' version 1.2.3 extracted to ${chain.path}`
      })
      assert.deepStrictEqual(list, {
        text: `${join(chain.path, "index.js")}\n${join(chain.path, "package.json")}`,
        isCut: false
      })
      assert.deepStrictEqual(read, { text: "2\texport const Right = 2\n3\t", isCut: false })
      assert.deepStrictEqual(search, {
        text: `${join(chain.path, "index.js")}:2: export const Right = 2`,
        isCut: false
      })
      assert.match(String(outside), /\/etc\/passwd is outside of the folders that may be read/)
      assert.match(String(wrong), /is no name of a package of npm/)
      assert.match(String(none), /There is no ecosystem "none". There are: cargo, npm/)
    })
  )

  it.live("returns several findings, in their order; after the first it has the time of grace", () =>
    Effect.gen(function* () {
      const chain = yield* start(
        { prompted: (bench) => returning(bench, "one", () => returning(bench, { two: 2 })) },
        "--grace",
        "0.5"
      )
      assert.deepStrictEqual(yield* chain.ask("?"), { result: { result: ["one", { two: 2 }], version: "1.2.3" } })
      yield* untilAlone(chain.sessions)
      assert.isTrue(chain.everOpened[0]?.isCancelled)
    })
  )

  it.live("that ends in another way is an error that names it, with what was found", () =>
    Effect.gen(function* () {
      let isSignedOut = false
      const chain = yield* start({
        prompted: (bench) => {
          switch (bench.session.question) {
            case "silent":
              bench.notify("session/update", {
                update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "I gave up." } }
              })
              return bench.end("end_turn")
            case "refusal":
              return returning(bench, "half", () => bench.end("refusal"))
            default:
              return bench.fail("out of luck")
          }
        },
        refuses: () => (isSignedOut ? "Sign in first" : undefined)
      })
      assert.deepStrictEqual(yield* chain.ask("silent"), {
        error: "The researcher finished without findings. Its last words were: I gave up."
      })
      assert.deepStrictEqual(yield* chain.ask("refusal"), {
        error: 'The researcher ended with refusal. It had found: ["half"]'
      })
      assert.deepStrictEqual(yield* chain.ask("crash"), { error: "The researcher failed: out of luck." })
      isSignedOut = true
      assert.deepStrictEqual(yield* chain.ask("unopened"), {
        error: "The agent opened no session for the researcher: Sign in first."
      })
    })
  )

  it.live("that takes too long is stopped, and what it has found is marked", () =>
    Effect.gen(function* () {
      const chain = yield* start(
        { prompted: (bench) => (bench.session.question === "part" ? returning(bench, "part") : undefined) },
        // Time enough for what is found, on a busy machine.
        "--timeout",
        "4"
      )
      assert.deepStrictEqual(yield* chain.ask("part"), { result: { result: "part", version: "1.2.3", timedOut: true } })
      assert.deepStrictEqual(yield* chain.ask("nothing"), { error: "The researcher found nothing within 4 seconds." })
      yield* untilAlone(chain.sessions)
      assert.isTrue(chain.everOpened.every(({ isCancelled }) => isCancelled))
    })
  )

  it.live("ends when the client cancels the session that asks", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const chain = yield* start({ prompted: () => void Deferred.doneUnsafe(begun, Effect.void) })
      const asked = yield* Effect.forkChild(chain.ask("?"))
      yield* Deferred.await(begun)
      chain.client.connection.notify({
        side: "client",
        method: "session/cancel",
        params: JSON.stringify({ sessionId: chain.own.id })
      })
      assert.deepStrictEqual(yield* Fiber.join(asked), { error: "The question was cancelled." })
      yield* untilAlone(chain.sessions)
      assert.isTrue(chain.everOpened[0]?.isCancelled)
    })
  )
})

describe("Questions", () => {
  it.live("are asked a few at once, further ones wait, and other messages pass meanwhile", () =>
    Effect.gen(function* () {
      const working: Array<Bench> = []
      const two = yield* Deferred.make<void>()
      const chain = yield* start(
        {
          prompted: (bench) => {
            if (bench.session.id === chain.own.id) return bench.end("end_turn")
            working.push(bench)
            if (working.length === 2) Deferred.doneUnsafe(two, Effect.void)
            if (working.length > 2) returning(bench, bench.session.question, () => bench.end("end_turn"))
          }
        },
        "--at-once",
        "2"
      )
      const asked = yield* Effect.forkChild(
        Effect.forEach(["a", "b", "c"], (question) => chain.ask(question), { concurrency: "unbounded" })
      )
      yield* Deferred.await(two)
      const prompt = JSON.stringify({ sessionId: chain.own.id, prompt: [{ type: "text", text: "hello" }] })
      assert.deepStrictEqual(yield* chain.client.request("session/prompt", prompt), {
        result: '{"stopReason":"end_turn"}'
      })
      assert.lengthOf(working, 2)
      const listed = yield* chain.client.request("session/list", "{}")
      assert.deepStrictEqual(listed, {
        result: JSON.stringify({ sessions: [{ sessionId: chain.own.id, cwd: "/" }] })
      })
      for (const bench of working.slice(0, 2)) returning(bench, bench.session.question, () => bench.end("end_turn"))
      const answers = yield* Fiber.join(asked)
      assert.deepStrictEqual(
        answers.map((answer) => ("result" in answer ? answer.result["result"] : answer)),
        ["a", "b", "c"]
      )
    })
  )

  it.live("that were answered before are answered again at once, and are on record", () =>
    Effect.gen(function* () {
      const chain = yield* start(echoing)
      const since = yield* Clock.currentTimeMillis
      assert.deepStrictEqual(yield* chain.ask("What is left?"), {
        result: { result: "What is left?", version: "1.2.3" }
      })
      const again = yield* chain.ask("  What is\nleft? ")
      const { ageSeconds, ...rest } = Object("result" in again ? again.result : undefined)
      assert.deepStrictEqual(rest, { result: "What is left?", version: "1.2.3", cached: true })
      assert.isAtLeast(ageSeconds, 0)
      assert.isAtMost(ageSeconds, Math.round(((yield* Clock.currentTimeMillis) - since) / 1000))
      assert.lengthOf(chain.everOpened, 1)
      const fresh = yield* chain.ask("What is left?", { fresh: true })
      assert.deepStrictEqual(fresh, { result: { result: "What is left?", version: "1.2.3" } })
      assert.lengthOf(chain.everOpened, 2)
      // Another version is another question.
      writeFileSync(join(chain.path, "package.json"), '{"name":"left","version":"1.3.0"}')
      assert.deepStrictEqual(yield* chain.ask("What is left?"), {
        result: { result: "What is left?", version: "1.3.0" }
      })
      const listed = yield* chain.callTool("list_research", {})
      const { research } = Object("result" in listed ? listed.result : undefined)
      assert.deepStrictEqual(
        research.map(({ package: name, version }: { package: string; version: string }) => `${name} ${version}`),
        ["left 1.3.0", "left 1.2.3", "left 1.2.3"]
      )
      const one = yield* chain.callTool("get_research", { id: research[0].id })
      assert.deepInclude("result" in one ? one.result : {}, {
        ecosystem: "npm",
        prompt: "What is left?",
        result: "What is left?",
        session: chain.everOpened[2]?.id
      })
      assert.deepStrictEqual(yield* chain.callTool("get_research", { id: "../x" }), {
        error: "There is no research ../x in this project. list_research names what there is."
      })
    })
  )

  it.live("tell their caller what comes meanwhile", () =>
    Effect.gen(function* () {
      const chain = yield* start({
        prompted: (bench) => {
          bench.notify("session/update", {
            update: { sessionUpdate: "tool_call", toolCallId: "t", title: "Read index.js" }
          })
          returning(bench, "first", () => bench.end("end_turn"))
        }
      })
      yield* chain.ask("?", {}, { progressToken: "p" })
      assert.deepStrictEqual(
        chain.progress.map(({ message, progress, progressToken }) => [progress, progressToken, message]),
        [
          [1, "p", "Read index.js"],
          [2, "p", "first"]
        ]
      )
      yield* chain.ask("other")
      assert.lengthOf(chain.progress, 2)
    })
  )

  it.live("leave nothing behind after a hundred of them, of which many fail", () =>
    Effect.gen(function* () {
      // The same numbers in each run.
      let seed = 14
      const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
      const benches: Array<Bench> = []
      const chain = yield* start(
        {
          refuses: () => (random() < 0.15 ? "no" : undefined),
          opened: (bench) => {
            benches.push(bench)
            if (random() < 0.3) permission(bench, { kind: "execute", title: "rm -rf /" }, () => {})
          },
          prompted: (bench) => {
            const chance = random()
            if (chance < 0.15) return bench.fail("crashed")
            if (chance < 0.3) return bench.end("refusal")
            if (chance < 0.45) return bench.end("end_turn")
            if (chance < 0.6) return undefined
            if (chance < 0.7) return returning(bench, "found")
            return returning(bench, "found", () => bench.end("end_turn"))
          },
          // Some do not even end when they are cancelled.
          cancelled: (bench) => (random() < 0.9 ? bench.end("cancelled") : undefined)
        },
        "--timeout",
        "0.2",
        "--grace",
        "0.1",
        "--at-once",
        "16"
      )
      const answers = yield* Effect.forEach(
        Array.from({ length: 100 }, (_, number) => `question ${number}`),
        (question) => chain.ask(question),
        { concurrency: 20 }
      )
      const found = answers.filter((answer) => "result" in answer)
      assert.isAbove(found.length, 10)
      assert.isBelow(found.length, 80)
      yield* untilAlone(chain.sessions)
      // Late words of theirs reach nobody, and their server is not there any more.
      const late = yield* Effect.forEach(benches, (bench) => {
        bench.notify("session/update", {
          update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "late" } }
        })
        return Effect.callback<unknown>((resume) =>
          bench.call("return_response_to_user", { response: "late" }, (answer) => resume(Effect.succeed(answer)))
        )
      })
      for (const answer of late) assert.include(JSON.stringify(answer), "-33001")
      assert.deepStrictEqual(yield* heardBy(chain), [])
      const listed = yield* chain.callTool("list_research", { limit: 100 })
      const { research } = Object("result" in listed ? listed.result : undefined)
      assert.lengthOf(research, found.length)
    })
  )
})
