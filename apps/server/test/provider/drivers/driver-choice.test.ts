/** Cursor is known by its program or by its entry in the registry, however it is started. Nothing that an agent says counts. */
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync } from "node:fs"
import { dirname, join } from "node:path"
import type { AcpOptions } from "@signalbox/contracts/Provider"
import { Answers } from "../../../src/provider/drivers/cursor/CursorProgram.ts"
import * as DriverChoice from "../../../src/provider/drivers/DriverChoice.ts"
import { emulator, emulatorFolder, machine, script, systemFolders, temporaryFolder } from "./support/Programs.ts"
import { scriptedMain } from "../../support/ScriptedAgent.ts"

const version = "2026.10.01-e373342"

const kindOf = (acp: AcpOptions, origin: DriverChoice.Origin = {}, path: string = systemFolders) =>
  DriverChoice.kindOf({ acp }, origin).pipe(
    Effect.provide(Layer.merge(machine({ PATH: path }), Layer.fresh(Layer.sync(Answers, () => new Map()))))
  )

/** A program that notes each run of it beside itself. */
const noting = (name: string, body: string, folder = temporaryFolder()) => {
  const path = script(folder, name, `echo run >> "$(dirname "$0")/runs"\n${body}`)
  const runs = () =>
    existsSync(join(folder, "runs")) ? readFileSync(join(folder, "runs"), "utf8").split("\n").length - 1 : 0
  return { path, runs }
}

/** A Cursor as its installer leaves it. */
const installed = (of = version) => {
  const home = temporaryFolder()
  const program = noting("cursor-agent", "exit 9", join(home, ".local/share/cursor-agent/versions", of))
  const bin = join(home, ".local/bin")
  mkdirSync(bin, { recursive: true })
  for (const name of ["agent", "cursor-agent", "mine"]) symlinkSync(program.path, join(bin, name))
  return { bin, ...program }
}

describe("Cursor is recognised", () => {
  it.live("by where it is installed, through links, without a run of it", () =>
    Effect.gen(function* () {
      const { bin, path, runs } = installed()
      for (const command of ["agent", "cursor-agent", "mine"]) {
        assert.strictEqual(yield* kindOf({ command, args: ["acp"] }, {}, `${bin}:${systemFolders}`), "cursor")
        assert.strictEqual(yield* kindOf({ command: join(bin, command) }), "cursor")
      }
      assert.strictEqual(yield* kindOf({ command: path }), "cursor")
      assert.strictEqual(yield* kindOf({ command: "mine", env: { PATH: bin } }), "cursor")
      assert.strictEqual(runs(), 0)
    })
  )

  it.live("by its entry in the registry, whatever its program is called", () =>
    Effect.gen(function* () {
      const { path, runs } = noting("downloaded", "exit 9")
      assert.strictEqual(yield* kindOf({ command: path }, { registryId: "cursor" }), "cursor")
      assert.strictEqual(yield* kindOf({ command: path }, { registryId: "gemini" }), "acp")
      assert.strictEqual(runs(), 0)
    })
  )

  it.live("by its version, where it is called agent or cursor-agent: itself, a link to it, or a wrapper", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder()
      symlinkSync(join(emulatorFolder, "agent"), join(folder, "mine"))
      const wrapper = script(folder, "cursor-agent", `exec "${emulator}" "$@"`)
      const commands = [emulator, join(emulatorFolder, "agent"), join(folder, "mine"), wrapper]
      const kinds = yield* Effect.forEach(commands, (command) => kindOf({ command, args: ["acp"] }))
      assert.deepEqual(kinds, ["cursor", "cursor", "cursor", "cursor"])
      assert.strictEqual(yield* kindOf({ command: "./cursor-agent" }, { cwd: emulatorFolder }), "cursor")
      assert.strictEqual(yield* kindOf({ command: "./cursor-agent", cwd: emulatorFolder }), "cursor")
    })
  )
})

