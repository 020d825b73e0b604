/** A request that changes while people read it, or after they answered: over real processes, compared with what the agent got. */
import { assert, describe, it } from "@effect/vitest"
import { type AgentRequest, optionOf } from "@signalbox/contracts/AgentRequest"
import { TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { mkdir, symlink, unlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Harness, temporaryFolder, thread } from "../../support/AgentHarness.ts"
import { call, change, play, scripted, told } from "../../support/ScriptedAgent.ts"

const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" }
]
const asks = (toolCall: object, more: object = {}) => ({ permission: { toolCall, options, ...more } })

const started = Effect.fnUntraced(function* (acp: object = {}) {
  const folder = yield* temporaryFolder
  const log = join(folder, "wire.jsonl")
  const agent = yield* scripted({}, { env: { SCRIPTED_AGENT_LOG: log } })
  const own = agent.input().providerOptions.acp
  yield* agent.start({ providerOptions: { acp: { ...own, ...acp } } })
  return {
    agent,
    selections: () =>
      told(log)
        .filter((message) => "result" in message)
        .map(({ result }) => result)
  }
})

/** Changes a request for `ls` while it is open: the agent goes on when the request has been shown. */
const opened = Effect.fnUntraced(function* (
  agent: Harness,
  first: ReadonlyArray<object>,
  toolCall: object,
  ...changes: ReadonlyArray<object>
) {
  const isShown = join(agent.folder, "is-shown")
  const together = [
    [asks(toolCall)],
    [{ waitForFile: isShown }, ...changes],
    [{ waitForFile: isShown }, { wait: 60 }, { text: "changed" }, { waitForCancel: true }]
  ]
  const turn = yield* Effect.forkChild(play(agent, "t1", ...first, { together }))
  const { request } = yield* agent.next("approval.requested")
  yield* Effect.promise(() => writeFile(isShown, ""))
  yield* agent.next("message.delta")
  return { request, turn }
})

const stop = (agent: Harness, turn: Fiber.Fiber<unknown, unknown>) =>
  Effect.andThen(agent.adapter.interruptTurn(thread, TurnId.make("t1")), Fiber.await(turn))

const ls = { toolCallId: "c", title: "List", kind: "execute", rawInput: { command: "ls" } }

