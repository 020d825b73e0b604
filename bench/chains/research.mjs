// How soon a question about a package reaches a researcher: `node research.mjs AT_ONCE`. A conductor with package-sources before Eliza, and a
// package that lies in the project's node_modules. The time is our part: from the tool call that reaches the component to the session and the
// prompt that the agent gets for it. Beside it stands what the agent itself takes to open a session, which is in both.
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { report } from "../measure.mjs"
import { root } from "../processes.mjs"

const atOnce = Number(process.argv[2] ?? "1")
const folder = mkdtempSync(join(tmpdir(), "bench-research-"))
const project = join(folder, "project")
const trace = join(folder, "trace.jsonl")
for (let number = 0; number < atOnce; number++) {
  const home = join(project, "node_modules", `held-${number}`)
  mkdirSync(home, { recursive: true })
  writeFileSync(
    join(home, "package.json"),
    JSON.stringify({ name: `held-${number}`, version: "1.0.0", main: "index.js" })
  )
  writeFileSync(join(home, "index.js"), "export const held = 1\n")
}
const dependencies = Object.fromEntries(Array.from({ length: atOnce }, (_, number) => [`held-${number}`, "1.0.0"]))
writeFileSync(join(project, "package.json"), JSON.stringify({ name: "project", version: "1.0.0", dependencies }))

const conductor = spawn(
  process.execPath,
  [
    join(root, "apps/server/dist/bin.js"),
    "conductor",
    "agent",
    "--component",
    "package-sources",
    "--trace",
    trace,
    "--",
    process.execPath,
    join(root, "packages/stand-in-agents/src/eliza/main.ts")
  ],
  { stdio: ["pipe", "pipe", "ignore"], env: { ...process.env, SIGNALBOX_STATE_DIR: join(folder, "state") } }
)
const waiting = new Map()
createInterface({ input: conductor.stdout }).on("line", (line) => {
  const message = JSON.parse(line)
  if (message.method !== undefined && message.id !== undefined) {
    // The only thing that Eliza asks for.
    const result = { outcome: { outcome: "selected", optionId: message.params.options?.[0]?.optionId } }
    conductor.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, result })}\n`)
  } else waiting.get(message.id)?.(message.result ?? message.error)
})
let ids = 0
const ask = (method, params) => {
  const id = ++ids
  conductor.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
  return new Promise((resolve) => waiting.set(id, resolve))
}
/** The trace so far, an event each. A line that is being written is left out. */
const events = () =>
  readFileSync(trace, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line))

try {
  await ask("initialize", { protocolVersion: 1, clientCapabilities: {} })
  const sessions = []
  for (let number = 0; number < atOnce; number++)
    sessions.push((await ask("session/new", { cwd: project, mcpServers: [] })).sessionId)
  for (const [number, sessionId] of sessions.entries()) {
    const query = JSON.stringify({ ecosystem: "npm", package: `held-${number}`, prompt: "What does it hold?" })
    void ask("session/prompt", {
      sessionId,
      prompt: [{ type: "text", text: `Use tool rust-crate-query::package_query with ${query}` }]
    })
  }
  const prompts = () => events().filter(({ method, to }) => method === "session/prompt" && to === "Agent")
  const deadline = performance.now() + 30_000
  while (prompts().length < 2 * atOnce) {
    if (performance.now() > deadline)
      throw new Error(`No researcher was asked: ${readFileSync(trace, "utf8").slice(-2000)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const all = events()
  const calls = all.filter(({ method, type }) => method === "tools/call" && type === "request").map(({ ts }) => ts)
  const asked = prompts()
    .slice(atOnce)
    .map(({ ts }) => ts)
  const starts = asked.map((ts, at) => (ts - calls[at]) * 1000)
  const opened = all.filter(({ method, to }) => method === "session/new" && to === "Agent")
  const took = opened.map(({ id, ts }) => (all.find((one) => one.type === "response" && one.id === id).ts - ts) * 1000)
  report({
    queries: starts.length,
    sessionMs: Math.max(...took.slice(atOnce)),
    firstMs: Math.min(...starts),
    lastMs: Math.max(...starts)
  })
} finally {
  conductor.stdin.end()
  conductor.kill("SIGTERM")
  rmSync(folder, { recursive: true, force: true })
}
