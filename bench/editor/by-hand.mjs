// A suggestion by hand: an agent writes lines, a server passes each on over a WebSocket, and a page draws its text. Nothing is checked and
// nothing is kept. `node by-hand.mjs` serves the page; `node by-hand.mjs agent` is the agent.
import { spawn } from "node:child_process"
import { createServer } from "node:http"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { WebSocketServer } from "ws"

const apart = 250

const agent = () => {
  const range = { start: { line: 10_001, character: 9 }, end: { line: 10_001, character: 9 } }
  const uri = "file:///tmp/project/main.ts"
  let count = 0
  setInterval(() => {
    count += 1
    const text = `${count} = ${count}`
    const suggestions = [{ id: String(count), kind: "edit", uri, edits: [{ range, newText: text }] }]
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: count, result: { suggestions } })}\n`)
  }, apart)
}

const page = `<!doctype html><pre id="text"></pre><script type="module">
  new WebSocket("ws://" + location.host).addEventListener("message", ({ data }) => {
    const ghost = document.createElement("span")
    ghost.className = "cm-ghost"
    ghost.textContent = JSON.parse(data).result.suggestions[0].edits[0].newText
    document.querySelector("#text").replaceChildren(ghost)
  })
</script>`

const serve = () => {
  const server = createServer((_request, response) => response.end(page))
  const sockets = new WebSocketServer({ server })
  const program = [
    "--import",
    fileURLToPath(new URL("stamps.mjs", import.meta.url)),
    fileURLToPath(import.meta.url),
    "agent"
  ]
  sockets.on("connection", (socket) => {
    const child = spawn(process.execPath, program, { stdio: ["ignore", "pipe", "inherit"] })
    createInterface({ input: child.stdout }).on("line", (line) => socket.send(line))
    socket.on("close", () => child.kill())
  })
  server.listen(0, "127.0.0.1", () => console.log(`LISTENING ${server.address().port}`))
}

if (process.argv[2] === "agent") agent()
else serve()