describe("a request that is open", () => {
  it.live.each([
    ["its input", ["input", "paths"], change("c", { rawInput: { command: "rm -rf /" } })],
    ["its input, told by a second tool call", ["input", "paths"], call("c", { rawInput: { command: "rm -rf /" } })],
    ["its kind", ["kind"], change("c", { kind: "delete" })],
    [
      "its diff, which comes by an update",
      ["diff", "paths"],
      change("c", { content: [{ type: "diff", path: "/a", newText: "b" }] })
    ],
    [
      "its input, told by another request about the same call",
      ["input"],
      asks({ toolCallId: "c", rawInput: { command: "rm" } })
    ]
  ] as const)(
    "is put anew when the agent changes %s, and the answer to what it was is refused",
    ([, changed, update]) =>
      Effect.gen(function* () {
        const { agent, selections } = yield* started()
        const { request, turn } = yield* opened(agent, [call("c", ls)], { toolCallId: "c" }, update)
        const { request: now } = yield* agent.next("approval.changed")
        assert.strictEqual(now.requestId, request.requestId)
        assert.deepStrictEqual([request.revision, now.revision], [0, 1])
        assert.deepStrictEqual(now.changed, changed)
        assert.notStrictEqual(now.digest, request.digest)
        for (const response of [optionOf(request, "yes"), { type: "option", optionId: "yes" } as const]) {
          const refused = yield* Effect.flip(agent.adapter.respondToRequest(thread, request.requestId, response))
          assert.strictEqual(refused.problem.code, "request-changed")
          assert.strictEqual(refused.problem.title, "The request changed after you read it.")
        }
        assert.notInclude(JSON.stringify(selections()), "selected")
        yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(now, "no"))
        yield* agent.next("message.delta", ({ text }) => text.includes("permission no"))
        yield* stop(agent, turn)
        const outcomes = JSON.stringify(selections())
        assert.include(outcomes, '{"outcome":"selected","optionId":"no"}')
        assert.notInclude(outcomes, '"yes"')
      })
  )

  it.live.each([
    ["title", change("c", { title: "Something else" })],
    ["status", change("c", { status: "in_progress" })],
    ["locations", change("c", { locations: [{ path: "/etc/passwd" }] })],
    ["order of members", change("c", { rawInput: { cwd: "/", command: "ls" } })]
  ] as const)("stays as it is when only its %s changes", ([, update]) =>
    Effect.gen(function* () {
      const { agent } = yield* started()
      const toolCall = { ...ls, rawInput: { command: "ls", cwd: "/" } }
      const { request, turn } = yield* opened(agent, [], toolCall, update)
      yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "yes"))
      assert.isEmpty(agent.of("approval.changed"))
      yield* stop(agent, turn)
    })
  )

  it.live("is done when it is allowed after it was refused before, for the same call", () =>
    Effect.gen(function* () {
      const { agent } = yield* started()
      const steps = [
        call("c", { kind: "edit" }),
        asks({ toolCallId: "c" }),
        asks({ toolCallId: "c" }),
        change("c", { status: "completed" })
      ]
      const turn = yield* Effect.forkChild(play(agent, "t1", ...steps))
      const { request: first } = yield* agent.next("approval.requested")
      yield* agent.adapter.respondToRequest(thread, first.requestId, optionOf(first, "no"))
      const isSecond = ({ request }: { readonly request: AgentRequest }) => request.requestId !== first.requestId
      const { request: second } = yield* agent.next("approval.requested", isSecond)
      yield* agent.adapter.respondToRequest(thread, second.requestId, optionOf(second, "yes"))
      const { tool } = yield* agent.next("tool.completed")
      assert.strictEqual(tool.status, "completed")
      yield* Fiber.await(turn)
    })
  )

  it.live("is put anew when a link of it is turned before the answer", () =>
    Effect.gen(function* () {
      const { agent, selections } = yield* started()
      const file = join(agent.folder, "file")
      const link = join(agent.folder, "link")
      yield* Effect.promise(async () => {
        await writeFile(file, "")
        await symlink(file, link)
      })
      const turn = yield* Effect.forkChild(
        play(agent, "t1", asks({ toolCallId: "r", kind: "read", rawInput: { path: link } }))
      )
      const { request } = yield* agent.next("approval.requested")
      assert.deepStrictEqual(request.links, [{ path: link, leadsTo: file }])
      yield* Effect.promise(async () => {
        await unlink(link)
        await symlink("/etc/passwd", link)
      })
      const refused = yield* Effect.flip(
        agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, "yes"))
      )
      assert.strictEqual(refused.problem.code, "request-changed")
      const { request: now } = yield* agent.next("approval.changed")
      assert.deepStrictEqual(
        [now.changed, now.links],
        [["paths"], [{ path: link, leadsTo: "/etc/passwd", outside: true }]]
      )
      assert.notInclude(JSON.stringify(selections()), "selected")
      yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(now, "no"))
      yield* Fiber.join(turn)
    })
  )

  it.live("is decided again by the settings when it changes", () =>
    Effect.gen(function* () {
      const { agent, selections } = yield* started({ permissions: "read-only" })
      const toolCall = { toolCallId: "c", kind: "fetch", rawInput: { url: "https://x" } }
      const { turn } = yield* opened(agent, [], toolCall, change("c", { kind: "delete", rawInput: { path: "/x" } }))
      const { outcome } = yield* agent.next("approval.resolved")
      assert.isTrue(outcome.type === "answered" && outcome.by === "settings")
      yield* agent.next("message.delta", ({ text }) => text.includes("permission no"))
      yield* stop(agent, turn)
      assert.include(JSON.stringify(selections()), '{"outcome":"selected","optionId":"no"}')
    })
  )

  it.live("is withdrawn when it changes all the time", () =>
    Effect.gen(function* () {
      const { agent } = yield* started()
      const changes = Array.from({ length: 3000 }, (_, index) => [
        change("c", { rawInput: { command: `${index}` } }),
        { wait: 2 }
      ])
      // On a busy machine one look covers several changes: so they go on until well after the hundredth look.
      const { turn } = yield* opened(agent, [], ls, { repeat: 20, steps: changes.flat() })
      const { outcome } = yield* agent.next("approval.resolved")
      assert.strictEqual(
        outcome.type === "expired" ? outcome.reason.slice(0, 32) : outcome.type,
        "It changed more than 100 times w"
      )
      assert.strictEqual(agent.of("approval.changed").length, 100)
      yield* stop(agent, turn)
    })
  )

  it.live("with two answers of one id is refused: the agent gets an error, and people are told", () =>
    Effect.gen(function* () {
      const { agent } = yield* started()
      const twice = [...options, { optionId: "yes", name: "Never", kind: "reject_always" }]
      yield* play(agent, "t1", { permission: { toolCall: ls, options: twice } })
      assert.isEmpty(agent.of("approval.requested"))
      const [warning] = agent.of("runtime.warning")
      assert.include(warning?.message, "two answers of one id, “yes”")
      assert.include(warning?.detail, "Never")
      assert.include(
        agent
          .of("message.delta")
          .map(({ text }) => text)
          .join(""),
        "-32602"
      )
    })
  )
})

