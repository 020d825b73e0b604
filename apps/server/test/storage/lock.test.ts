import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as StateLock from "../../src/storage/StateLock.ts"
import * as Databases from "../support/Databases.ts"
import { logging } from "../support/LogLines.ts"
import { created, threadId, warning } from "../support/ThreadEvents.ts"
import { ThreadRecord } from "../support/ThreadRecord.ts"

const folder = Effect.flatMap(FileSystem.FileSystem, (files) =>
  files.makeTempDirectoryScoped({ prefix: "persistence-" })
).pipe(Effect.provide(NodeFileSystem.layer))

/** A process that holds the lock. */
const started = Effect.fnUntraced(function* (directory: string) {
  const holder = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, ["--expose-gc", "--input-type=module", "--eval", holderScript, directory], {
        stdio: ["ignore", "pipe", "inherit"]
      })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  yield* Effect.promise(() => once(holder.stdout, "data"))
  return holder
})

describe("the lock on a state folder", () => {
  const hold = (directory: string) => Layer.build(Layer.fresh(StateLock.layer(directory)))

  it.live("keeps a second server out, and says so", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* hold(directory)
          const error = yield* Effect.flip(Effect.scoped(hold(directory)))
          assert.strictEqual(error._tag, "StateInUse")
          assert.include(error.message, directory)
          yield* Effect.flip(Effect.scoped(hold(directory)))
        })
      )
      yield* Effect.scoped(hold(directory))
    })
  )

  it.live("is free again after its holder was killed", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const holder = yield* started(directory)
      assert.isTrue(yield* StateLock.isHeld(directory))
      assert.strictEqual((yield* Effect.flip(Effect.scoped(hold(directory))))._tag, "StateInUse")
      holder.kill("SIGKILL")
      yield* Effect.promise(() => once(holder, "exit"))
      assert.isFalse(yield* StateLock.isHeld(directory))
      yield* Effect.scoped(hold(directory))
    })
  )

  const hostile = ["garbage", "x".repeat(8192), `SQLite format 3\0${"\xff".repeat(5000)}`]

  it.live("is made anew where the file holds something else, and the log says so", () =>
    Effect.gen(function* () {
      for (const text of hostile) {
        const directory = yield* folder
        writeFileSync(join(directory, "server.lock"), text)
        assert.isFalse(yield* StateLock.isHeld(directory))
        const { lines } = yield* logging(hold(directory))
        assert.match(lines.join(), /server\.lock held no lock but something else\. It was replaced\./)
        assert.strictEqual((yield* Effect.flip(Effect.scoped(hold(directory))))._tag, "StateInUse")
      }
    })
  )

  it.live("stays whose it is while somebody writes garbage into the file", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const holder = yield* started(directory)
      // A third process writes it, like any other program.
      spawnSync("/bin/sh", ["-c", 'echo garbage > "$0"', join(directory, "server.lock")])
      assert.strictEqual((yield* Effect.flip(Effect.scoped(hold(directory))))._tag, "StateInUse")
      holder.kill("SIGKILL")
      yield* Effect.promise(() => once(holder, "exit"))
      yield* Effect.scoped(hold(directory))
    })
  )

  const inThePlace: Readonly<Record<string, (path: string) => void>> = {
    "a folder": (path) => mkdirSync(path),
    "a link to itself": (path) => symlinkSync(path, path),
    "a pipe": (path) => execFileSync("mkfifo", [path])
  }

  for (const [what, put] of Object.entries(inThePlace))
    it.live(
      `in whose place, or in that of its journal, is ${what} is not a damaged database, and says what to do`,
      () =>
        Effect.gen(function* () {
          for (const name of ["server.lock", "server.lock-journal"]) {
            const directory = yield* folder
            if (name !== "server.lock") writeFileSync(join(directory, "server.lock"), "")
            put(join(directory, name))
            const error = yield* Effect.flip(Effect.scoped(hold(directory)))
            assert.strictEqual(error._tag === "StorageError" && error.reason, "lock-unusable")
            assert.match(error.message, /^The lock of the state folder can't be used\. .+Move it away/)
            assert.include(error.message, `${join(directory, name)}: it is a`)
            assert.strictEqual((yield* Effect.flip(StateLock.isHeld(directory))).reason, "lock-unusable")
          }
        })
    )

  const losses: Readonly<Record<string, (file: string) => void>> = {
    deleted: (file) => rmSync(file),
    replaced: (file) => {
      writeFileSync(`${file}.new`, "")
      renameSync(`${file}.new`, file)
    },
    "replaced by a folder": (file) => {
      rmSync(file)
      mkdirSync(file)
    },
    "replaced by a link to itself": (file) => {
      rmSync(file)
      symlinkSync(file, file)
    },
    "moved with its folder": (file) => renameSync(dirname(file), `${dirname(file)}-moved`)
  }

  for (const [what, lose] of Object.entries(losses))
    it.live(`that is ${what} stops the next transaction, and is told`, () =>
      Effect.gen(function* () {
        const directory = join(yield* folder, "state")
        const lock = hold(directory)
        const held = Context.get(yield* lock, StateLock.HeldLock)
        const file = join(directory, "signalbox.sqlite")
        const { store } = yield* Effect.provideService(Databases.open(file), StateLock.HeldLock, held)
        const record = new ThreadRecord(threadId)
        yield* store.commit([record.step([created])])
        lose(join(directory, "server.lock"))
        const error = yield* Effect.flip(store.commit([record.step([warning("one")])]))
        assert.strictEqual(error.reason, "lock-lost")
        assert.isFalse(error.passing)
        assert.strictEqual((yield* held.lost).reason, "lock-lost")
        const there = what === "moved with its folder" ? `${directory}-moved/signalbox.sqlite` : file
        assert.deepStrictEqual(Databases.query(there, "SELECT count(*) AS n FROM events"), [{ n: 1 }])
      })
    )

  for (const part of ["", "-wal", "-shm"])
    it.live(`counts for the database, too: without signalbox.sqlite${part} nothing more is said to be kept`, () =>
      Effect.gen(function* () {
        const directory = yield* folder
        const held = Context.get(yield* hold(directory), StateLock.HeldLock)
        const file = join(directory, "signalbox.sqlite")
        const record = new ThreadRecord(threadId)
        yield* Effect.gen(function* () {
          const { store } = yield* Effect.provideService(Databases.open(file), StateLock.HeldLock, held)
          yield* store.commit([record.step([created])])
          rmSync(`${file}${part}`)
          const error = yield* Effect.flip(store.commit([record.step([warning("one")])]))
          assert.deepStrictEqual([error.reason, error.path], ["file-lost", `${file}${part}`])
          assert.isFalse(error.passing)
          assert.strictEqual((yield* held.lost).reason, "file-lost")
        }).pipe(Effect.scoped)
        // Closed, it is nobody's any more.
        held.check()
      })
    )

  it.live("is seen to be lost where nothing is written, too", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const { lost } = Context.get(yield* hold(directory), StateLock.HeldLock)
      rmSync(join(directory, "server.lock"))
      assert.strictEqual((yield* lost).reason, "lock-lost")
    })
  )
})

/** Holds the lock from another process until it is killed, with nothing else there to remember it by. */
const holderScript = `
  const { layer } = await import(${JSON.stringify(new URL("../../src/storage/StateLock.ts", import.meta.url).href)})
  const Effect = await import("effect/Effect")
  const Layer = await import("effect/Layer")
  const collected = () => new Promise((resolve) => setTimeout(() => (gc(), resolve()), 10))
  setInterval(() => {}, 1000)
  const locked = new Promise((resolve) => {
    const held = Effect.andThen(Layer.build(layer(process.argv[1])), Effect.sync(resolve))
    Effect.runFork(Effect.scoped(Effect.andThen(held, Effect.never)))
  })
  await locked
  await collected()
  await collected()
  console.log("held")
`
