import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as OrdinaryUser from "./support/OrdinaryUser.ts"
import { assertReadable, simulated } from "./support/Runs.ts"
import { call, type Options, temporaryFolder } from "./support/Signalbox.ts"
import { fakeCursor, script, systemFolders } from "../provider/drivers/support/Programs.ts"

/** Each of these command lines ends with code 2 and says these words. */
const assertUsageErrors = Effect.fnUntraced(function* (cases: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]>) {
  const ends = yield* Effect.forEach(cases, ([, args]) => call(args), { concurrency: 2 })
  for (const [index, ended] of ends.entries()) {
    const [words, args] = cases[index]!
    assert.strictEqual(ended.code, 2, `${args.join(" ")}\n${ended.stderr}`)
    assert.match(ended.stderr, words)
    assert.strictEqual(ended.stdout, "")
    assertReadable(ended)
  }
})

describe("bad input to signalbox run", () => {
  it.live("calls a wrong command line a usage error, and names what would be right", () =>
    assertUsageErrors([
      [/prompt/, ["run"]],
      [/Unrecognized flag|nonsense/, ["run", "--nonsense", "x"]],
      [/"rules" \| "ask" \| "allow" \| "reject"/, ["run", "--approve", "always", "x"]],
      [/cursor-simulated[\s\S]*eliza/, ["run", "--provider", "nobody", "x"]],
      [/one of them/, ["run", "--provider", "eliza", "--agent", "x", "x"]],
      [/never closed/, ["run", "--agent", "'x", "x"]],
      [/does not exist/, ["run", "--cwd", "/no/such/folder", "x"]],
      [/ID=VALUE/, ["run", "--set", "fast", "x"]],
      [/greater than 0/, ["run", "--timeout", "0", "x"]],
      [/--tape/, ["run", "--tape", "/no/such/folder/tape", "x"]],
      [/Standard input was empty/, ["run", "-"]],
      [/other machines/, ["serve", "--host", "0.0.0.0"]],
      [/Unknown subcommand/, ["nonsense"]]
    ])
  )

  it.live("calls a setting that the session does not offer a usage error, and names what it offers", () =>
    assertUsageErrors([
      [/is not offered[\s\S]*plan/, simulated("x", "--mode", "nonsense")],
      [/is not offered/, simulated("x", "--model", "nonsense")],
      [/not a setting[\s\S]*mode/, simulated("x", "--set", "nonsense=1")],
      [
        /effort: "nonsense" is not offered[\s\S]*high/,
        simulated("x", "--model", "claude-opus-5", "--set", "effort=nonsense")
      ]
    ])
  )

  it.live("names the program that is not Cursor's, the Cursor that is too old, and the file that is broken", () =>
    Effect.gen(function* () {
      const wrong = temporaryFolder("wrong")
      script(wrong, "cursor-agent", 'echo "grok-cli 1.2.3"')
      const old = temporaryFolder("old")
      fakeCursor(old, "cursor-agent", "2025.12.01-abcdef0")
      const broken = temporaryFolder("project")
      mkdirSync(join(broken, ".cursor"))
      writeFileSync(join(broken, ".cursor", "cli.json"), '{"nonsense":true}')
      const withCursor = (folder: string) => ({ env: { PATH: `${folder}:${systemFolders}` } })
      const cases: ReadonlyArray<readonly [ReadonlyArray<RegExp>, ReadonlyArray<string>, Options]> = [
        [
          [
            /^error: The program cursor-agent isn't Cursor's\./,
            /“grok-cli 1\.2\.3”/,
            /Next: Install .*cursor\.com\/install/
          ],
          ["run", "hello"],
          withCursor(wrong)
        ],
        [
          [/^error: This Cursor is too old\./, /2025\.12\.01-abcdef0/, /Next: Update .*: cursor-agent update$/m],
          ["run", "hello"],
          withCursor(old)
        ],
        [
          [
            /^error: Cursor refuses its configuration\./,
            /Unrecognized key.*nonsense/,
            new RegExp(`Path: ${broken}/\\.cursor/cli\\.json`),
            /Next: Correct the file: .*cli\.json$/m
          ],
          simulated("hello"),
          { cwd: broken }
        ],
        [
          [
            /^error: Cursor \(simulated\) could not resume session gone\./,
            /“.*not found.*”/,
            /Next: .*without --resume/
          ],
          simulated("hello", "--resume", "gone"),
          {}
        ]
      ]
      const ends = yield* Effect.forEach(cases, ([, args, options]) => call(args, options), { concurrency: 2 })
      for (const [index, ended] of ends.entries()) {
        assert.strictEqual(ended.code, 1, ended.stderr)
        for (const words of cases[index]![0]) assert.match(ended.stderr, words)
        assert.notMatch(ended.stderr, /Check again|binaryPath|session: /)
        assert.strictEqual(ended.stdout, "")
        assertReadable(ended)
      }
    })
  )

  it.live("shows what a program wrote that does not speak the protocol", () =>
    Effect.gen(function* () {
      const ended = yield* call(["run", "--agent", "sh -c 'echo usage: foo; exit 3'", "hello"])
      assert.strictEqual(ended.code, 1)
      assert.match(
        ended.stderr,
        /Exit code: 3\n {2}Last on stdout, not the protocol:\n {4}\| usage: foo\n {2}Next: Make sure/
      )
    })
  )

  it.live.skipIf(!OrdinaryUser.exists)("says that a folder may not be entered, and what is behind it not be seen", () =>
    Effect.gen(function* () {
      const closed = temporaryFolder("closed")
      chmodSync(closed, 0o000)
      const state = temporaryFolder("state")
      OrdinaryUser.give(state)
      const options = { cwd: "/", env: { SIGNALBOX_STATE_DIR: state }, within: OrdinaryUser.within }
      const [folder, behind] = yield* Effect.forEach([closed, join(closed, "project")], (cwd) =>
        call(["run", "--provider", "eliza", "--cwd", cwd, "hello"], options)
      )
      assert.strictEqual(folder!.code, 1, folder!.stderr)
      assert.match(folder!.stderr, /may not be read by this user[\s\S]*Next: Name another folder with --cwd/)
      assert.strictEqual(behind!.code, 2, behind!.stderr)
      assert.match(behind!.stderr, /cannot be reached/)
    })
  )
})
