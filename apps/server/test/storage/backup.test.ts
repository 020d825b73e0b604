/** A copy of a database that is in use, and a copy put in its place again. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as fs from "node:fs"
import * as path from "node:path"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { DatabaseSync } from "node:sqlite"
import * as Backup from "../../src/storage/Backup.ts"
import * as Migrations from "../../src/storage/Migrations.ts"
import * as StateLock from "../../src/storage/StateLock.ts"
import * as Databases from "../support/Databases.ts"
import { created, threadId, warning } from "../support/ThreadEvents.ts"
import { everything, ThreadRecord, viewOf } from "../support/ThreadRecord.ts"

const titled = (title: string) => ({ type: "thread.renamed" as const, threadId, at: 1, title })

/** Writes a thread of this title to the database that is at `file`, or made there. */
const write = Effect.fnUntraced(function* (file: string, title: string) {
  const { store } = yield* Databases.open(file)
  yield* store.remove(threadId)
  yield* store.commit([new ThreadRecord(threadId).step([created, titled(title)])])
}, Effect.scoped)

const titleIn = (file: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { store } = yield* Databases.open(file)
      return viewOf((yield* store.load(threadId, everything))!).title
    })
  )

const contents = (folder: string) =>
  fs.readdirSync(folder).map((name) => [name, fs.readFileSync(path.join(folder, name)).toString("base64")])

describe("a backup", () => {
  it.live("is the state of one moment, taken while a server writes, for its owner only", () =>
    Effect.gen(function* () {
      const { file, store } = yield* Databases.fresh
      const record = new ThreadRecord(threadId)
      const views = [yield* Effect.as(store.commit([record.step([created])]), record.view)]
      const writer = yield* Effect.forkChild(
        Effect.gen(function* () {
          for (let step = 0; step < 200; step++) {
            yield* store.commit([record.step([warning(String(step))])])
            views.push(record.view)
            yield* Effect.yieldNow
          }
        })
      )
      yield* Effect.yieldNow
      const target = `${yield* Databases.folder}/copy.sqlite`
      const { bytes } = yield* Backup.backup(file, target)
      yield* Fiber.join(writer)
      assert.strictEqual(fs.statSync(target).size, bytes)
      assert.strictEqual((fs.statSync(target).mode & 0o777).toString(8), "600")
      assert.deepStrictEqual(fs.readdirSync(path.dirname(target)), ["copy.sqlite"])
      const copy = yield* Databases.open(target)
      const copied = viewOf((yield* copy.store.load(threadId, everything))!)
      assert.deepInclude(views, copied)
      assert.deepStrictEqual(viewOf((yield* store.load(threadId, everything))!), record.view)
    })
  )

  it.live("never takes the place of a file, and leaves none behind when it can't be made", () =>
    Effect.gen(function* () {
      const { file } = yield* Databases.fresh
      const folder = yield* Databases.folder
      fs.writeFileSync(`${folder}/mine`, "precious")
      fs.writeFileSync(`${folder}/text`, "no database".repeat(1000))
      new DatabaseSync(`${folder}/foreign`).exec("CREATE TABLE threads (x)")
      const before = contents(folder)
      const exists = yield* Effect.flip(Backup.backup(file, `${folder}/mine`))
      assert.strictEqual(exists._tag, "BackupRefused")
      assert.include(exists.message, `${folder}/mine`)
      const missing = yield* Effect.flip(Backup.backup(`${folder}/nothing`, `${folder}/copy`))
      assert.strictEqual(missing._tag, "BackupRefused")
      const foreign = yield* Effect.flip(Backup.backup(`${folder}/foreign`, `${folder}/copy`))
      assert.strictEqual(foreign._tag, "BackupRefused")
      const text = yield* Effect.flip(Backup.backup(`${folder}/text`, `${folder}/copy`))
      assert.strictEqual(text._tag === "StorageError" && text.reason, "corrupt")
      const nowhere = yield* Effect.flip(Backup.backup(file, `${folder}/no/such/folder/copy`))
      assert.strictEqual(nowhere._tag === "StorageError" && nowhere.reason, "unwritable")
      for (const { problem } of [exists, missing, foreign, text, nowhere]) assert.isNotEmpty(problem.nextSteps)
      assert.deepStrictEqual(contents(folder), before)
    })
  )
})

describe("a backup that is killed", () => {
  const module = fileURLToPath(new URL("../../src/storage/Backup.ts", import.meta.url))
  const dies = (call: string) => `
    import fs from "node:fs"
    import { syncBuiltinESMExports } from "node:module"
    import * as Effect from "effect/Effect"
    fs[${JSON.stringify(call)}] = () => process.kill(process.pid, "SIGKILL")
    syncBuiltinESMExports()
    const { backup } = await import(${JSON.stringify(module)})
    await Effect.runPromise(backup(process.argv[1], process.argv[2]))
  `

  it.live.each([
    ["before its copy is whole", "fsyncSync", false],
    ["before its copy has its name", "linkSync", false],
    ["after its copy has its name", "rmSync", true]
  ] as const)("%s leaves a whole copy or none, and the next one takes away what is left", ([, call, made]) =>
    Effect.gen(function* () {
      const { file, store } = yield* Databases.fresh
      yield* store.commit([new ThreadRecord(threadId).step([created, titled("kept")])])
      const folder = yield* Databases.folder
      const target = path.join(folder, "copy")
      const { pid, signal } = spawnSync(process.execPath, ["--input-type=module", "-e", dies(call), file, target], {
        cwd: import.meta.dirname,
        stdio: ["ignore", "ignore", "inherit"]
      })
      assert.strictEqual(signal, "SIGKILL")
      const left = `copy.${pid}.partial`
      assert.deepStrictEqual(fs.readdirSync(folder), made ? ["copy", left] : [left])
      // Of a process that lives, and of another backup.
      const others = [`copy.${process.ppid}.partial`, `copy.2.${pid}.partial`]
      for (const name of others) fs.writeFileSync(path.join(folder, name), "")
      if (made) fs.renameSync(target, path.join(folder, "first"))
      yield* Backup.backup(file, target)
      const copies = made ? ["copy", "first"] : ["copy"]
      assert.deepStrictEqual(fs.readdirSync(folder).sort(), [...copies, ...others].sort())
      for (const name of copies) assert.strictEqual(yield* titleIn(path.join(folder, name)), "kept")
    })
  )
})

