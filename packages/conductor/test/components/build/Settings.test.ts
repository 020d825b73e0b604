import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Settings from "../../../src/components/build/Settings.ts"

const problemOf = (...args: ReadonlyArray<string>): string =>
  Result.match(Settings.of(args), { onFailure: (problem) => problem, onSuccess: () => "none" })

describe("The arguments of the build component", () => {
  it("name commands, which are split into words as a shell does", () => {
    const settings = Settings.of([
      "--command",
      `build=npm run "build all"`,
      "--command",
      "unit-test=make A=1 test",
      "--timeout",
      "1.5"
    ])
    assert.deepStrictEqual(
      settings,
      Result.succeed({
        commands: [
          { name: "build", program: "npm", args: ["run", "build all"], line: `npm run "build all"` },
          { name: "unit-test", program: "make", args: ["A=1", "test"], line: "make A=1 test" }
        ],
        seconds: 1.5
      })
    )
  })

  it("that are wrong are refused with the cause and the usage", () => {
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [[], "It has no command to run."],
      [["--command", "npm test"], `--command "npm test" does not begin with a name and "=".`],
      [["--command", "=npm test"], `does not begin with a name and "=".`],
      [["--command", "Test=npm test"], `does not begin with a name and "=".`],
      [["--command", "a\u0000b=x"], `--command "a\\u0000b=x" does not begin`],
      [["--command", "test="], "The command of test can't be read: it is empty."],
      [["--command", "test=npm 'run"], "The command of test can't be read: the quote ' is never closed."],
      [["--command", "test=''"], "The command of test can't be read: the program has no name."],
      [["--command", "test=a", "--command", "test=b"], "Two commands have the name test."],
      [Array.from({ length: 33 }, (_, at) => ["--command", `c${at}=x`]).flat(), "It takes at most 32 commands."],
      [["--command", "t=x", "--timeout", "0"], "--timeout is a number of seconds above 0"],
      [["--command", "t=x", "--timeout", "1e9"], "--timeout is a number of seconds above 0"],
      [["--command", "t=x", "--timeout", "86401"], "at most 86400"],
      [["--command", "t=x", "--shell"], "Unknown option '--shell'"],
      [["--command", "t=x", "loose"], "Unexpected argument 'loose'"]
    ]
    for (const [args, words] of cases) {
      const problem = problemOf(...args)
      assert.include(problem, words)
      assert.include(problem, `Its arguments are: ${Settings.usage}`)
      assert.isBelow(problem.length, 400)
    }
  })
})