describe("Cursor is not recognised", () => {
  it.live("in another agent that is called agent", () =>
    Effect.gen(function* () {
      for (const body of [
        "echo grok 1.2.3",
        `echo "Built with Cursor ${version}"`,
        `echo ${version}; exit 1`,
        `echo ${version} >&2`,
        "exit 0"
      ]) {
        assert.strictEqual(yield* kindOf({ command: noting("agent", body).path }), "acp", body)
      }
    })
  )

  it.live("in a program of another name, which is not called to find out", () =>
    Effect.gen(function* () {
      const { path, runs } = noting("my-cursor-agent", `echo ${version}`)
      assert.strictEqual(yield* kindOf({ command: path, args: ["acp"] }), "acp")
      assert.strictEqual(runs(), 0)
    })
  )

  it.live("in a folder that only looks like its own", () =>
    Effect.gen(function* () {
      const other = noting("cursor-agent", "exit 1", join(temporaryFolder(), "cursor-agent/versions/latest"))
      assert.strictEqual(yield* kindOf({ command: other.path }), "acp")
      const named = noting("evil", "exit 1", join(temporaryFolder(), "cursor-agent/versions", version))
      assert.strictEqual(yield* kindOf({ command: named.path }), "acp")
    })
  )

  it.live("in an agent that says it is Cursor", () =>
    Effect.gen(function* () {
      const claims = { SCRIPTED_AGENT: JSON.stringify({ agentInfo: { name: "Cursor", version } }) }
      assert.strictEqual(yield* kindOf({ command: process.execPath, args: [scriptedMain], env: claims }), "acp")
    })
  )

  it.live("in a program that is not there, is elsewhere, or is another in each folder", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* kindOf({ command: "cursor-agent" }), "acp")
      assert.strictEqual(yield* kindOf({ command: join(temporaryFolder(), "cursor-agent") }), "acp")
      assert.strictEqual(yield* kindOf({ command: "./cursor-agent" }), "acp")
      assert.strictEqual(yield* kindOf({ url: "wss://cursor.example/agent" }, { registryId: "cursor" }), "acp")
    })
  )

  it.effect("in an agent that floods its version, which ends as soon as there is too much of it", () =>
    Effect.gen(function* () {
      // Five seconds without an end would end it, too. They never pass here.
      assert.strictEqual(yield* kindOf({ command: noting("agent", `exec yes ${version}x`).path }), "acp")
    })
  )

  it.live("in an agent that never prints its version, and nobody waits for it twice", () =>
    Effect.gen(function* () {
      const { path, runs } = noting("agent", "exec sleep 600")
      const twice = Effect.forEach([0, 1], () => DriverChoice.kindOf({ acp: { command: path } }))
      const [took, kinds] = yield* Effect.timed(
        Effect.provide(twice, Layer.merge(machine({ PATH: systemFolders }), Layer.succeed(Answers, new Map())))
      )
      assert.deepEqual(kinds, ["acp", "acp"])
      assert.strictEqual(runs(), 1)
      assert.isBelow(Duration.toSeconds(took), 15)
    })
  )
})

describe("what a program has answered", () => {
  it.live("counts for as long as its file is the same", () =>
    Effect.gen(function* () {
      const { path, runs } = noting("agent", `echo ${version}`)
      const ask = DriverChoice.kindOf({ acp: { command: path } })
      assert.deepEqual([yield* ask, yield* ask], ["cursor", "cursor"])
      assert.strictEqual(runs(), 1)
      script(dirname(path), "agent", `echo run >> "$(dirname "$0")/runs"; echo grok`)
      utimesSync(path, 1, 1)
      assert.deepEqual([yield* ask, yield* ask], ["acp", "acp"])
      assert.strictEqual(runs(), 2)
    }).pipe(Effect.provide(Layer.merge(machine({ PATH: systemFolders }), Layer.succeed(Answers, new Map()))))
  )
})
