// A client of a language server by hand: frames with Content-Length over its standard streams, and JSON. It checks nothing.
import { spawn } from "node:child_process"
import { pathToFileURL } from "node:url"

/** Starts the server in a folder, and returns once it is initialized. */
export const connect = async ({ args, command, options }, cwd) => {
  const child = spawn(command, args, { cwd, stdio: ["pipe", "pipe", "ignore"] })
  const waiting = new Map()
  let rest = Buffer.alloc(0)
  let ids = 0
  const write = (message) => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const receive = ({ id, method, params, result }) => {
    if (method === undefined) return waiting.get(id)?.(result)
    if (id === undefined) return undefined
    return write({ id, result: method === "workspace/configuration" ? params.items.map(() => null) : null })
  }
  child.stdout.on("data", (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const end = rest.indexOf("\r\n\r\n")
      if (end < 0) return
      const length = Number(/content-length: *(\d+)/i.exec(rest.toString("latin1", 0, end))[1])
      if (rest.length < end + 4 + length) return
      const body = rest.toString("utf8", end + 4, end + 4 + length)
      rest = rest.subarray(end + 4 + length)
      receive(JSON.parse(body))
    }
  })
  const ask = (method, params) => {
    const id = ++ids
    write({ id, method, params })
    return new Promise((done) => waiting.set(id, done))
  }
  await ask("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(cwd).href,
    workspaceFolders: [{ uri: pathToFileURL(cwd).href, name: "project" }],
    capabilities: { textDocument: { definition: { linkSupport: true } } },
    initializationOptions: options
  })
  write({ method: "initialized", params: {} })
  return {
    open: (path, text) =>
      write({
        method: "textDocument/didOpen",
        params: { textDocument: { uri: pathToFileURL(path).href, languageId: "typescript", version: 1, text } }
      }),
    definition: (path, line, character) =>
      ask("textDocument/definition", {
        textDocument: { uri: pathToFileURL(path).href },
        position: { line, character }
      }),
    end: async () => {
      await ask("shutdown", undefined)
      write({ method: "exit" })
      await new Promise((done) => child.on("exit", done))
    }
  }
}
