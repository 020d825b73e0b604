/** An agent that runs elsewhere: one of this machine behind a WebSocket, a message a frame, a process for each connection. */
import * as NodeWS from "@effect/platform-node/NodeWS"
import * as Effect from "effect/Effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import { createInterface } from "node:readline"

export interface FarAgent {
  /** `ws:`, of this machine. */
  readonly url: string
  /** The authorization of each connection, in their order. */
  readonly authorizations: ReadonlyArray<string | undefined>
  /** Breaks all connections off, as a lost network does. */
  readonly breakOff: () => void
  /** Ends all connections in order, with this code. */
  readonly close: (code: number, reason: string) => void
}

/** Closing the scope ends it, with its processes. Connections without the credentials are refused. */
export const serve = Effect.fnUntraced(function* (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  credentials?: string
) {
  const sockets = new Set<NodeWS.WebSocket>()
  const children = new Set<ChildProcess>()
  const authorizations: Array<string | undefined> = []
  const wss = new NodeWS.WebSocketServer({ noServer: true })
  const server = createServer((_, response) => void response.writeHead(404).end("Nothing here."))
  server.on("upgrade", (request, socket, head) => {
    const { authorization } = request.headers
    authorizations.push(authorization)
    if (credentials !== undefined && authorization !== credentials) {
      socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
      return
    }
    wss.handleUpgrade(request, socket, head, (accepted) => {
      sockets.add(accepted)
      const child = spawn(process.execPath, args, {
        env: { ...process.env, ...env },
        stdio: ["pipe", "pipe", "ignore"]
      })
      children.add(child)
      createInterface({ input: child.stdout }).on("line", (line) => accepted.send(line))
      child.on("exit", () => accepted.close(1000))
      accepted.on("message", (data) => child.stdin.write(`${Buffer.isBuffer(data) ? data.toString("utf8") : ""}\n`))
      accepted.on("close", () => child.kill("SIGKILL"))
    })
  })
  yield* Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening"))
  yield* Effect.addFinalizer(() =>
    Effect.promise(async () => {
      for (const child of children) child.kill("SIGKILL")
      for (const socket of sockets) socket.terminate()
      server.close()
      await once(server, "close")
    })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `ws://127.0.0.1:${port}/acp`,
    authorizations,
    breakOff: () => sockets.forEach((socket) => socket.terminate()),
    close: (code, reason) => sockets.forEach((socket) => socket.close(code, reason))
  } satisfies FarAgent
})
