// A client of an MCP server by hand, as agents have one: over HTTP, or over the standard streams of a program. Revision 2025-11-25.
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"

const hello = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "bench", version: "1.0.0" }
}

const overHttp = ({ headers: given, url }) => {
  const headers = Object.fromEntries(given.map(({ name, value }) => [name, value]))
  let session = {}
  const post = async (message) => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...headers,
        ...session,
        "content-type": "application/json",
        accept: "application/json, text/event-stream"
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message })
    })
    const id = response.headers.get("mcp-session-id")
    if (id !== null) session = { "mcp-session-id": id, "mcp-protocol-version": hello.protocolVersion }
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text}`)
    if (text === "") return undefined
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream")
    const json = isStream
      ? text
          .split("\n")
          .findLast((line) => line.startsWith("data: {"))
          .slice(6)
      : text
    return JSON.parse(json)
  }
  return { ask: post, tell: post, end: () => {} }
}

const overProgram = ({ args, command, env }) => {
  const child = spawn(command, args, {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) }
  })
  const waiting = new Map()
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line)
    waiting.get(message.id)?.(message)
  })
  const write = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  return {
    ask: (message) => {
      write(message)
      return new Promise((done) => waiting.set(message.id, done))
    },
    tell: write,
    end: () => child.stdin.end()
  }
}

/** Connects to a server that a session of an agent has got. `call` resolves with the text of the result, and whether it is an error. */
export const connect = async (server) => {
  const { ask, end, tell } = "command" in server ? overProgram(server) : overHttp(server)
  let ids = 0
  await ask({ id: ++ids, method: "initialize", params: hello })
  await tell({ method: "notifications/initialized" })
  return {
    call: async (name, given) => {
      const { error, result } = await ask({ id: ++ids, method: "tools/call", params: { name, arguments: given } })
      if (error !== undefined) throw new Error(JSON.stringify(error))
      return { text: result.content[0].text, isError: result.isError === true }
    },
    end
  }
}
