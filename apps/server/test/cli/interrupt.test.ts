import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { eventsOf, play } from "./support/Runs.ts"
import {
  agentsFolder,
  call,
  groupEnds,
  groupLives,
  hasTerminals,
  launcher,
  scriptedAgent,
  start,
  temporaryFolder
} from "./support/Signalbox.ts"

describe("signalbox run, interrupted,", () => {
  it.live("cancels the turn on Ctrl-C, and leaves no process behind", () =>
    Effect.gen(function* () {
      const run = yield* start(play([{ text: "working" }, { waitForCancel: true }], "--json"))
      const [, agent] = yield* run.says(/"pid":(\d+)/)
      yield* run.says(/working/)
      run.kill("SIGINT")
      const ended = yield* run.ended
      assert.strictEqual(ended.code, 3, ended.stderr)
      const last = eventsOf(ended).at(-1)
      assert.strictEqual(last?.type === "turn.completed" && last.outcome, "cancelled")
      assert.strictEqual(last?.type === "turn.completed" && last.stopReason, "cancelled", "the agent was asked")
      yield* groupEnds(Number(agent))
    })
  )

  it.live("ends with 3 and in words on a Ctrl-C while it is being loaded", () =>
    Effect.gen(function* () {
      const run = yield* start([temporaryProgram(whoLoads), "run", "hello"], { program: "--no-warnings" })
      const { code, signal, stderr } = yield* run.ended
      assert.deepStrictEqual([code, signal, stderr], [3, null, "stopped\n"])
    })
  )

  it.live("ends with 3 and in words on a Ctrl-C before there is an agent", () =>
    Effect.gen(function* () {
      const tape = join(temporaryFolder("tape"), "tape.ndjson")
      // It makes the tape before it reads its prompt, which does not come.
      const run = yield* start(["run", "--agent", scriptedAgent, "--tape", tape, "-"])
      yield* Effect.suspend(() => (existsSync(tape) ? Effect.void : Effect.fail("not yet"))).pipe(
        Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 1000 })
      )
      run.kill("SIGINT")
      const { code, signal, stderr } = yield* run.ended
      assert.deepStrictEqual([code, signal, stderr], [3, null, "stopped\n"])
    })
  )

  it.live("kills everything at once on the second Ctrl-C, whatever it ignores", () =>
    Effect.gen(function* () {
      // Deaf to cancels, deaf to SIGTERM, and with a child that outlives it.
      const env = {
        PATH: `${agentsFolder}:${process.env["PATH"]}`,
        FAKE_CURSOR_STATE: temporaryFolder("cursor"),
        FAKE_CURSOR_QUIRKS: "cancel_notification_ignored,ignore_sigterm,worker_child",
        FAKE_CURSOR_TIME_SCALE: "0.1"
      }
      const run = yield* start(["run", "--json", "[[fake:stream n=100000 ms=500]]"], { env })
      const [, agent] = yield* run.says(/"pid":(\d+)/)
      yield* run.says(/message\.delta/)
      assert.isTrue(groupLives(Number(agent)))
      run.kill("SIGINT")
      yield* run.says(/stopping/)
      run.kill("SIGINT")
      const ended = yield* run.ended
      assert.strictEqual(ended.code, 3, ended.stderr)
      const last = eventsOf(ended).at(-1)
      assert(last?.type === "turn.completed")
      // After 8 seconds of waiting for the agent, the turn would end with the problem `cancel-timeout`.
      assert.isUndefined(last.problem)
      yield* groupEnds(Number(agent))
    })
  )

  const deaf = "sh -c \"trap '' TERM INT; echo deaf >&2; while :; do sleep 1; done\""
  const stubborn = (...steps: ReadonlyArray<object>) => ({
    args: play(steps),
    env: { SCRIPTED_AGENT: JSON.stringify({ onCancel: "ignore", ignoreSigterm: true, ignoreEof: true }) }
  })

  it.live("ends with 3 on the second Ctrl-C while the agent starts", () =>
    Effect.gen(function* () {
      const ready = join(temporaryFolder("deaf"), "ready")
      const run = yield* start(["run", "--agent", deaf.replace("echo deaf >&2", `: > ${ready}`), "hello"])
      yield* Effect.suspend(() => (existsSync(ready) ? Effect.void : Effect.fail("not yet"))).pipe(
        Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 1000 })
      )
      run.kill("SIGINT")
      yield* run.says(/stopping/)
      run.kill("SIGINT")
      assert.strictEqual((yield* run.ended).code, 3)
    })
  )

  it.live.skipIf(!hasTerminals)("ends with 3 on the second Ctrl-C while a person is asked", () =>
    Effect.gen(function* () {
      const options = [{ optionId: "yes", name: "Go ahead", kind: "allow_once" }]
      const permission = { toolCall: { toolCallId: "t1", title: "List files", kind: "execute" }, options }
      const { args, env } = stubborn({ permission }, { wait: 600_000 })
      const run = yield* start(args, { terminal: true, env })
      yield* run.says(/Number: /)
      run.stdin.write("\u0003")
      yield* run.says(/stopping/)
      run.stdin.write("\u0003")
      assert.strictEqual((yield* run.ended).code, 3)
    })
  )

  it.live("ends with 3 on a Ctrl-C while an agent that does not want to is being ended", () =>
    Effect.gen(function* () {
      const { args, env } = stubborn({ text: "done" })
      const run = yield* start([...args.slice(0, -1), "--json", ...args.slice(-1)], { env })
      yield* run.says(/turn\.completed/)
      run.kill("SIGINT")
      yield* run.says(/stopping/)
      run.kill("SIGINT")
      assert.strictEqual((yield* run.ended).code, 3)
    })
  )

  for (const signal of ["SIGINT", "SIGKILL"] as const)
    it.live(`leaves no program behind that it asks for its version, on ${signal}`, () =>
      Effect.gen(function* () {
        const folder = temporaryFolder("version")
        const pids = join(folder, "pids")
        const own = `trap "" TERM INT HUP; echo $$ >> ${pids}; sleep 600`
        writeFileSync(join(folder, "cursor-agent"), `#!/bin/sh\nsetsid sh -c '${own}' &\n${own}\n`, { mode: 0o755 })
        const running = yield* start(["doctor"], { env: { PATH: `${folder}:${process.env["PATH"]}` } })
        const groups = () => (existsSync(pids) ? readFileSync(pids, "utf8").trim().split("\n").map(Number) : [])
        yield* Effect.suspend(() => (groups().length === 2 ? Effect.void : Effect.fail("not yet"))).pipe(
          Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 1000 })
        )
        running.kill(signal)
        yield* running.ended
        for (const group of groups()) yield* groupEnds(group)
      })
    )

  it.live.skipIf(!existsSync("/dev/full"))(
    "says why its output could not be written, and has asked the agent to stop",
    () =>
      Effect.gen(function* () {
        const tape = join(temporaryFolder("tape"), "tape.ndjson")
        // What the agent says before it stops can't be written either.
        const env = { SCRIPTED_AGENT: JSON.stringify({ afterCancel: [{ text: "stopping" }, { wait: 200 }] }) }
        const args = play([{ text: "working" }, { waitForCancel: true }], "--tape", tape)
        const ended = yield* call(args, { env, within: ["sh", "-c", 'exec "$@" >/dev/full', "sh"] })
        assert.strictEqual(ended.code, 1, ended.stderr)
        assert.include(ended.stderr, "The output could not be written.")
        assert.include(readFileSync(tape, "utf8"), '"stopReason":"cancelled"')
      })
  )

  it.live("can be interrupted through the launcher, by its own pid", () =>
    Effect.gen(function* () {
      const run = yield* start(play([{ text: "working" }, { waitForCancel: true }]), { program: launcher })
      yield* run.says(/working/)
      run.kill("SIGINT")
      assert.strictEqual((yield* run.ended).code, 3)
      const version = yield* call(["--version"], { program: launcher })
      assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
    })
  )

  it.live("loses no Ctrl-C to what completes right behind it", () =>
    Effect.gen(function* () {
      const { stdout } = yield* call([temporaryProgram(whoCompletes)], { program: "--no-warnings" })
      assert.strictEqual(stdout, "Failure\n")
    })
  )

  it.live("takes one Ctrl-C through the launcher for one, and cleans up to the end", () =>
    Effect.gen(function* () {
      const env = { SIGNALBOX_LAUNCHED: "1" }
      const { code, stdout } = yield* call([temporaryProgram(whoCleansUp)], { program: "--no-warnings", env })
      assert.deepStrictEqual([code, stdout], [0, "cleaned up\n"])
    })
  )

  it.live("ends as cancelled on a Ctrl-C that comes while it is being ended, too", () =>
    Effect.gen(function* () {
      const ending = yield* start([temporaryProgram(whoIsEnding)], { program: "--no-warnings" })
      yield* ending.says(/ending/)
      ending.kill("SIGINT")
      const { code, signal } = yield* ending.ended
      assert.deepStrictEqual([code, signal], [3, null])
    })
  )
})

