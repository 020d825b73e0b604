/**
 * Generated lines that read files, over real folders and links. A real shell runs them. What it prints was judged: each file holds its own path.
 * Another seed plays other lines: `SIGNALBOX_PATH_SEED=7 SIGNALBOX_PATH_LINES=100000`.
 */
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import * as Judging from "../../src/rules/Judging.ts"
import { Choices, randomly } from "../../../../packages/permission/test/shell/Choices.ts"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

const seed = Number(process.env["SIGNALBOX_PATH_SEED"] ?? 1)
const count = Number(process.env["SIGNALBOX_PATH_LINES"] ?? 1_500)

const top = realpathSync(temporaryFolder("paths"))
const project = join(top, "project")

/** Files, each with its own path in it, and links. */
const plant = () => {
  const files = [
    "in/a",
    "in/b c",
    "in/d/a",
    "in/d/é",
    "in/-n",
    "in/[x]",
    "in/q'q",
    "in/.h",
    "out/a",
    "out/d/secret",
    "secret",
    "in/A"
  ]
  for (const file of [...files.map((name) => `project/${name}`), "away/a", "away/in/a", "away/secret"]) {
    const path = join(top, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${path}\0`)
  }
  const links: ReadonlyArray<readonly [target: string, name: string]> = [
    ["../out", "in/l"],
    ["d", "in/m"],
    ["../../away", "in/n"],
    ["../../away/in", "in/r"],
    ["../secret", "in/s"],
    ["loop", "in/loop"],
    ["../in", "out/back"],
    ["missing", "in/dangling"],
    ["l/d/../a", "in/t"],
    [".", "in/here"],
    ["..", "in/up"]
  ]
  for (const [target, name] of links) symlinkSync(target, join(project, name))
}

const placed = (effect: PlacedRule["effect"], match: PlacedRule["match"], number: number): PlacedRule => ({
  effect,
  match,
  source: "user",
  file: "/rules.json",
  line: number,
  number,
  folder: undefined
})

const rules = [
  placed("allow", { command: "cat **", path: "${project}/in/**" }, 1),
  placed("allow", { command: "cd **", path: "${project}/**" }, 2),
  placed("deny", { path: "**/secret" }, 3)
]

const odd = ["a", "in", "l", "x", "b c", "secret", "A", "IN", "..", ".", ""]
const globs = ["*", "?", "[a-d]", "[!x]", "s*", "*t", "l*", ".*", "*e*", "[[]x]", "\\*", "[", "d*"]

/** A name as somebody may write it in a line. */
const written = (name: string, choices: Choices): string => {
  const quoted = `'${name.replaceAll("'", "'\\''")}'`
  const escaped = name.replaceAll(/[^\w./é-]/g, "\\$&")
  switch (choices.below(6)) {
    case 0:
      return quoted
    case 1:
      return `"${name}"`
    case 2:
      return `$'${name.replaceAll("'", "\\'")}'`
    default:
      return escaped
  }
}

/** Goes from folder to folder, mostly by names that are there, and notes how. */
const path = (choices: Choices, from: string): { readonly text: string; readonly folder: string } => {
  let text = ""
  let folder = from
  const start = choices.below(16)
  if (start === 0) text = `${(folder = project)}/`
  else if (start === 1) text = "./"
  else if (start === 2) [text, folder] = ["~/", top]
  else if (start === 3) text = "{.,in}/"
  for (let level = 0; level < 6; level += 1) {
    const there = existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder) : []
    if (there.length === 0) break
    const way = choices.below(12)
    const name = way === 0 ? choices.one(odd) : way === 1 && folder !== top ? ".." : choices.one(there)
    const isGlob = way === 2
    text += `${level === 0 ? "" : "/"}${isGlob ? choices.one(globs) : written(name, choices)}`
    const next = join(folder, name)
    folder = existsSync(next) ? realpathSync(next) : next
    if (!folder.startsWith(top)) folder = top
  }
  return { text: `${text}${choices.below(12) === 0 ? "/" : ""}` || "a", folder }
}

const line = (choices: Choices): string => {
  const begin = choices.below(3) === 0 ? "" : "cd in && "
  const at = begin === "" ? project : join(project, "in")
  const { folder, text } = path(choices, at)
  const deeper = existsSync(folder) && statSync(folder).isDirectory() ? folder : at
  switch (choices.below(9)) {
    case 0:
      return `${begin}cat < ${text}`
    case 1:
      return `${begin}cd ${text} && cat ${path(choices, deeper).text}`
    case 2:
      return `${begin}cd ${text}; cat ${path(choices, deeper).text}`
    case 3:
      return `${begin}(cd ${text}) && cat ${path(choices, at).text}`
    case 4:
      return `${begin}cd d && cd .. && cat ${path(choices, at).text}`
    case 5:
      return `${begin}cat -- ${text} ${path(choices, at).text}`
    default:
      return `${begin}cat ${text}`
  }
}

const driver = `for line do ( eval "$line" ) < /dev/null 2> /dev/null | head -c 4000; printf '\\1'; done`

/** The files that each line printed. */
const printed = async (shell: string, lines: ReadonlyArray<string>): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const child = spawn(shell, ["-c", driver, shell, ...lines], {
    cwd: project,
    env: { PATH: process.env["PATH"] ?? "", HOME: top },
    stdio: ["ignore", "pipe", "ignore"]
  })
  const chunks: Array<Buffer> = []
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
  await once(child, "close")
  return Buffer.concat(chunks)
    .toString()
    .split("\x01")
    .slice(0, -1)
    .map((text) => text.split("\0").filter((file) => file.startsWith(`${top}/`)))
}

const judged = (line: string) => Judging.command(rules, { agent: "cursor", cwd: project, own: [] }, line)

beforeAll(() => void vi.stubEnv("HOME", top))
afterAll(() => void vi.unstubAllEnvs())

describe("A path that a shell opens", () => {
  it.live.each(["bash", "dash"])(
    `was judged, for ${count} generated lines of %s (seed ${seed})`,
    (shell) =>
      Effect.gen(function* () {
        rmSync(project, { recursive: true, force: true })
        plant()
        const random = randomly(seed)
        const lines = Array.from({ length: shell === "bash" ? count : count / 3 }, () =>
          line(new Choices(Array.from({ length: 48 }, random)))
        ).map((text) => (shell === "dash" ? text.replaceAll("$'", "'") : text))
        let allowed = 0
        for (let from = 0; from < lines.length; from += 500) {
          const some = lines.slice(from, from + 500)
          const shown = yield* Effect.promise(() => printed(shell, some))
          assert.strictEqual(shown.length, some.length)
          for (const [index, text] of some.entries()) {
            const files = shown[index] ?? []
            if (files.length === 0) continue
            const { effect } = yield* judged(text)
            if (effect !== "allow") continue
            allowed += 1
            assert.deepStrictEqual(
              files.filter((file) => !file.startsWith(`${project}/in/`) || file.endsWith("/secret")),
              [],
              `seed ${seed}, ${shell}: ${JSON.stringify(text)}`
            )
          }
        }
        // Lines that ask prove nothing.
        assert.isAbove(allowed, lines.length / 30)
      }),
    { timeout: 300_000 }
  )

  it("is the one that the shell printed", async () => {
    rmSync(project, { recursive: true, force: true })
    plant()
    const [shown] = await printed("bash", ["cat in/t"])
    assert.deepStrictEqual(shown, [readFileSync(join(project, "in/t"), "utf8").slice(0, -1)])
  })
})
