// How long it takes from a command to the first words of its agent: a bare client's process, and `signalbox run`.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { file, root } from "./processes.mjs"

const flood = file("flood-agent.mjs")

/** Milliseconds until the command's output holds `sign`. The command is waited for. */
const until = async (sign, args) => {
  const folder = mkdtempSync(join(tmpdir(), "bench-first-"))
  const from = performance.now()
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] })
  const exited = once(child, "exit")
  let [text, said, wallMs] = ["", "", undefined]
  child.stderr.setEncoding("utf8").on("data", (chunk) => (said += chunk))
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    text += chunk
    if (text.includes(sign)) wallMs ??= performance.now() - from
  })
  await exited
  rmSync(folder, { recursive: true, force: true })
  if (wallMs === undefined) throw new Error(`${args.join(" ")} ended without ${sign}:\n${text}\n${said}`)
  return { wallMs }
}

export const firstBare = () => until("session/update", [file("clients/first.mjs"), flood])

const signalbox = (entry) =>
  until('"message.delta"', [
    join(root, ...entry),
    "run",
    "--json",
    "--agent",
    `${process.execPath} ${flood}`,
    "deltas 1"
  ])

/** Starts it as people do: through the launcher, which runs the bundle once that is built. */
export const firstLaunched = () => signalbox(["bin", "signalbox.cjs"])
export const firstFromSources = () => signalbox(["apps", "server", "src", "bin.ts"])
