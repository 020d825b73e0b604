import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FileLock from "../src/FileLock.ts"
import { temporaryFolder } from "./support/TemporaryFolder.ts"

const module = new URL("../src/FileLock.ts", import.meta.url).href

/** Adds one to the number in a file, as often as `times` says. */
const counting = (lock: string, file: string, times: number) => `
  const FileLock = await import(${JSON.stringify(module)})
  const Effect = await import("effect/Effect")
  const { readFile, writeFile } = await import("node:fs/promises")
  const one = Effect.promise(async () => {
    const before = Number(await readFile(${JSON.stringify(file)}, "utf8"))
    await writeFile(${JSON.stringify(file)}, String(before + 1))
  })
  const all = Effect.forEach(Array.from({ length: ${times} }), () => FileLock.alone(${JSON.stringify(lock)}, one, (error) => error))
  await Effect.runPromise(all)
`

const run = (source: string) =>
  Effect.promise(async () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
      cwd: import.meta.dirname,
      stdio: ["ignore", "ignore", "inherit"]
    })
    const [code] = await once(child, "exit")
    return code
  })

describe("a lock between processes", () => {
  it.live("lets one at a time read, change and write a file, also within one process", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("lock")
      const [lock, file] = [join(folder, "new", "a.lock"), join(folder, "count")]
      writeFileSync(file, "0")
      const one = Effect.promise(async () => {
        const before = Number(readFileSync(file, "utf8"))
        await new Promise(setImmediate)
        writeFileSync(file, String(before + 1))
      })
      const others = Effect.all([run(counting(lock, file, 20)), run(counting(lock, file, 20))], { concurrency: 2 })
      const here = Effect.forEach(Array.from({ length: 20 }), () => FileLock.alone(lock, one, (error) => error), {
        concurrency: 5
      })
      const [codes] = yield* Effect.all([others, here], { concurrency: 2 })
      assert.deepStrictEqual(codes, [0, 0])
      assert.strictEqual(readFileSync(file, "utf8"), "60")
      assert.strictEqual(statSync(lock).mode & 0o777, 0o600)
    })
  )

  it.effect("is an error in words where it can't be had, and nothing is done", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("lock")
      let isDone = false
      const work = Effect.sync(() => void (isDone = true))
      const message = yield* Effect.flip(FileLock.alone(folder, work, (error) => error.message))
      assert.include(message, "EISDIR")
      assert.isFalse(isDone)
    })
  )
})
