// Signalbox as an agent of an editor: a server of its own with the flood agent, and `signalbox acp` in front of it, which has this process's
// input and output.
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { file, start } from "../processes.mjs"

const signalbox = "../apps/server/dist/bin.js"
const folder = mkdtempSync(join(tmpdir(), "bench-acp-"))
const agents = { flood: { name: "Flood", command: process.execPath, args: [file("flood-agent.mjs")] } }
writeFileSync(join(folder, "settings.json"), JSON.stringify({ agents }), { mode: 0o600 })
const server = start(signalbox, ["serve", "--port", "0", "--state-dir", folder])
try {
  await server.line(/http:\S+\/#token=\S+/)
  const args = [file(signalbox), "acp", "--provider", "flood", "--state-dir", folder]
  const acp = spawn(process.execPath, args, { stdio: "inherit" })
  await new Promise((done) => acp.on("exit", done))
  console.error("RESULT {}")
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
