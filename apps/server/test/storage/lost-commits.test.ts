/** The commits that a damaged journal loses, which SQLite does not report. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Backup from "../../src/storage/Backup.ts"
import * as Databases from "../support/Databases.ts"
import { logging } from "../support/LogLines.ts"
import { created, threadId, warning } from "../support/ThreadEvents.ts"
import { ThreadRecord } from "../support/ThreadRecord.ts"

/** What a server that was killed leaves behind after so many commits. `sizes`: of the journal after each. */
const killed = Effect.fnUntraced(function* (commits: number) {
  const folder = yield* Databases.folder
  const { file, store } = yield* Databases.fresh
  const record = new ThreadRecord(threadId)
  const sizes: Array<number> = []
  for (let step = 0; step < commits; step++) {
    yield* store.commit([record.step([step === 0 ? created : warning(String(step))])])
    sizes.push(fs.statSync(`${file}-wal`).size)
  }
  const left = path.join(folder, "signalbox.sqlite")
  for (const part of ["", "-wal", "-commits"]) fs.copyFileSync(`${file}${part}`, `${left}${part}`)
  return { left, journal: `${left}-wal`, sizes }
})

/** What the next one says, in its log and as its state. */
const opened = (left: string) => logging(Effect.scoped(Effect.flatMap(Databases.open(left), ({ state }) => state.now)))

const garbled = (file: string, at: number) => {
  const bytes = fs.readFileSync(file)
  bytes.fill(0x5a, at)
  fs.writeFileSync(file, bytes)
}

const damages: Readonly<Record<string, (journal: string, end: number) => void>> = {
  cut: (journal, end) => fs.truncateSync(journal, end),
  garbled: (journal, end) => garbled(journal, end + 100)
}

describe("a database whose journal lost its end", () => {
  for (const [how, damage] of Object.entries(damages))
    it.live(`says how many commits are gone, once: ${how}`, () =>
      Effect.gen(function* () {
        const { journal, left, sizes } = yield* killed(10)
        damage(journal, sizes[6]!)
        const { loss } = yield* Backup.inspect(left)
        assert.strictEqual(loss?.title, "The database lost its last 3 writes.")
        const { lines, result } = yield* opened(left)
        assert.match(
          lines.join("\n"),
          /The database lost its last 3 writes\. .+ until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(UTC\) is not there/
        )
        assert.strictEqual(result.state, "ok")
        assert.strictEqual(result.problem?.title, "The database lost its last 3 writes.")
        assert.strictEqual(Databases.query(left, "SELECT count(*) AS n FROM events")[0]?.["n"], 7)
        const again = yield* opened(left)
        assert.deepStrictEqual([again.lines, again.result], [[], { state: "ok" }])
      })
    )

  it.live("says so where the journal is gone as a whole, or its beginning is garbled", () =>
    Effect.gen(function* () {
      for (const damage of [(file: string) => fs.rmSync(file), (file: string) => garbled(file, 0)]) {
        const { journal, left } = yield* killed(5)
        damage(journal)
        const { lines } = yield* opened(left)
        assert.match(lines.join("\n"), /The database lost its last \d+ writes\./)
      }
    })
  )

  const emptied: Readonly<Record<string, (database: string) => void>> = {
    emptied: (database) => fs.truncateSync(database),
    "taken away": (database) => fs.rmSync(database)
  }

  for (const [how, damage] of Object.entries(emptied))
    it.live(`says so, once, where the database itself was ${how}, and its journal with it is of no use`, () =>
      Effect.gen(function* () {
        const { left } = yield* killed(5)
        damage(left)
        const { lines, result } = yield* opened(left)
        assert.match(
          lines.join("\n"),
          /The database was empty, and lost \d+ writes\. Its file was emptied or taken away/
        )
        assert.match(result.problem?.title ?? "", /^The database was empty, and lost/)
        assert.deepStrictEqual((yield* opened(left)).lines, [])
      })
    )

  it.live("goes on where the file of numbers is none, and counts anew", () =>
    Effect.gen(function* () {
      const { left } = yield* killed(5)
      fs.rmSync(`${left}-commits`)
      fs.mkdirSync(`${left}-commits`)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Databases.open(left)
          assert.isTrue(fs.statSync(`${left}-commits`).isFile())
        })
      )
      assert.isTrue(fs.statSync(`${left}-commits.unreadable`).isDirectory())
    })
  )

  it.live("says so also where the server before the last wrote it, and the last one wrote nothing", () =>
    Effect.gen(function* () {
      const { journal, left, sizes } = yield* killed(5)
      const folder = yield* Databases.folder
      const later = path.join(folder, "signalbox.sqlite")
      yield* Effect.scoped(
        Effect.andThen(
          Databases.open(left),
          // The state that a kill leaves: nothing was moved into the database.
          Effect.sync(() => {
            for (const part of ["", "-wal", "-commits"]) fs.copyFileSync(`${left}${part}`, `${later}${part}`)
          })
        )
      )
      assert.isFalse(fs.existsSync(journal))
      fs.truncateSync(`${later}-wal`, sizes[3])
      assert.match((yield* opened(later)).lines.join("\n"), /The database lost its last write\./)
    })
  )

  it.live(
    "says nothing where nothing is gone: after a kill, an end, a restore, and with a file of numbers that is garbage",
    () =>
      Effect.gen(function* () {
        const { left } = yield* killed(10)
        assert.deepStrictEqual((yield* opened(left)).lines, [])
        assert.deepStrictEqual((yield* opened(left)).lines, [])
        for (const garbage of ["", "x", "garbage".repeat(1000)]) {
          fs.writeFileSync(`${left}-commits`, garbage)
          assert.deepStrictEqual((yield* opened(left)).lines, [])
        }
        const copy = path.join(yield* Databases.folder, "copy")
        yield* Backup.backup(left, copy)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { store } = yield* Databases.open(left)
            yield* store.remove(threadId)
          })
        )
        yield* Backup.restore({ stateDirectory: path.dirname(left), database: left, source: copy })
        assert.deepStrictEqual((yield* opened(left)).lines, [])
      })
  )
})
