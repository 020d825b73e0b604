/** Debian's Neovim with `signalbox nes lsp` as its language server: code actions, as people take them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFile, execFileSync, spawnSync } from "node:child_process"
import { readFileSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import * as AcpCaller from "./support/AcpCaller.ts"
import { span } from "./support/LspWorkspace.ts"
import { groupLives, program, temporaryFolder } from "./support/Signalbox.ts"
import * as Suggester from "./support/Suggester.ts"

const isMissing = spawnSync("nvim", ["--version"]).status !== 0

/** With this set, a machine without Neovim fails; elsewhere these tests are skipped there. */
const isSkipped = isMissing && process.env["SIGNALBOX_REQUIRE_NEOVIM"] !== "1"

if (isSkipped) console.warn("The tests with Neovim are skipped: there is no nvim. Debian's package is neovim.")

const script = fileURLToPath(new URL("support/suggestions.lua", import.meta.url))

interface Step {
  /** What is typed in normal mode at a place: the line from 1, the column in bytes from 0. */
  readonly keys: string
  readonly line: number
  readonly column: number
}

interface Result {
  readonly lines?: ReadonlyArray<string>
  readonly titles: ReadonlyArray<string>
  readonly problem?: string
}

interface Given {
  readonly folder: string
  readonly file: string
  readonly agent: string
  readonly env?: Readonly<Record<string, string>>
  readonly steps: ReadonlyArray<Step>
}

const workspace = (text: string) => {
  const folder = realpathSync(temporaryFolder("neovim"))
  execFileSync("git", ["init", "-q"], { cwd: folder })
  const file = join(folder, "a.ts")
  writeFileSync(file, text)
  return { folder, file, uri: pathToFileURL(file).href }
}

/** Runs Neovim to its end, with folders of its own for what it keeps. */
const neovim = ({ agent, env, file, folder, steps }: Given) =>
  Effect.promise(async (): Promise<Result> => {
    const own = temporaryFolder("neovim-own")
    const result = join(own, "result.json")
    const cmd = [process.execPath, program, "nes", "lsp", "--agent", agent]
    await promisify(execFile)("nvim", ["--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", script], {
      cwd: folder,
      env: {
        ...process.env,
        ...env,
        HOME: own,
        XDG_CONFIG_HOME: own,
        XDG_DATA_HOME: own,
        XDG_STATE_HOME: own,
        XDG_CACHE_HOME: own,
        XDG_RUNTIME_DIR: own,
        SIGNALBOX_STATE_DIR: join(own, "state"),
        NEOVIM: JSON.stringify({ cmd, folder, file, steps, result })
      }
    })
    return JSON.parse(readFileSync(result, "utf8"))
  })

describe.skipIf(isSkipped)("Neovim", () => {
  it.live("applies edits by code actions, and the agent hears of each", () =>
    Effect.gen(function* () {
      const { file, folder, uri } = workspace("const é🚦 = 1\nlog(é🚦)\n\n")
      const agent = Suggester.make({
        answers: [
          [
            {
              kind: "edit",
              id: "both",
              uri,
              edits: [
                { range: span(0, 6, 9), newText: "lamp" },
                { range: span(1, 4, 7), newText: "lamp" }
              ]
            }
          ],
          [{ kind: "edit", id: "line", uri, edits: [{ range: span(2, 3, 3), newText: "(🚦)\nend" }] }]
        ]
      })
      const steps = [
        { line: 3, column: 0, keys: "Alog" },
        { line: 3, column: 2, keys: "l" }
      ]
      const result = yield* neovim({ folder, file, steps, agent: agent.line, env: agent.env })
      assert.deepStrictEqual(result, {
        lines: ["const lamp = 1", "log(lamp)", "log(🚦)", "end"],
        titles: ["Replace “é🚦” by “lamp” on line 1, and 1 more", "Insert “(🚦) end” on line 3"]
      })
      assert.strictEqual(agent.textOf(uri), "const lamp = 1\nlog(lamp)\nlog(🚦)\nend\n")
      assert.deepStrictEqual(agent.ends(), [["nes/accept", "both"], ["nes/accept", "line"], ["nes/close"]])
      assert.deepStrictEqual(agent.pids().filter(groupLives), [])
    })
  )

  it.live("carries a rename on with the reference agent", () =>
    Effect.gen(function* () {
      const { file, folder } = workspace("const total = 1\nlog(total)\nlog(total + 1)\n")
      const steps = [{ line: 1, column: 6, keys: "cwsum" }]
      const { lines } = yield* neovim({ folder, file, steps, agent: AcpCaller.line("nes") })
      assert.deepStrictEqual(lines, ["const sum = 1", "log(sum)", "log(sum + 1)"])
    })
  )
})
