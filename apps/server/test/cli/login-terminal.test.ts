/** `signalbox login` by a program that gets the terminal: whose Ctrl-C is, and what of it stays. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { groupEnds, hasTerminals, start, temporaryFolder } from "./support/Signalbox.ts"

/**
 * An agent that counts its starts in the file `starts` beside it. The start of the number `hang` is not greeted back; the ways of `ways`
 * are offered in turn, the last one from then on. With `--login` it runs the shell commands `login`, which may note a pid in `pids`.
 */
const program = (folder: string, behaviour: { hang?: number; ways: ReadonlyArray<object>; login?: string }) => `
import { spawnSync } from "node:child_process"
import { appendFileSync, readFileSync } from "node:fs"
import { createInterface } from "node:readline"
process.chdir(${JSON.stringify(folder)})
const { hang, login, ways } = ${JSON.stringify(behaviour)}
if (process.argv.includes("--login")) process.execve("/bin/sh", ["sh", "-c", login ?? "exit 0"], process.env)
appendFileSync("starts", "x")
const start = readFileSync("starts", "utf8").length
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }))
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line)
  const authMethods = [ways[Math.min(start, ways.length) - 1]]
  if (method === "initialize" && start !== hang) say({ id, result: { protocolVersion: 1, authMethods } })
})
`

const inTerminal = { type: "terminal", id: "way", name: "In a terminal", args: ["--login"] }
const byItself = { id: "way", name: "In a browser" }

const signingIn = Effect.fnUntraced(function* (behaviour: Parameters<typeof program>[1]) {
  const folder = temporaryFolder("login")
  const file = join(folder, "agent.mjs")
  writeFileSync(file, program(folder, behaviour))
  const state = temporaryFolder("state")
  const agent = { command: process.execPath, args: ["--no-warnings", file] }
  writeFileSync(join(state, "settings.json"), JSON.stringify({ agents: { mine: agent } }), { mode: 0o600 })
  const running = yield* start(["login", "--provider", "mine", "--state-dir", state], { terminal: true })
  const noted = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "")
  const until = (holds: () => boolean) =>
    Effect.suspend(() => (holds() ? Effect.void : Effect.fail("not yet"))).pipe(
      Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 1000 })
    )
  return { running, noted, until }
})

describe.skipIf(!hasTerminals)("signalbox login in a terminal", () => {
  for (const [when, hang] of [
    ["before", 2],
    ["after", 3]
  ] as const)
    it.live(`is given up by a Ctrl-C ${when} the agent's program has the terminal`, () =>
      Effect.gen(function* () {
        const { noted, running, until } = yield* signingIn({ hang, ways: [inTerminal] })
        yield* until(() => noted("starts").length === hang)
        running.stdin.write("\u0003")
        assert.strictEqual((yield* running.ended).code, 3)
      }).pipe(Effect.scoped)
    )

  it.live("is given up by Ctrl-C where a way that needed the terminal needs it no longer", () =>
    Effect.gen(function* () {
      const { running } = yield* signingIn({ ways: [inTerminal, byItself] })
      yield* running.says(/Signing in: In a browser/)
      running.stdin.write("\u0003")
      assert.strictEqual((yield* running.ended).code, 3)
    }).pipe(Effect.scoped)
  )

  it.live("leaves nothing running that the program has started", () =>
    Effect.gen(function* () {
      const login = `setsid sh -c 'echo $$ > pids; exec sleep 600' & until [ -s pids ]; do sleep 0.01; done`
      const { noted, running } = yield* signingIn({ ways: [inTerminal], login })
      yield* running.says(/Signed in to mine\./)
      yield* running.ended
      yield* groupEnds(Number(noted("pids")))
    }).pipe(Effect.scoped)
  )

  it.live("ends a program that does not want to, when it is told to end itself", () =>
    Effect.gen(function* () {
      const login = `trap "" TERM INT HUP; echo $$ > pids; exec sleep 600`
      const { noted, running, until } = yield* signingIn({ ways: [inTerminal], login })
      yield* until(() => noted("pids") !== "")
      // "script" hands the signal on by hanging up.
      running.kill("SIGTERM")
      yield* running.ended
      yield* until(() => !existsSync(`/proc/${noted("pids").trim()}`))
    }).pipe(Effect.scoped)
  )
})