describe("a call that was allowed", () => {
  const changedAfter = Effect.fnUntraced(function* (
    acp: object,
    toolCall: object,
    answer: string | undefined,
    ...after: ReadonlyArray<object>
  ) {
    const { agent } = yield* started(acp)
    yield* Effect.promise(() => mkdir(join(agent.folder, "src")))
    const turn = yield* Effect.forkChild(play(agent, "t1", asks(toolCall), ...after))
    const { request } = yield* agent.next("approval.requested")
    if (answer !== undefined)
      yield* agent.adapter.respondToRequest(thread, request.requestId, optionOf(request, answer))
    yield* Fiber.join(turn)
    return agent.of("runtime.warning")
  })

  it.live("and changes after the answer is reported with what it was and what it is", () =>
    Effect.gen(function* () {
      const [warning, ...others] = yield* changedAfter(
        {},
        ls,
        "yes",
        change("c", { rawInput: { command: "rm -rf /" } }),
        change("c", { status: "completed" })
      )
      assert.isEmpty(others)
      assert.include(warning?.message, "changed a call after it was allowed")
      assert.strictEqual(warning?.detail, 'The input was {"command":"ls"} and is now {"command":"rm -rf /"}.')
      assert.strictEqual(warning?.turnId, "t1")
    })
  )

  it.live("and changes after the settings allowed it is reported as well", () =>
    Effect.gen(function* () {
      const read = { toolCallId: "c", kind: "read", rawInput: { path: "src" } }
      const warnings = yield* changedAfter(
        { permissions: "allow-reads" },
        read,
        undefined,
        change("c", { rawInput: { path: "/etc" } })
      )
      assert.strictEqual(warnings[0]?.detail, 'The input was {"path":"src"} and is now {"path":"/etc"}.')
    })
  )

  const shown = { type: "diff", path: "/a", oldText: "one", newText: "1" }
  const edit = {
    toolCallId: "c",
    kind: "edit",
    rawInput: { path: "/a", old_string: "one", new_string: "1" },
    content: [shown]
  }
  const became = (...content: ReadonlyArray<object>) => change("c", { status: "completed", content })
  const around = { ...shown, oldText: "zero\none\ntwo one", newText: "zero\n1\ntwo 1" }

  it.live.each([
    ["a text", [became({ type: "content", content: { type: "text", text: "Edited" } })]],
    ["the difference with the lines around it", [became(around)]],
    ["a difference for each place", [became(around, { ...shown, oldText: "one.", newText: "1." })]],
    ["nothing", [became()]],
    ["the difference before the end", [change("c", { content: [around] }), change("c", { status: "completed" })]],
    // Only the request had a diff, and an empty list does not contradict it.
    ["nothing before the end", [change("c", { content: [] })]]
  ] as const)("and tells its edit that was shown by %s did what was allowed", ([, after]) =>
    Effect.gen(function* () {
      assert.isEmpty(yield* changedAfter({}, edit, "yes", ...after))
    })
  )

  it.live.each([
    ["another text", [became({ ...shown, newText: "2" })]],
    ["no text", [became({ ...shown, newText: "" })]],
    ["half a line", [became({ ...shown, oldText: "on", newText: "" })]],
    ["more than was shown", [became({ ...around, newText: "zero\n1\nevil 1" })]],
    ["another file", [became(shown, { ...shown, path: "/b" })]],
    ["another text after none", [became(), became({ ...shown, newText: "2" })]],
    ["no difference after the difference", [change("c", { content: [shown] }), change("c", { content: [] })]]
  ] as const)("and tells of its edit that was shown %s is told", ([, after]) =>
    Effect.gen(function* () {
      const [warning, ...others] = yield* changedAfter({}, edit, "yes", ...after)
      assert.include(warning?.detail, "The change of files was")
      assert.isEmpty(others)
    })
  )

  it.live("and wrote a whole file shows by a piece of it what was allowed", () =>
    Effect.gen(function* () {
      const whole = { ...shown, oldText: null, newText: "one\ntwo\nthree" }
      const write = {
        toolCallId: "c",
        kind: "edit",
        rawInput: { path: "/a", content: whole.newText },
        content: [whole]
      }
      assert.isEmpty(yield* changedAfter({}, write, "yes", became({ ...shown, oldText: "old", newText: "two\nthree" })))
      assert.lengthOf(yield* changedAfter({}, write, "yes", became({ ...shown, oldText: "old", newText: "four" })), 1)
    })
  )

  it.live(
    "and brings a diff for a file that was not named is told; the result of the edit that was asked for is not",
    () =>
      Effect.gen(function* () {
        const edit = { toolCallId: "c", kind: "edit", rawInput: { path: "/a" } }
        const done = (path: string) =>
          change("c", { status: "completed", content: [{ type: "diff", path, oldText: "a", newText: "b" }] })
        assert.isEmpty(yield* changedAfter({}, edit, "yes", done("/a")))
        const [warning] = yield* changedAfter({}, edit, "yes", done("/b"))
        assert.include(warning?.detail, "The change of files was nothing and is now")
      })
  )

  it.live("is reported four times, and then no more", () =>
    Effect.gen(function* () {
      const changes = Array.from({ length: 9 }, (_, index) => change("c", { rawInput: { command: `${index}` } }))
      // The answer to a question of the agent shows that the change before it was read, alone.
      const read = { request: { method: "_example/read", params: {} } }
      const warnings = yield* changedAfter({}, ls, "yes", ...changes.flatMap((one) => [one, read]))
      assert.lengthOf(warnings, 5)
      assert.include(warnings.at(-1)?.detail, "not listed")
    })
  )

  it.live("and one that was refused is not reported", () =>
    Effect.gen(function* () {
      assert.isEmpty(yield* changedAfter({}, ls, "no", change("c", { rawInput: { command: "rm" } })))
    })
  )
})
