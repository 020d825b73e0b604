/** Tool calls as agents really report them, and what people see of them. */
import { assert, describe, it } from "@effect/vitest"
import { TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { call, change, play, scripted, seen } from "../../support/ScriptedAgent.ts"
import { thread } from "../../support/AgentHarness.ts"

const started = Effect.fnUntraced(function* (setup: object = {}) {
  const agent = yield* scripted(setup)
  yield* agent.start()
  return agent
})

describe("tool calls", () => {
  it.live("[62][63] an update for a call that was never announced, and its announcement later, are one call", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      yield* play(
        agent,
        "t1",
        { text: "Looking. " },
        change("t", { status: "in_progress", rawInput: { command: "ls" } }),
        call("t", { title: "List the files", kind: "execute", status: "pending" }),
        change("t", { status: "completed", content: [{ type: "content", content: { type: "text", text: "a b" } }] }),
        { text: "Done." }
      )
      assert.deepEqual(yield* seen(agent), ["says: Looking. ", "tool List the files: completed", "says: Done."])
      const [done] = agent.of("tool.completed")
      assert.deepEqual(done?.tool.subject, { type: "command", command: "ls" })
      assert.strictEqual(agent.of("tool.started").length, 1)
    })
  )

  it.live("[64] what an update leaves out stays, and a list that it holds is the whole list", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      yield* play(
        agent,
        "t1",
        call("t", { title: "Read", kind: "read", locations: [{ path: "/a", line: 3 }, { path: "/b" }] }),
        change("t", { status: "in_progress", title: null, locations: null }),
        change("t", { locations: [{ path: "/c" }] }),
        change("t", { status: "completed", content: [] })
      )
      const tools = agent.of("tool.updated").map(({ tool }) => tool)
      assert.deepEqual(tools[0]?.locations, [{ path: "/a", line: 3 }, { path: "/b" }])
      const [done] = agent.of("tool.completed")
      assert.deepEqual([done?.tool.title, done?.tool.kind, done?.tool.locations], ["Read", "read", [{ path: "/c" }]])
    })
  )

  it.live("[65][66] without kind or status, or with ones that nobody knows, they are calls all the same", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      const end = yield* play(
        agent,
        "t1",
        call("bare"),
        call("odd", { kind: "teleport", status: "dreaming", content: [{ type: "hologram", of: "x" }] }),
        change("odd", { status: "completed" }),
        change("bare", { status: "completed" }),
        { text: "after" }
      )
      assert.strictEqual(end.outcome, "completed")
      const transcript = yield* seen(agent)
      assert.include(transcript, "tool bare: completed")
      assert.include(transcript, "tool odd: completed")
      assert.strictEqual(transcript.at(-1), "says: after")
      const odd = agent.of("tool.completed").find(({ tool }) => tool.toolCallId === "odd")?.tool
      assert.strictEqual(odd?.kind, "other")
      assert.isTrue(
        agent.of("runtime.warning").some(({ detail }) => detail?.includes("content")),
        "it is told what is missing"
      )
    })
  )

  it.live("[78] that never end after a cancel are marked at once, and one that ends after all is shown as ended", () =>
    Effect.gen(function* () {
      const agent = yield* started({ cancelAfter: 1000 })
      const turn = yield* Effect.forkChild(
        play(
          agent,
          "t1",
          call("never", { status: "in_progress" }),
          call("late", { status: "in_progress" }),
          { text: "working" },
          { after: [change("late", { status: "completed" }), { text: "and that is all" }] },
          { waitForCancel: true }
        )
      )
      yield* agent.next("message.delta")
      const stop = yield* Effect.forkChild(agent.adapter.interruptTurn(thread, TurnId.make("t1")))
      yield* agent.next("tool.completed", ({ tool }) => tool.toolCallId === "never" && tool.status === "cancelled")
      assert.isEmpty(agent.of("turn.completed"), "before the agent has said a word about it")
      yield* Fiber.join(stop)
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "cancelled")
      yield* agent.next("message.delta", ({ text }) => text.includes("all"))
      assert.deepEqual(yield* seen(agent), [
        "tool never: cancelled",
        "tool late: completed",
        "says: working",
        "late: says: and that is all"
      ])
    })
  )

  it.live("[73] updates after the answer are marked as late, and belong to the turn", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      yield* play(agent, "t1", { text: "done" }, { after: [call("more"), change("more", { status: "completed" })] })
      const { late, turnId } = yield* agent.next("tool.completed")
      assert.deepEqual([late, turnId], [true, TurnId.make("t1")])
      assert.strictEqual((yield* play(agent, "t2", { text: "next" })).outcome, "completed")
    })
  )

  it.live("that show a terminal which never was are shown with all else that they hold", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      yield* play(
        agent,
        "t1",
        call("t", {
          kind: "execute",
          status: "completed",
          content: [
            { type: "terminal", terminalId: "no-such" },
            { type: "content", content: { type: "text", text: "3 passed" } }
          ]
        }),
        { text: "after" }
      )
      assert.deepEqual(yield* seen(agent), ["tool t: completed", "says: after"])
      const [done] = agent.of("tool.completed")
      assert.deepEqual(
        done?.tool.content.filter(({ type }) => type === "text"),
        [{ type: "text", text: "3 passed" }]
      )
      assert.include(JSON.stringify(done?.tool), "no-such")
    })
  )

  it.live("[74] a file that was not there has no text before", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      const diff = (path: string, more: object) => ({ type: "diff", path, newText: "x", ...more })
      const content = [diff("/a", {}), diff("/b", { oldText: null }), diff("/c", { oldText: "" })]
      yield* play(agent, "t1", call("t", { kind: "edit", status: "completed", content }))
      const [done] = agent.of("tool.completed")
      assert.deepEqual(
        done?.tool.diffs.map(({ oldText }) => oldText),
        [null, null, ""]
      )
    })
  )

  it.live("one line of 560 kB is one call with all of its output, and the stream goes on", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      const text = "0123456789abcde\n".repeat(35_000)
      yield* play(
        agent,
        "t1",
        call("t", { status: "completed", content: [{ type: "content", content: { type: "text", text } }] }),
        { text: "after" }
      )
      assert.deepEqual(agent.of("tool.completed")[0]?.tool.content, [{ type: "text", text }])
      assert.strictEqual(agent.of("message.delta")[0]?.text, "after")
    })
  )
})

