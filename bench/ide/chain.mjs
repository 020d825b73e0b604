// The real conductor with ide-operations before the agent that measures, and this process as their client.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { file, root } from "../processes.mjs"

/** `argument`: the language server, as the component takes it. Returns what the agent says of a prompt, parsed. */
export const run = async ({ argument, cwd, state, task, transport }) => {
  const component = `ide-operations --server '${argument}' --only-these-servers`
  const child = spawn(
    process.execPath,
    [
      join(root, "apps/server/dist/bin.js"),
      "conductor",
      "agent",
      "--component",
      component,
      "--",
      process.execPath,
      file("ide/agent.mjs"),
      transport
    ],
    { stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, SIGNALBOX_STATE_DIR: state } }
  )
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text))
  const waiting = new Map()
  let said = ""
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { error, id, method, params, result } = JSON.parse(line)
    if (method === "session/update") said += params.update.content?.text ?? ""
    else if (method === undefined) waiting.get(id)?.(result ?? error)
  })
  let ids = 0
  const ask = (method, params) => {
    const id = ++ids
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
    return new Promise((done) => waiting.set(id, done))
  }
  const exited = new Promise((done) => child.on("exit", done))
  const worked = async () => {
    await ask("initialize", { protocolVersion: 1, clientCapabilities: {} })
    await ask("session/new", { cwd, mcpServers: [] })
    await ask("session/prompt", { sessionId: "s", prompt: [{ type: "text", text: JSON.stringify(task) }] })
    const result = JSON.parse(said)
    if (result.failed !== undefined) throw new Error(`${result.failed}\n${stderr}`)
    return result
  }
  try {
    return await Promise.race([
      worked(),
      exited.then((code) => Promise.reject(new Error(`The conductor ended (${code}): ${stderr}`)))
    ])
  } finally {
    child.stdin.end()
    await exited
  }
}