/** The command line, with a Ctrl-C as soon as it loads anything that takes its time. */
const whoLoads = `
  import { registerHooks } from "node:module"
  registerHooks({
    load(url, context, next) {
      if (url.endsWith("/effect/dist/schema/SchemaJITCompiler/enable.js")) process.kill(process.pid, "SIGINT")
      return next(url, context)
    }
  })
  await import(${JSON.stringify(new URL("../../src/bin.ts", import.meta.url).href)})
`

/** Has listened for signals, and takes its time now. */
const whoIsEnding = `
  const { signals } = await import(${JSON.stringify(new URL("../../src/cli/terminal/Signals.ts", import.meta.url).href)})
  const Effect = await import(${JSON.stringify(import.meta.resolve("effect/Effect"))})
  await Effect.runPromise(Effect.scoped(signals))
  setInterval(() => {}, 1000)
  console.log("ending")
`

/** Defines `listened`, a promise that a listener for Ctrl-C completes. */
const awaitsListener = `
  const listened = new Promise((resolve) => process.on("newListener", (name) => name === "SIGINT" && resolve()))
`

/** Does something that a signal ends, and that completes right behind the signal. Reports how it ended. */
const whoCompletes = `
  ${awaitsListener}
  const { unlessSignalled } = await import(${JSON.stringify(new URL("../../src/cli/terminal/Signals.ts", import.meta.url).href)})
  const Effect = await import(${JSON.stringify(import.meta.resolve("effect/Effect"))})
  const work = Effect.callback((resume) => {
    void listened.then(() => {
      process.emit("SIGINT")
      resume(Effect.void)
    })
  })
  const { _tag } = await Effect.runPromiseExit(unlessSignalled(work))
  console.log(_tag)
`

/** Is interrupted by a signal, which the launcher repeats while this cleans up. */
const whoCleansUp = `
  ${awaitsListener}
  const { unlessSignalled } = await import(${JSON.stringify(new URL("../../src/cli/terminal/Signals.ts", import.meta.url).href)})
  const Effect = await import(${JSON.stringify(import.meta.resolve("effect/Effect"))})
  const cleanUp = Effect.sync(() => {
    process.emit("SIGINT")
    console.log("cleaned up")
  })
  const working = Effect.onInterrupt(Effect.never, () => cleanUp)
  void listened.then(() => process.emit("SIGINT"))
  await Effect.runPromiseExit(unlessSignalled(working))
  process.exit()
`

const temporaryProgram = (text: string): string => {
  const file = join(temporaryFolder("program"), "main.mjs")
  writeFileSync(file, text)
  return file
}
