/** What is on record of agents, and what the next Signalbox makes of it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { execFileSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as ProcessFacts from "../src/ProcessFacts.ts"
import type { AgentRecord } from "../src/ProcessLedgerFolder.ts"
import * as ProcessLedgerLayer from "../src/ProcessLedgerLayer.ts"
import { ProcessLedger } from "../src/ProcessLedger.ts"
import { groupMembers, untilGone } from "./support/Groups.ts"
import { scopedFolder } from "../../system/test/support/TemporaryFolder.ts"
import { sleepers } from "./support/Sleepers.ts"

const linux = process.platform === "linux"
const thread = "thread-1"
const grace = { terminate: "300 millis", kill: "30 seconds" } as const

/** The ledger as a Signalbox has it that begins now. */
const begin = (folder: string, more: Partial<ProcessLedgerLayer.Options> = {}) =>
  Effect.provide(ProcessLedger, Layer.fresh(ProcessLedgerLayer.layer({ folder, grace, ...more })))

const identify = (pid: number, facts = ProcessFacts.ofThisSystem): ProcessFacts.ProcessIdentity => ({
  pid,
  birth: facts.birthOf(pid) ?? assert.fail(`${pid} does not live`)
})

/** One that is gone, under a number that is in use again. */
const gone: ProcessFacts.ProcessIdentity = { pid: process.pid, birth: "long/ago" }

const record = (more: Partial<AgentRecord>): AgentRecord => ({
  version: 1,
  marker: randomUUID(),
  threadId: thread,
  command: "agent",
  owner: gone,
  ...more
})

const put = (folder: string, entry: AgentRecord): AgentRecord => {
  writeFileSync(join(folder, `${entry.marker}.json`), JSON.stringify(entry))
  return entry
}

const read = (folder: string): ReadonlyArray<AgentRecord> =>
  readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")))

describe("an agent on record", () => {
  it.live("is there before it has a process, then with its birth, and goes when it ends", () =>
    Effect.gen(function* () {
      const folder = join(yield* scopedFolder, "state", "agents")
      const ledger = yield* begin(folder)
      const entry = yield* ledger.enter({ runsFor: thread, command: "/opt/agent" })
      const before = record({ marker: entry.marker, command: "/opt/agent", owner: identify(process.pid) })
      assert.deepStrictEqual(read(folder), [before])
      const { pid } = yield* sleepers({ marker: entry.marker })
      yield* entry.started(pid)
      assert.deepStrictEqual(read(folder), [{ ...before, agent: identify(pid) }])
      assert.strictEqual(statSync(folder).mode & 0o777, 0o700)
      assert.strictEqual(statSync(join(folder, `${entry.marker}.json`)).mode & 0o777, 0o600)
      yield* entry.close
      assert.deepStrictEqual(readdirSync(folder), [])
    })
  )

  it.live("is kept from others in a folder that was open to them", () =>
    Effect.gen(function* () {
      const folder = yield* scopedFolder
      chmodSync(folder, 0o755)
      yield* begin(folder)
      assert.strictEqual(statSync(folder).mode & 0o777, 0o700)
    })
  )

  it.live("is not started where it can't be put on record, unless that is wanted", () =>
    Effect.gen(function* () {
      const folder = join(yield* scopedFolder, "agents")
      writeFileSync(folder, "a file stands in the way")
      const agent = { runsFor: thread, command: "agent" }
      const { problem } = yield* Effect.flip((yield* begin(folder)).enter(agent))
      assert.deepStrictEqual([problem.code, problem.evidence.path], ["agent-start-failed", folder])
      assert.match(problem.cause, /could not be put on record\. The reason: E.+\. If Signalbox/)
      const entry = yield* (yield* begin(folder, { unrecorded: "start" })).enter(agent)
      yield* entry.started(process.pid)
      yield* entry.close
    })
  )
})

/** Both ways of asking the system; one of them can't see environments. */
const systems = [...(linux ? [["/proc", ProcessFacts.procfs] as const] : []), ["ps", ProcessFacts.ps] as const]

