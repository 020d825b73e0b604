import type { ThreadCommand } from "@signalbox/contracts/Command"
import { CommandId, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { closeSync, cpSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { connect } from "../../chaos/Connection.ts"
import { Watcher } from "../../chaos/Watcher.ts"
import { assertReadable } from "../cli/support/Runs.ts"
import { call, type Running, start, temporaryFolder } from "../cli/support/Signalbox.ts"
import { hasOwnMounts, readOnly, seenBy, smallDisk } from "../support/OwnMounts.ts"

const threadId = ThreadId.make("t1")
const scripted = fileURLToPath(new URL("../../../../packages/stand-in-agents/src/scripted/main.ts", import.meta.url))

/** A client of a server, and what it sees of the thread. */
const visit = Effect.fnUntraced(function* (server: Running) {
  const [, url = "", token = ""] = yield* server.says(/(http:\/\/127\.0\.0\.1:\d+)\/#token=([\w-]{43})/)
  const client = yield* connect({ url, token })
  const send = (id: string, command: ThreadCommand) => client.send({ commandId: CommandId.make(id), threadId, command })
  const watch = Effect.gen(function* () {
    const watcher = new Watcher()
    yield* client.watchThread({ threadId }).pipe(
      Stream.runForEach((frame) => Effect.sync(() => watcher.take(frame))),
      Effect.forkScoped
    )
    return watcher
  })
  const storage = (state: "ok" | "failing") =>
    client.watchHealth().pipe(
      Stream.filter((health) => health.storage.state === state),
      Stream.map((health) => health.storage),
      Stream.take(1),
      Stream.runHead
    )
  return { send, storage, watch }
})

const textOf = ({ items }: ThreadView): string =>
  items.flatMap((item) => (item.type === "message" ? [item.text] : [])).join("")

/** Takes all that is left of a disk. */
const fill = (file: string): void => {
  const opened = openSync(file, "w")
  try {
    for (const piece of [Buffer.alloc(65_536), Buffer.alloc(512)]) {
      try {
        while (writeSync(opened, piece) === piece.length);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error
      }
    }
  } finally {
    closeSync(opened)
  }
}

describe.skipIf(!hasOwnMounts)("the state folder", () => {
  it.live("that can only be read is said to be so, and no server begins", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("state")
      const ended = yield* call(["serve", "--port", "0", "--state-dir", folder], { within: readOnly(folder) })
      assert.strictEqual(ended.code, 1)
      assert.include(ended.stderr, folder)
      assert.match(ended.stderr, /read/)
      assertReadable(ended)
    })
  )

  it.live("on a full disk is said to be so, nothing is lost meanwhile, and it goes on when there is room", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("state")
      const within = smallDisk(folder, 16 * 1024 * 1024)
      const server = yield* start(["serve", "--port", "0", "--state-dir", folder], { within })
      const { send, storage, watch } = yield* visit(server)
      const seen = seenBy(server.pid, folder)
      const filler = join(seen, "filler")

      const providerOptions = { acp: { command: process.execPath, args: [scripted], env: {} } }
      const cwd = temporaryFolder("project")
      yield* send("create", { type: "thread.create", provider: ProviderId.make("scripted"), providerOptions, cwd })
      // More than may be gathered in memory.
      const pieces = 20_000
      const steps = [
        { text: "begin " },
        { repeat: pieces, steps: [{ text: `{i} ${"word ".repeat(20)}` }] },
        { text: "end" }
      ]
      const prompt = [{ type: "text" as const, text: JSON.stringify(steps) }] as const
      const watcher = yield* watch

      fill(filler)
      const tooMuch = { type: "turn.start" as const, turnId: TurnId.make("large"), prompt: [large] as const }
      const refused = yield* Effect.flip(send("large", tooMuch))
      if (refused._tag !== "CommandRejected") return assert.fail(refused._tag)
      assert.strictEqual(refused.problem.title, "The disk is full.")
      yield* storage("failing")

      // Room for the prompt, and not for what is said to it.
      rmSync(filler)
      yield* send("prompt", { type: "turn.start", turnId: TurnId.make("turn"), prompt })
      yield* watcher.until((view) => textOf(view).includes("begin "))
      fill(filler)
      // Much more than there was room for when the disk was full.
      yield* watcher.until((view) => textOf(view).length > 500_000)
      yield* storage("failing")
      rmSync(filler)
      const after = yield* watcher.until(({ turns }) => turns[0]?.status === "completed")
      yield* storage("ok")
      const words = Array.from({ length: pieces }, (_, index) => `${index} ${"word ".repeat(20)}`)
      assert.strictEqual(textOf(after), `begin ${words.join("")}end`)
      assert.deepStrictEqual(watcher.faults, [])

      const copy = temporaryFolder("copy")
      cpSync(seen, copy, { recursive: true, filter: (path) => !path.endsWith("server.json") })
      const successor = yield* visit(yield* start(["serve", "--port", "0", "--state-dir", copy]))
      const kept = yield* (yield* successor.watch).until(() => true)
      assert.strictEqual(textOf(kept), textOf(after))
    })
  )
})

const large = { type: "text" as const, text: "x".repeat(1024 * 1024) }