describe("restoring", () => {
  const prepared = Effect.gen(function* () {
    const stateDirectory = yield* Databases.folder
    const database = `${stateDirectory}/signalbox.sqlite`
    const source = `${yield* Databases.folder}/copy.sqlite`
    yield* write(database, "old")
    yield* Backup.backup(database, source)
    yield* write(database, "new")
    return { stateDirectory, database, source }
  })

  it.live("puts the copy in place, and what was there aside", () =>
    Effect.gen(function* () {
      const restoring = yield* prepared
      const { movedTo } = yield* Backup.restore(restoring)
      assert.strictEqual(yield* titleIn(restoring.database), "old")
      assert.strictEqual(yield* titleIn(movedTo!), "new")
      assert.strictEqual((fs.statSync(restoring.database).mode & 0o777).toString(8), "600")
      assert.isTrue(fs.existsSync(restoring.source))
    })
  )

  it.live("takes the journal of a server that was killed along with the database that it belongs to", () =>
    Effect.gen(function* () {
      const { database, source, stateDirectory } = yield* prepared
      const killed = yield* Databases.folder
      const { store } = yield* Databases.open(database)
      yield* store.remove(threadId)
      yield* store.commit([new ThreadRecord(threadId).step([created, titled("in the journal")])])
      for (const name of ["signalbox.sqlite", "signalbox.sqlite-wal"])
        fs.copyFileSync(path.join(stateDirectory, name), path.join(killed, name))
      const left = path.join(killed, "signalbox.sqlite")
      const { movedTo } = yield* Backup.restore({ stateDirectory: killed, database: left, source })
      assert.strictEqual(yield* titleIn(left), "old")
      assert.strictEqual(yield* titleIn(movedTo!), "in the journal")
    })
  )

  it.live("needs no database to be there before", () =>
    Effect.gen(function* () {
      const { source } = yield* prepared
      const stateDirectory = yield* Databases.folder
      const database = `${stateDirectory}/signalbox.sqlite`
      assert.deepStrictEqual(yield* Backup.restore({ stateDirectory, database, source }), {})
      assert.strictEqual(yield* titleIn(database), "old")
    })
  )

  it.live("is refused while a server runs", () =>
    Effect.gen(function* () {
      const restoring = yield* prepared
      yield* Layer.build(Layer.fresh(StateLock.layer(restoring.stateDirectory)))
      const error = yield* Effect.flip(Backup.restore(restoring))
      assert.strictEqual(error._tag, "StateInUse")
      assert.strictEqual(yield* titleIn(restoring.database), "new")
    })
  )

  it.live("is refused for what is damaged, newer or no copy of ours, and changes nothing", () =>
    Effect.gen(function* () {
      const { database, source, stateDirectory } = yield* prepared
      const folder = yield* Databases.folder
      const variant = (name: string, change: (file: string) => void) => {
        const file = path.join(folder, name)
        fs.copyFileSync(source, file)
        change(file)
        return file
      }
      const newer = variant("newer", (file) =>
        Databases.meddle(file, "INSERT INTO migrations (migration_id, name) VALUES (999, 'from_the_future')")
      )
      const damaged = variant("damaged", (file) => Databases.spoil(file, "events"))
      const foreign = variant("foreign", (file) => Databases.meddle(file, "DROP TABLE threads"))
      const text = variant("text", (file) => fs.writeFileSync(file, "no database".repeat(1000)))
      const before = fs.readFileSync(database)
      const refusal = (file: string) => Effect.flip(Backup.restore({ stateDirectory, database, source: file }))
      const reasons = yield* Effect.forEach([newer, damaged, foreign, text, path.join(folder, "nothing")], refusal)
      assert.deepStrictEqual(
        reasons.map((error) => (error._tag === "StorageError" ? error.reason : error._tag)),
        ["newer", "corrupt", "BackupRefused", "corrupt", "BackupRefused"]
      )
      assert.isTrue(before.equals(fs.readFileSync(database)))
      assert.deepStrictEqual(fs.readdirSync(stateDirectory).sort(), ["server.lock", "signalbox.sqlite"])
    })
  )
})

describe("looking at a database", () => {
  it.live("reports its shape beside a running server, and damage", () =>
    Effect.gen(function* () {
      const file = yield* Databases.file
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Databases.open(file)
          assert.deepStrictEqual(yield* Backup.inspect(file), {
            shape: Migrations.latest,
            latestShape: Migrations.latest
          })
        })
      )
      Databases.spoil(file, "events")
      const { problem } = yield* Backup.inspect(file)
      assert.strictEqual(problem?.code, "storage")
      const missing = yield* Effect.flip(Backup.inspect(`${file}.nothing`))
      assert.strictEqual(missing._tag, "BackupRefused")
    })
  )
})