describe.each(systems)("a Signalbox that begins, by %s,", (_, facts) => {
  const start = (folder: string) => begin(folder, { facts })

  it.live("ends the group of an agent whose owner is gone, and forgets it", () =>
    Effect.gen(function* () {
      const folder = yield* scopedFolder
      const { pid } = yield* sleepers()
      put(folder, record({ agent: identify(pid, facts) }))
      const { reaped } = yield* start(folder)
      assert.strictEqual(reaped, 2)
      assert.deepStrictEqual([groupMembers(pid), readdirSync(folder)], [[], []])
      assert.strictEqual((yield* start(folder)).reaped, 0)
    })
  )

  it.live("does not ask twice: what does not heed SIGTERM is killed", () =>
    Effect.gen(function* () {
      const folder = yield* scopedFolder
      const { pid } = yield* sleepers({ stubborn: "both" })
      put(folder, record({ agent: identify(pid, facts) }))
      yield* start(folder)
      assert.deepStrictEqual([groupMembers(pid), readdirSync(folder)], [[], []])
    })
  )

  it.live("kills what does not heed SIGTERM, also after its leader has heeded it", () =>
    Effect.gen(function* () {
      const folder = yield* scopedFolder
      const { pid } = yield* sleepers({ stubborn: "child" })
      put(folder, record({ agent: identify(pid, facts) }))
      const { reaped } = yield* start(folder)
      assert.deepStrictEqual([reaped, groupMembers(pid), readdirSync(folder)], [2, [], []])
    })
  )

  it.live("lets a process live that only has the same number, and forgets the agent", () =>
    Effect.gen(function* () {
      const folder = yield* scopedFolder
      const { pid } = yield* sleepers()
      put(folder, record({ agent: { pid, birth: "another/birth" } }))
      const { reaped } = yield* start(folder)
      assert.deepStrictEqual([reaped, groupMembers(pid).length, readdirSync(folder)], [0, 2, []])
    })
  )

  it.live("lets a group live whose leader is dead, as far as nothing shows whose it was", () =>
    Effect.gen(function* () {
      const folder = yield* scopedFolder
      const { behead, child, pid } = yield* sleepers()
      const agent = identify(pid, facts)
      yield* behead
      put(folder, record({ agent }))
      const { reaped } = yield* start(folder)
      assert.deepStrictEqual([reaped, groupMembers(pid)], [0, [child]])
    })
  )

  it.live("leaves the agents of the living alone", () =>
    Effect.gen(function* () {
      const folder = yield* scopedFolder
      const [{ pid }, owner] = [yield* sleepers(), yield* sleepers()]
      const entry = put(folder, record({ agent: identify(pid, facts), owner: identify(owner.pid, facts) }))
      const { reaped } = yield* start(folder)
      assert.deepStrictEqual([reaped, groupMembers(pid).length, read(folder)], [0, 2, [entry]])
      // Its owner is gone from here on.
      process.kill(-owner.pid, "SIGKILL")
      yield* untilGone(owner.pid)
      assert.strictEqual((yield* start(folder)).reaped, 2)
    })
  )
})

describe.skipIf(!linux)("by the marker in its environment", () => {
  it.live("the rest of an agent is ended whose leader is dead", () =>
    Effect.gen(function* () {
      const folder = yield* scopedFolder
      const marker = randomUUID()
      const { behead, pid } = yield* sleepers({ marker })
      put(folder, record({ marker, agent: identify(pid) }))
      yield* behead
      assert.strictEqual((yield* begin(folder)).reaped, 1)
      assert.deepStrictEqual([groupMembers(pid), readdirSync(folder)], [[], []])
    })
  )

  it.live("what was found is ended, also when it sheds its mark on SIGTERM", () =>
    Effect.gen(function* () {
      const folder = yield* scopedFolder
      const marker = randomUUID()
      const { pid } = yield* sleepers({ marker, sheds: true })
      put(folder, record({ marker }))
      const { reaped } = yield* begin(folder)
      assert.deepStrictEqual([reaped, groupMembers(pid), readdirSync(folder)], [2, [], []])
    })
  )

  it.live("an agent is found that was not yet on record with its process", () =>
    Effect.gen(function* () {
      const folder = yield* scopedFolder
      const marker = randomUUID()
      const [{ pid }, other] = [yield* sleepers({ marker }), yield* sleepers({ marker: randomUUID() })]
      put(folder, record({ marker }))
      assert.strictEqual((yield* begin(folder)).reaped, 2)
      assert.deepStrictEqual([groupMembers(pid).length, groupMembers(other.pid).length], [0, 2])
    })
  )
})

describe("a record that is none", () => {
  const strange: ReadonlyArray<readonly [string, string]> = [
    ["cut off", '{"version":1,"mar'],
    ["empty", ""],
    ["of a later version", JSON.stringify({ ...record({}), version: 2 })],
    ["of all processes", JSON.stringify(record({ agent: { pid: 1, birth: "x" } }))],
    ["under another name", JSON.stringify(record({}))]
  ]
  it.live.each(strange)("is put aside, and nothing is ended: %s", ([, text]) =>
    Effect.gen(function* () {
      const folder = yield* scopedFolder
      const name = `${randomUUID()}.json`
      writeFileSync(join(folder, name), text)
      const { reaped } = yield* begin(folder)
      assert.deepStrictEqual([reaped, readdirSync(folder)], [0, [`${name}.unreadable`]])
      assert.strictEqual(readFileSync(join(folder, `${name}.unreadable`), "utf8"), text)
    })
  )

  it.live("harms the others not", () =>
    Effect.gen(function* () {
      const folder = yield* scopedFolder
      mkdirSync(join(folder, "folder.json"))
      execFileSync("mkfifo", [join(folder, "pipe.json")])
      writeFileSync(join(folder, "notes.txt"), "")
      const { pid } = yield* sleepers()
      put(folder, record({ agent: identify(pid) }))
      assert.strictEqual((yield* begin(folder)).reaped, 2)
      assert.deepStrictEqual(readdirSync(folder).sort(), [
        "folder.json.unreadable",
        "notes.txt",
        "pipe.json.unreadable"
      ])
    })
  )

  it.live("goes when it was never finished, and nobody is at it any more", () =>
    Effect.gen(function* () {
      const folder = yield* scopedFolder
      const [old, fresh] = [`${randomUUID()}.json.tmp`, `${randomUUID()}.json.tmp`]
      for (const name of [old, fresh]) writeFileSync(join(folder, name), "{")
      utimesSync(join(folder, old), 0, 0)
      yield* begin(folder)
      assert.deepStrictEqual(readdirSync(folder), [fresh])
    })
  )
})
