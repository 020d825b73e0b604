// The flood agent behind HTTP or a WebSocket, by hand and as cheaply as it goes: `node remote-agent.mjs` prints its port.
// One client at a time. What the agent wrote in one piece goes out in one piece.
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { createServer } from "node:http"
import { createInterface } from "node:readline"

const agent = spawn(process.execPath, [new URL("flood-agent.mjs", import.meta.url).pathname], {
  stdio: ["pipe", "pipe", "inherit"]
})
process.on("exit", () => agent.kill())

/** Hands on whole lines, as bytes; slows the agent down while `write` says so. */
const forward = (write, drained) => {
  let rest = Buffer.alloc(0)
  agent.stdout.on("data", (bytes) => {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    const end = all.lastIndexOf(10) + 1
    rest = all.subarray(end)
    if (end > 0 && !write(all.subarray(0, end))) {
      agent.stdout.pause()
      drained(() => agent.stdout.resume())
    }
  })
}

function* lines(bytes) {
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at)
    yield bytes.subarray(at, end)
    at = end + 1
  }
}

const server = createServer(async (request, response) => {
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders()
    streams.set(request.headers["acp-session-id"], response)
    return
  }
  const body = Buffer.concat(await Array.fromAsync(request)).toString()
  if (request.method === "POST") agent.stdin.write(`${body}\n`)
  if (!body.includes('"initialize"')) return response.writeHead(202).end()
  createInterface({ input: agent.stdout }).once("line", (line) => {
    agent.stdout.removeAllListeners("data")
    response.writeHead(200, { "content-type": "application/json", "acp-connection-id": "c" }).end(line)
    forward(event, (resume) => streams.get("flood-session-0001").once("drain", resume))
  })
})

const streams = new Map()
const data = Buffer.from("data: ")
const blank = Buffer.from("\n\n")
/** The answer to session/new goes by the stream of the connection, the rest by the session's. */
const event = (bytes) => {
  const stream = streams.get("flood-session-0001") ?? streams.get(undefined)
  return stream.write(Buffer.concat([...lines(bytes)].flatMap((line) => [data, line, blank])))
}

const frame = (line) => {
  const { length } = line
  if (length < 126) return [Buffer.from([0x81, length]), line]
  const header = Buffer.alloc(length < 65_536 ? 4 : 10)
  header[0] = 0x81
  header[1] = length < 65_536 ? 126 : 127
  if (length < 65_536) header.writeUInt16BE(length, 2)
  else header.writeBigUInt64BE(BigInt(length), 2)
  return [header, line]
}

/** Frames of a client are masked, and small here. */
const unmask = (bytes) => {
  const texts = []
  for (let at = 0; at < bytes.length;) {
    const short = bytes[at + 1] & 0x7f
    const mask = at + (short === 126 ? 4 : 2)
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short
    const text = bytes.subarray(mask + 4, mask + 4 + length).map((byte, i) => byte ^ bytes[mask + (i & 3)])
    if ((bytes[at] & 0x0f) === 8) process.exit()
    texts.push(`${text}\n`)
    at = mask + 4 + length
  }
  return texts
}

server.on("upgrade", (request, socket) => {
  const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
  const accept = createHash("sha1").update(key).digest("base64")
  socket.write(`HTTP/1.1 101 \r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`)
  socket.on("data", (bytes) => unmask(bytes).forEach((text) => agent.stdin.write(text)))
  forward(
    (bytes) => socket.write(Buffer.concat([...lines(bytes)].flatMap(frame))),
    (resume) => socket.once("drain", resume)
  )
})
server.listen(0, "127.0.0.1", () => console.log(server.address().port))
process.stdin.on("end", () => process.exit()).resume()
