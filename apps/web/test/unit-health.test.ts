import { assert, describe, it } from "@effect/vitest"
import { BootId } from "@signalbox/contracts/Ids"
import type { AgentHealth, Health } from "@signalbox/contracts/Health"
import { ProviderId } from "@signalbox/contracts/Provider"
import { agentLamp, agentStateWord, storageWords, troublesOf } from "../src/app/healthWords.ts"
import { lastSignOf, processWords } from "../src/words/silence.ts"
import { at, dispatched, queued, said, thread, threadId } from "./fixtures/thread.ts"

const agent = (change: Partial<AgentHealth> = {}): AgentHealth => ({
  threadId,
  providerId: ProviderId.make("cursor"),
  name: "Cursor",
  pid: 4711,
  state: "working",
  startedAt: at(0),
  lastSignAt: at(60),
  pipes: "open",
  stderrLines: 0,
  ...change
})

const report = (change: Partial<Health> = {}): Health => ({
  at: at(60),
  bootId: BootId.make("boot"),
  version: "0.1.0",
  server: { pid: 1, startedAt: at(0), rssBytes: 1, heapBytes: 1, delayMs: 12 },
  storage: { state: "ok", directory: "/state", databaseBytes: 1, journalBytes: 1, tapeBytes: 1, freeBytes: 9e10 },
  agents: [agent()],
  threads: { all: 1, inMemory: 1, running: 1, unreadable: 0 },
  watchers: 2,
  reaped: 0,
  ...change
})

const words = (health: Health) => troublesOf(health).map(({ words }) => words)

describe("what is told of the server's health", () => {
  it("is nothing while all is well", () => {
    assert.deepStrictEqual(words(report()), [])
  })

  it("begins with what is worst", () => {
    const { server, storage } = report()
    const everything = report({
      at: at(101),
      server: { ...server, delayMs: 400 },
      storage: { ...storage, state: "failing", freeBytes: 0 },
      agents: [agent(), agent({ pipes: "closed", lastSignAt: at(101) })],
      threads: { all: 3, inMemory: 1, running: 1, unreadable: 2 }
    })
    assert.deepStrictEqual(words(everything), [
      "Nothing can be kept",
      "2 threads can’t be read",
      "1 agent can’t be reached",
      "The disk is nearly full",
      "Slow: 0.4 s behind",
      "1 agent silent"
    ])
  })

  it("calls no agent silent that has no turn, and no disk scarce whose room nobody tells", () => {
    const { freeBytes: _, ...storage } = report().storage
    assert.deepStrictEqual(words(report({ at: at(500), agents: [agent({ state: "ready" })], storage })), [])
  })

  it("calls no agent silent that waits for people", () => {
    const agents = [agent({ state: "waiting" })]
    assert.notInclude(words(report({ at: at(500), agents })).join(), "silent")
    assert.deepStrictEqual(
      [agentLamp(agent({ state: "waiting" })), agentStateWord.waiting],
      ["waiting", "waits for you"]
    )
  })

  it("says that nothing can be kept also where nobody knows why", () => {
    assert.strictEqual(storageWords(report().storage).title, "Nothing can be kept.")
  })

  it("shows an agent that can't be reached as failed, whatever it was doing", () => {
    assert.deepStrictEqual([agentLamp(agent()), agentLamp(agent({ pipes: "closed" }))], ["working", "failed"])
  })
})

describe("an agent that says nothing", () => {
  const tell = (process: AgentHealth | undefined) => processWords(process, at(60), at(5))

  it("has its silence counted from its last sign, else from its prompt", () => {
    const sent = thread(queued(1), dispatched(2))
    const writing = thread(queued(1), dispatched(2), said(4, "Hello"))
    const of = (view: typeof sent) => view.turns.map((turn) => lastSignOf(view, turn))
    assert.deepStrictEqual([of(sent), of(writing)], [[at(2)], [at(4)]])
  })

  it("has a process that is told of: running, out of reach, or none", () => {
    assert.strictEqual(
      tell(agent({ lastSignAt: at(5), rssBytes: 81_000_000 })),
      "At 14:03:11 its process 4711 was running and held 81.0 MB of memory; its pipes were open, and silent as well."
    )
    assert.include(tell(agent({ pipes: "closed" })), "could not be reached any more")
    assert.strictEqual(tell(undefined), "At 14:03:11 no process of it was running.")
  })

  it("has bytes told apart from signs of its turn", () => {
    assert.include(tell(agent({ lastSignAt: at(50) })), "open: bytes went over them at 14:03:01")
    assert.include(tell(agent({ lastSignAt: at(5.5) })), "and silent as well.")
  })
})
