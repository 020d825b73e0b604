/** The collaboration component in a chain: how it opens a session, and the memory that the agent gets. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"
import { collaboration } from "../../../src/components/collaboration/CollaborationComponent.ts"
import type { Component } from "../../../src/Component.ts"
import { type Way, ways } from "../../BothWays.ts"
import { bridge } from "../../McpParts.ts"
import { byHand, connect, initialize, proxy } from "../../Parts.ts"
import { node, standIn } from "../../Programs.ts"
import { prompt, resultIn, sessionIn, type Step } from "../package-sources/Asker.ts"

/** A file with a script for the tool caller, which opens sessions. */
const scriptFile = (...steps: ReadonlyArray<Step>): string => {
  const path = join(temporaryFolder("text"), "opening.txt")
  writeFileSync(path, JSON.stringify(steps))
  return path
}

interface Options {
  readonly folder?: string
  readonly agent?: Component
  readonly make?: Way["make"] | undefined
}

const start = Effect.fnUntraced(function* (
  args: ReadonlyArray<string>,
  { agent, folder = temporaryFolder("memory"), make = ways[0]?.make }: Options = {}
) {
  if (make === undefined) throw new Error("A component runs in two ways")
  const log: Array<string> = []
  const prompts: Array<ReadonlyArray<string>> = []
  const reached = yield* Queue.unbounded<void>()
  const recorder = proxy("recorder", {
    clientRequests: {
      "session/prompt": (request, forward) => {
        prompts.push(request.prompt.map((block) => (block.type === "text" ? block.text : block.type)))
        Queue.offerUnsafe(reached, undefined)
        return forward()
      }
    }
  })
  const component = yield* make(collaboration, ["--folder", folder, ...args], (line) => log.push(line))
  const last = agent ?? (yield* node("tools", standIn("tools"), "--http"))
  const client = yield* connect({
    assemble: () => Effect.succeed({ agent: last, proxies: [component, recorder, bridge] })
  })
  yield* initialize(client)
  const sessionId = yield* sessionIn(client, temporaryFolder("project"))
  const say = (text: string) => prompt(client, sessionId, { say: text })
  const cancel = Effect.sync(() =>
    client.connection.notify({ side: "client", method: "session/cancel", params: JSON.stringify({ sessionId }) })
  )
  const ask = (text: string) =>
    client.request(
      "session/prompt",
      JSON.stringify({ sessionId, prompt: [{ type: "text", text: JSON.stringify([{ say: text }]) }] })
    )
  const call = (name: string, args: object) =>
    prompt(client, sessionId, { call: name, server: "collaboration", with: args })
  return { client, sessionId, say, ask, call, cancel, log, prompts, reached: Queue.take(reached), folder }
})

const one = JSON.stringify([{ say: "one" }])
const two = JSON.stringify([{ say: "two" }])

for (const { make, title } of ways)
  describe(`collaboration, ${title}`, () => {
    it.live("opens a session by a turn of its own; prompts that come at once wait for its end, in order", () =>
      Effect.gen(function* () {
        const text = scriptFile({ say: "Opened." })
        const { ask, client, prompts, say } = yield* start(["--way", "turn", "--text", text], { make })
        const answers = yield* Effect.all([ask("one"), ask("two")], { concurrency: "unbounded" })
        for (const answer of answers)
          assert.deepStrictEqual(answer, { result: JSON.stringify({ stopReason: "end_turn" }) })
        assert.deepStrictEqual(prompts, [[JSON.stringify([{ say: "Opened." }])], [one], [two]])
        const heard = (yield* Queue.takeAll(client.heard)).map(
          ({ params = "{}" }) => JSON.parse(params).update.content.text
        )
        assert.deepStrictEqual(heard, ["Opened.", "one", "two"])
        yield* say("three")
        assert.lengthOf(prompts, 4)
        yield* client.connection.close
        assert.isUndefined(yield* client.ended)
      })
    )
  })

