/** Files and folders that `signalbox rules` can't use: each is named, with what is wrong, and nothing is taken for an answer. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assertReadable } from "./support/Runs.ts"
import { call, temporaryFolder } from "./support/Signalbox.ts"

const rules = (state: string, ...words: ReadonlyArray<string>) =>
  Effect.tap(call(["rules", ...words], { env: { SIGNALBOX_STATE_DIR: state } }), (ended) =>
    Effect.sync(() => assertReadable(ended))
  )

const reading = [["list"], ["test"], ["replay"], ["explain", "--command", "ls"]] as const

describe("signalbox rules", () => {
  it.live("refuses a folder that does not exist, and writes no rule for it", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const cwd = join(state, "missing")
      for (const words of [
        ["list"],
        ["check"],
        ["test"],
        ["trust"],
        ["explain", "--command", "ls"],
        ["add", "deny", "--command", "x", "--scope", "workspace"],
        ["add", "deny", "--command", "x", "--project"]
      ]) {
        const { code, stderr, stdout } = yield* rules(state, ...words, "--cwd", cwd)
        assert.deepStrictEqual([code, stdout], [2, ""], words.join(" "))
        assert.include(stderr, `--cwd: ${cwd} does not exist.`)
      }
      const { code } = yield* rules(state, "add", "deny", "--command", "x", "--scope", "workspace=")
      assert.strictEqual(code, 2)
      assert.isFalse(existsSync(join(state, "rules.json")))
    })
  )

  it.live("names a file of --rules that is missing, a folder, or a link that goes round in a circle", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const [missing, folder, circle] = [join(state, "missing"), join(state, "folder"), join(state, "circle")]
      mkdirSync(folder)
      symlinkSync(circle, circle)
      for (const words of reading)
        for (const [path, why, expected] of [
          [missing, "does not exist", 2],
          [folder, "it is a folder", 1],
          [circle, "its links go round in a circle", 1]
        ] as const) {
          const { code, stderr } = yield* rules(state, ...words, "--rules", path)
          assert.strictEqual(code, expected, `${words.join(" ")} ${path}`)
          assert.include(stderr, path)
          assert.include(stderr, why)
          assert.notInclude(stderr, "No rule has examples")
        }
    })
  )

  it.live("ends for a pipe to which nobody writes, and reads one that has a writer", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const pipe = join(state, "pipe")
      execFileSync("mkfifo", [pipe])
      const commands = [
        ["explain", "--request", pipe],
        ["check", pipe]
      ] as const
      const silent = yield* Effect.forEach(commands, (words) => rules(state, ...words), { concurrency: 2 })
      assert.deepStrictEqual(
        silent.map(({ code }) => code),
        [2, 1]
      )
      for (const { stderr } of silent) assert.include(stderr, "it is a pipe to which nobody writes")
      const file = join(state, "request.json")
      writeFileSync(file, '{"command":"rm x"}')
      execFileSync("sh", ["-c", 'cat "$1" > "$2" &', "sh", file, pipe], { stdio: "ignore" })
      const { stdout } = yield* rules(state, "explain", "--json", "--request", pipe)
      assert.include(stdout, "No rule matches rm x.")
    })
  )

  it.live("names the file of a request that it can't read", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const missing = join(state, "missing")
      for (const [path, why] of [
        [state, "it is a folder"],
        [missing, "it does not exist"]
      ] as const) {
        const { code, stderr } = yield* rules(state, "explain", "--request", path)
        assert.strictEqual(code, 2)
        assert.include(stderr, `--request: ${path}: ${why}.`)
      }
    })
  )
})
