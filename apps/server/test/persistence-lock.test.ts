import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as StateLock from "../src/persistence/StateLock.ts"

const folder = Effect.flatMap(FileSystem.FileSystem, (files) =>
  files.makeTempDirectoryScoped({ prefix: "signalbox-persistence-" })
).pipe(Effect.provide(NodeServices.layer))

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
      const holder = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(process.execPath, ["--expose-gc", "--input-type=module", "--eval", holderScript, directory], {
            stdio: ["ignore", "pipe", "inherit"]
          })
        ),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      yield* Effect.promise(() => once(holder.stdout, "data"))
      assert.isTrue(yield* StateLock.isHeld(directory))
      assert.strictEqual((yield* Effect.flip(Effect.scoped(hold(directory))))._tag, "StateInUse")
      holder.kill("SIGKILL")
      yield* Effect.promise(() => once(holder, "exit"))
      assert.isFalse(yield* StateLock.isHeld(directory))
      yield* Effect.scoped(hold(directory))
    })
  )
})

/** Holds the lock from another process until it is killed, with nothing else there to remember it by. */
const holderScript = `
  const { layer } = await import(${JSON.stringify(new URL("../src/persistence/StateLock.ts", import.meta.url).href)})
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
