import { assert, describe, it } from "@effect/vitest"
import { statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { StorageError } from "../../src/storage/StorageError.ts"
import * as TallyFile from "../../src/tally/TallyFile.ts"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

const day = 86_400_000
const agent = { provider: "nes", program: "", name: "Nes" }
const accepted = (of: TallyFile.CountedAgent, day: number, times = 1) => ({
  agent: of,
  day,
  what: "accepted" as const,
  detail: "",
  times
})
const pathOf = () => join(temporaryFolder("tally"), "suggestions.sqlite")

const reasonOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof StorageError) return error.reason
    throw error
  }
  return "nothing"
}

describe("the file of the counts", () => {
  it("adds what two programs count, and only its owner may read it", () => {
    const path = pathOf()
    const [one, other] = [TallyFile.open(path), TallyFile.open(path)]
    for (let times = 0; times < 50; times++) {
      one.add([accepted(agent, 100)], 100 * day)
      other.add([accepted(agent, 100, 2)], 100 * day)
    }
    assert.deepStrictEqual(
      one.read(100 * day).map(({ all, lately }) => [all, lately]),
      [[150, 150]]
    )
    assert.strictEqual(statSync(path).mode & 0o777, 0o600)
    one.close()
    other.close()
  })

  it("counts thirty days one by one, and all before together, with nothing lost", () => {
    const path = pathOf()
    const file = TallyFile.open(path)
    for (let today = 100; today < 200; today++) file.add([accepted(agent, today)], today * day)
    assert.deepStrictEqual(
      file.read(199 * day).map(({ all, lately }) => [all, lately]),
      [[100, 30]]
    )
    const database = new DatabaseSync(path)
    assert.strictEqual(database.prepare("SELECT count(*) AS rows FROM counts").get()?.["rows"], 31)
    database.close()
    file.close()
  })

  it("keeps the agents that were asked last", () => {
    const path = pathOf()
    const file = TallyFile.open(path)
    for (let at = 0; at < TallyFile.mostAgents + 5; at++)
      file.add([accepted({ provider: "custom", program: `agent-${at}`, name: `agent-${at}` }, 100)], 100 * day + at)
    const programs = file.read(100 * day).map(({ program }) => program)
    assert.strictEqual(programs.length, TallyFile.mostAgents)
    assert.strictEqual(programs[0], `agent-${TallyFile.mostAgents + 4}`)
    assert.notInclude(programs, "agent-4")
    file.close()
  })

  it("goes on counting where the clock has gone back, and takes no day to come for one of the last thirty", () => {
    const path = pathOf()
    const file = TallyFile.open(path)
    for (let at = 0; at < TallyFile.mostAgents; at++)
      file.add([accepted({ provider: "custom", program: `agent-${at}`, name: `agent-${at}` }, 400)], 400 * day + at)
    const others = ["new", "newer"].map((program) => ({ provider: "custom", program, name: program }))
    file.add(
      others.map((one) => accepted(one, 100)),
      100 * day
    )
    const rows = file.read(100 * day)
    assert.strictEqual(rows.length, TallyFile.mostAgents)
    assert.deepStrictEqual(
      rows.filter(({ lately }) => lately > 0).map(({ program }) => program),
      ["new", "newer"]
    )
    const programs = rows.map(({ program }) => program)
    for (const gone of ["agent-0", "agent-1"]) assert.notInclude(programs, gone)
    assert.isTrue(rows.every(({ all }) => all === 1))
    file.close()
  })

  it("leaves a file alone that is damaged, or that a later version wrote", () => {
    const damaged = pathOf()
    writeFileSync(damaged, "this is no database, whatever its name says".repeat(100))
    assert.strictEqual(
      reasonOf(() => TallyFile.open(damaged)),
      "corrupt"
    )
    const newer = pathOf()
    TallyFile.open(newer).close()
    const database = new DatabaseSync(newer)
    database.exec("PRAGMA user_version = 99")
    database.close()
    assert.strictEqual(
      reasonOf(() => TallyFile.open(newer)),
      "newer"
    )
  })
})