describe("A session", () => {
  it.live("is opened before its first prompt that is no command, once, with our own words", () =>
    Effect.gen(function* () {
      const { client, prompts, say, sessionId } = yield* start([])
      yield* client.request(
        "session/prompt",
        JSON.stringify({ sessionId, prompt: [{ type: "text", text: " /compact" }] })
      )
      yield* say("one")
      yield* say("two")
      assert.lengthOf(prompts, 3)
      assert.deepStrictEqual(prompts[0], [" /compact"])
      const [text = "", ...rest] = prompts[1] ?? []
      assert.match(text, /^This session has a memory .*load_identity with the persona "default"/)
      assert.deepStrictEqual(rest, [one])
      assert.deepStrictEqual(prompts[2], [two])
    })
  )

  it.live("is not opened, and has no tools, where that is turned off", () =>
    Effect.gen(function* () {
      const off = yield* start(["--way", "none", "--no-tools"])
      yield* off.say("one")
      assert.deepStrictEqual(off.prompts, [[one]])
      assert.include((yield* off.call("load_identity", {})).said, "MCP server 'collaboration' not found")
    })
  )

  it.live("that is cancelled while it is opened answers what waits, and sends it never", () =>
    Effect.gen(function* () {
      const text = scriptFile({ say: "Opening" }, { wait: "forever" })
      const { ask, cancel, prompts, reached, say } = yield* start(["--way", "turn", "--text", text])
      yield* reached
      const waiting = yield* Effect.forkScoped(ask("one"))
      // The prompt is on its way: what the client sends keeps its order.
      yield* Effect.yieldNow
      yield* cancel
      assert.deepStrictEqual(yield* Fiber.join(waiting), { result: JSON.stringify({ stopReason: "cancelled" }) })
      yield* say("two")
      assert.deepStrictEqual(prompts.slice(1), [[two]])
    })
  )

  it.live("whose opening takes too long, or fails, goes on, and people learn of it", () =>
    Effect.gen(function* () {
      const text = scriptFile({ wait: "forever" })
      const slow = yield* start(["--way", "turn", "--text", text, "--timeout", "0.5"])
      yield* slow.say("one")
      assert.deepStrictEqual(slow.prompts.slice(1), [[one]])
      assert.deepStrictEqual(slow.log, [
        `The turn that opens session ${slow.sessionId} took longer than 0.5 seconds, and was cancelled.`
      ])
      let asked = 0
      const agent = byHand("agent", () => ({
        onRequest: ({ method }, respond) => {
          if (method === "initialize")
            return respond({ result: '{"protocolVersion":1,"agentCapabilities":{"mcpCapabilities":{"acp":true}}}' })
          if (method === "session/new") return respond({ result: '{"sessionId":"s"}' })
          asked += 1
          return respond(
            asked === 1 ? { error: '{"code":-32000,"message":"no"}' } : { result: '{"stopReason":"end_turn"}' }
          )
        },
        onNotification: () => {}
      }))
      const failing = yield* start(["--way", "turn"], { agent })
      yield* failing.ask("one")
      assert.deepStrictEqual(failing.prompts.slice(1), [[one]])
      assert.deepStrictEqual(failing.log, ["The turn that opens a session failed: no"])
    })
  )

  it.live("is opened with our own words where those of people can't be read, and people learn why", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("texts")
      const [missing, empty, long, bytes] = ["missing", "empty", "long", "bytes"].map((name) => join(folder, name))
      writeFileSync(empty ?? "", " \n")
      writeFileSync(long ?? "", "x".repeat(33 * 1024))
      writeFileSync(bytes ?? "", Buffer.from([0xff, 0xfe, 0x41]))
      for (const [path = "", why] of [
        [missing, "ENOENT"],
        [empty, "it is empty"],
        [long, "it has more than 32768 bytes"],
        [bytes, "not valid"],
        [folder, "EISDIR"]
      ]) {
        const { log, prompts, say } = yield* start(["--text", path])
        yield* say("one")
        assert.match(prompts[0]?.[0] ?? "", /^This session has a memory /)
        assert.lengthOf(log, 1)
        assert.include(log[0], `The text of ${path} can't be used: `)
        assert.include(log[0], why)
      }
    })
  )
})

describe("The memory", () => {
  it.live("is what earlier sessions have left in it", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("memory")
      const first = yield* start(["--way", "none"], { folder })
      const begun = Object(resultIn((yield* first.call("load_identity", {})).said))
      assert.deepStrictEqual([begun.persona, begun.insights], ["default", []])
      assert.match(begun.identity, /^You are a careful colleague\./)
      for (const [name, args, done] of [
        ["save_insight", { text: "Likes short answers." }, "Kept. default has 1 now."],
        ["checkpoint_memory", { text: "Half done." }, "Kept for default."],
        ["setup", { profile: "Writes compilers." }, "Kept."],
        ["create_persona", { name: "reviewer", identity: "Reads twice." }, "Made reviewer."],
        ["rename_persona", { from: "reviewer", to: "critic" }, "reviewer is critic now."]
      ] as const)
        assert.deepStrictEqual(resultIn((yield* first.call(name, args)).said), { done })
      yield* first.client.connection.close
      yield* first.client.ended

      const second = yield* start(["--way", "none", "--persona", "critic"], { folder })
      const { memoryFrom, ...found } = Object(
        resultIn((yield* second.call("load_identity", { persona: "default" })).said)
      )
      assert.isAtMost(Date.parse(memoryFrom), Date.now())
      assert.deepStrictEqual(found, {
        persona: "default",
        identity: begun.identity,
        memory: "Half done.",
        insights: ["Likes short answers."],
        profile: "Writes compilers."
      })
      assert.deepInclude(Object(resultIn((yield* second.call("load_identity", {})).said)), {
        persona: "critic",
        identity: "Reads twice."
      })
      assert.deepStrictEqual(resultIn((yield* second.call("fetch_profile", {})).said), { profile: "Writes compilers." })
      assert.deepStrictEqual(resultIn((yield* second.call("list_personas", {})).said), {
        personas: ["default", "critic"]
      })
      const refused = yield* second.call("load_identity", { persona: "../../etc" })
      assert.match(refused.said, /^ERROR: .*is no name of a persona\. A name has lower-case letters/)
    })
  )
})
