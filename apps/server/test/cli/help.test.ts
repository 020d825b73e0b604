import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as CommandLine from "effect/process/CommandLine"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { fitted } from "../../src/cli/terminal/LineBreaks.ts"
import { call, hasTerminals, program } from "./support/Signalbox.ts"

/** What help says on a terminal of 60 columns. */
const onTerminal = (env: Readonly<Record<string, string>>) =>
  Effect.promise(async () => {
    const command = `stty cols 60; ${CommandLine.display([process.execPath, program, "threads", "prune", "--help"])}`
    const { NO_COLOR: _, ...inherited } = process.env
    const { stdout } = await promisify(execFile)("script", ["-qefc", command, "/dev/null"], {
      env: { ...inherited, ...env }
    })
    return stdout
  })

describe("help", () => {
  it("breaks between words, and goes on below where a description began", () => {
    const help = [
      "  Some words about it that do not fit.",
      "  -s, --short X    What it is, and a good deal more about it",
      "  --much-too-long-to-leave-room    Says something",
      "  short",
      "",
      "  \u001b[32m--colour\u001b[0m         In columns, not in characters of the escape"
    ].join("\n")
    assert.deepStrictEqual(fitted(help, 50).split("\n"), [
      "  Some words about it that do not fit.",
      "  -s, --short X    What it is, and a good deal",
      "                   more about it",
      "  --much-too-long-to-leave-room    Says something",
      "  short",
      "",
      "  \u001b[32m--colour\u001b[0m         In columns, not in characters",
      "                   of the escape"
    ])
    assert.deepStrictEqual(fitted(help, 35).split("\n").slice(0, 8), [
      "  Some words about it that do not",
      "  fit.",
      "  -s, --short X",
      "      What it is, and a good deal",
      "      more about it",
      "  --much-too-long-to-leave-room",
      "      Says something",
      "  short"
    ])
    assert.strictEqual(fitted(help, Number.POSITIVE_INFINITY), help)
  })

  it.live.skipIf(!hasTerminals)("fits the terminal, and has colours only where they are wanted", () =>
    Effect.gen(function* () {
      const [coloured, plain, piped] = yield* Effect.all([
        onTerminal({ TERM: "xterm" }),
        onTerminal({ TERM: "xterm", NO_COLOR: "1" }),
        Effect.map(call(["threads", "prune", "--help"]), ({ stdout }) => stdout)
      ])
      assert.include(coloured, "\u001b[")
      assert.notInclude(plain, "\u001b[")
      const lengths = plain.split("\r\n").map((line) => line.length)
      assert.isAtMost(Math.max(...lengths), 60)
      assert.isAbove(Math.max(...lengths), 50)
      assert.include(piped, "--older-than TIME")
      assert.notInclude(piped, "\u001b[")
    })
  )
})
