/**
 * Records a tape of each script of the Cursor emulator, by `signalbox run`, for `tape/golden.test.ts`:
 *
 *     node apps/server/test/tape/record.ts [NAME …] && UPDATE_GOLDEN=1 npx vitest run --project server tape-golden
 *
 * Folders, times and process ids of this machine do not stay in it.
 */
import { isObject, type Json, type JsonObject, parseJson } from "@signalbox/stand-in-agents/Json"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inRepository } from "../../src/base/Installation.ts"

interface Recording {
  readonly prompt: string
  readonly approve?: "allow" | "reject"
}

/** The recordings, each named after the script below `stand-in-agents/src/cursor/scripts` that it plays. */
const recordings: Readonly<Record<string, Recording>> = {
  ask: { prompt: "[[fake:ask]] [[fake:ask multi]]" },
  consent: { prompt: '[[fake:shell cmd="rm notes.txt"]]', approve: "reject" },
  demo: { prompt: "[[fake:demo]]" },
  "failures-crash": { prompt: "[[fake:stream n=3]] [[fake:crash code=3]]" },
  "failures-error": { prompt: "[[fake:error]]" },
  "failures-rpcerror": { prompt: "[[fake:rpcerror]]" },
  files: {
    prompt: "[[fake:read notes.txt]] [[fake:newfile path=out.txt]] [[fake:edit notes.txt]] [[fake:delete out.txt]]"
  },
  image: { prompt: "[[fake:image]]" },
  mode: { prompt: "[[fake:mode plan]]" },
  network: { prompt: "[[fake:fetch https://example.com/]] [[fake:mcp docs lookup]]" },
  parallel: { prompt: "[[fake:parallel]]" },
  plan: { prompt: "[[fake:plan]]" },
  search: { prompt: "[[fake:grep hello]] [[fake:glob]]" },
  shell: { prompt: "[[fake:shell cmd=ls]]" },
  talk: { prompt: "[[fake:echo]] [[fake:stream n=20]]" },
  task: { prompt: "[[fake:task]] [[fake:task bg]]" },
  todos: { prompt: "[[fake:todos]]" }
}

const record = (name: string, { approve = "allow", prompt }: Recording): void => {
  const home = mkdtempSync(join(tmpdir(), "signalbox-record-"))
  const project = join(home, "project")
  const tape = join(home, "tape.ndjson")
  mkdirSync(project)
  writeFileSync(join(project, "notes.txt"), "hello\nworld\n")
  const bin = inRepository("apps", "server", "src", "bin.ts")
  const args = ["run", "--provider", "cursor-simulated", "--approve", approve, "--tape", tape, prompt]
  const { error } = spawnSync(process.execPath, [bin, ...args], {
    cwd: project,
    env: {
      ...process.env,
      HOME: home,
      SIGNALBOX_STATE_DIR: join(home, "state"),
      FAKE_CURSOR_TIME_SCALE: "0",
      FAKE_CURSOR_SEED: "1"
    },
    stdio: ["ignore", "ignore", "inherit"]
  })
  if (error !== undefined) throw error
  const lines = readFileSync(tape, "utf8").trimEnd()
  const anonymous = lines
    .replaceAll(home, "/home/ann")
    .replaceAll(inRepository("packages", "stand-in-agents", "bin"), "/home/ann/.local/bin")
    .split("\n")
  const began = atOf(anonymous[0])
  writeFileSync(
    join(import.meta.dirname, "tapes", `script-${name}.ndjson`),
    anonymous.map((line) => `${JSON.stringify(placed(line, began))}\n`).join("")
  )
  rmSync(home, { recursive: true, force: true })
}

const entryOf = (line: string | undefined): JsonObject => {
  const entry = line === undefined ? undefined : parseJson(line)
  if (!isObject(entry)) throw new Error(`This is no entry of a tape: ${line}`)
  return entry
}

const atOf = (line: string | undefined): number => Number(entryOf(line)["at"])

/** A line with a fixed start time, process and thread, so that recordings can be compared. */
const placed = (line: string, began: number): Json => {
  const entry = entryOf(line)
  const said = entry["line"]
  const start = isObject(said) && said["event"] === "start" ? { ...said, pid: 4711, threadId: "thread-1" } : said
  return { ...entry, at: 1_795_000_000_000 + Number(entry["at"]) - began, ...(start !== undefined && { line: start }) }
}

const wanted = process.argv.slice(2)
for (const [name, recording] of Object.entries(recordings))
  if (wanted.length === 0 || wanted.includes(name)) record(name, recording)