describe("updates", () => {
  it.live("[66][67] of an unknown kind, and malformed parts of known ones, harm nothing beside them", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      const end = yield* play(
        agent,
        "t1",
        { text: "before " },
        { update: { sessionUpdate: "mood_update", mood: "fine" } },
        { update: { sessionUpdate: "agent_message_chunk", content: { type: "smell", of: "roses" } } },
        { update: { sessionUpdate: "agent_message_chunk" } },
        {
          update: {
            sessionUpdate: "available_commands_update",
            availableCommands: [{ name: "good", description: "does" }, { name: 7 }]
          }
        },
        { text: "after" }
      )
      assert.strictEqual(end.outcome, "completed")
      const text = agent.of("message.delta").map(({ text }) => text)
      assert.strictEqual(text.join(""), "before after")
      assert.deepEqual(
        agent.of("protocol.unknown").map(({ kind }) => kind),
        ["mood_update", "agent_message_chunk", "agent_message_chunk"]
      )
      assert.include(agent.of("protocol.unknown")[1]?.raw, "roses")
      assert.deepEqual(agent.of("commands.updated")[0]?.commands, [{ name: "good", description: "does" }])
    })
  )

  it.live("[68][69][70] plans, commands and figures are the whole of it each time", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      const plan = (...contents: ReadonlyArray<string>) => ({
        update: {
          sessionUpdate: "plan",
          entries: contents.map((content) => ({ content, priority: "low", status: "pending" }))
        }
      })
      const commands = (...names: ReadonlyArray<string>) => ({
        update: {
          sessionUpdate: "available_commands_update",
          availableCommands: names.map((name) => ({ name, description: name }))
        }
      })
      const usage = (used: number, more: object = {}) => ({
        update: { sessionUpdate: "usage_update", used, size: 100, ...more }
      })
      yield* play(
        agent,
        "t1",
        plan("a", "b"),
        plan("c"),
        commands("x", "y"),
        commands(),
        usage(1, { cost: { amount: 2, currency: "credits" } }),
        usage(3)
      )
      assert.deepEqual(
        agent.of("plan.updated").map(({ entries }) => entries.map(({ content }) => content)),
        [["a", "b"], ["c"]]
      )
      assert.deepEqual(
        agent.of("commands.updated").map(({ commands }) => commands.length),
        [2, 0]
      )
      assert.deepEqual(
        agent.of("usage.updated").map(({ cost, used }) => [used, cost?.currency]),
        [
          [1, "credits"],
          [3, undefined]
        ]
      )
    })
  )

  it.live("[71] a notice is shown, and one without words is not", () =>
    Effect.gen(function* () {
      const agent = yield* started()
      const notice = (title: string) => ({ update: { sessionUpdate: "notice", severity: "warning", title } })
      yield* play(agent, "t1", notice("The model is slow today."), notice(""))
      assert.deepEqual(yield* seen(agent), ["warning: The model is slow today."])
    })
  )
})
