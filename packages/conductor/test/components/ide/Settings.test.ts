import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Settings from "../../../src/components/ide-operations/Settings.ts"

describe("The arguments of the component for IDE operations", () => {
  it("are none by default, and switch what they name", () => {
    assert.deepStrictEqual(Result.getOrThrow(Settings.of([])), {
      definitions: [],
      findsKnown: true,
      reportsErrors: false
    })
    const { findsKnown, reportsErrors } = Result.getOrThrow(Settings.of(["--only-these-servers", "--report-errors"]))
    assert.deepStrictEqual([findsKnown, reportsErrors], [false, true])
  })

  it("name a language server by its program, and one that another program runs by its languages", () => {
    const servers = ["python=/opt/bin/pyright --stdio", 'ts,tsx=node "a b/server.js"', "go=uvx gopls"]
    const { definitions } = Result.getOrThrow(Settings.of(servers.flatMap((server) => ["--server", server])))
    assert.deepStrictEqual(
      definitions.map(({ args, command, languages, name }) => [name, command, args, languages]),
      [
        ["pyright", "/opt/bin/pyright", ["--stdio"], ["python"]],
        ["ts, tsx server", "node", ["a b/server.js"], ["ts", "tsx"]],
        ["go server", "uvx", ["gopls"], ["go"]]
      ]
    )
    assert.strictEqual(new Set(definitions.map(({ id }) => id)).size, servers.length)
  })

  it("that are wrong are refused with the cause and the usage", () => {
    const many = Array.from({ length: 33 }, () => ["--server", "a=b"]).flat()
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [["--server", "pyright"], '--server "pyright" does not begin with a language and "="'],
      [["--server", "Py thon=x"], 'does not begin with a language and "="'],
      [["--server", 'python=a "b'], "can't be read: "],
      [["--server", "python="], "can't be read: "],
      [many, "It takes at most 32 language servers."],
      [["--servers"], "Unknown option '--servers'"]
    ]
    for (const [args, words] of cases) {
      const problem = Result.match(Settings.of(args), { onFailure: (one) => one, onSuccess: () => "none" })
      assert.include(problem, words)
      assert.include(problem, `Its arguments are: ${Settings.usage}`)
    }
  })
})
