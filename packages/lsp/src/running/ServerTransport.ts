/** The bytes to and from a server that connects to us, instead of using its standard streams. */
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type Server, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Bytes } from "../FramedTransport.ts"

export interface Listening {
  /** The argument that names the address to the server. */
  readonly argument: string
  /** The bytes, as soon as the server has connected. Nobody else is let in after it. */
  readonly connected: Effect.Effect<Bytes<unknown>>
}

const listening = (
  server: Server,
  where: { readonly path: string } | { readonly port: number; readonly host: string }
) =>
  Effect.callback<void>((resume) => {
    server.once("error", (error) => resume(Effect.die(error)))
    server.listen(where, () => resume(Effect.void))
  })

/** A folder that only this user can open. */
const privateFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "signalbox-lsp-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const bytesOf = (socket: Socket): Bytes<unknown> => ({
  input: NodeStream.fromReadable<Uint8Array, unknown>({ evaluate: () => socket, onError: (error) => error }),
  output: NodeSink.fromWritable<unknown, Uint8Array>({ evaluate: () => socket, onError: (error) => error })
})

/** Listens on a socket in a private folder, or on a port of the loopback interface. The scope ends it and its connection. */
export const listen = Effect.fnUntraced(function* (
  transport: "pipe" | "tcp"
): Effect.fn.Return<Listening, never, Scope.Scope> {
  const first = yield* Deferred.make<Socket>()
  let taken: Socket | undefined
  const server = createServer((socket) => {
    if (taken !== undefined) return void socket.destroy()
    taken = socket
    // Readers and writers get its errors.
    socket.on("error", () => {})
    // Node keeps what comes for who reads later.
    socket.pause()
    Deferred.doneUnsafe(first, Exit.succeed(socket))
    server.close()
  })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.close()
      taken?.destroy()
    })
  )
  const connected = Effect.map(Deferred.await(first), bytesOf)
  if (transport === "pipe") {
    const path = join(yield* privateFolder, "lsp.sock")
    yield* listening(server, { path })
    return { argument: `--pipe=${path}`, connected }
  }
  yield* listening(server, { port: 0, host: "127.0.0.1" })
  const address = server.address()
  const port = address !== null && typeof address === "object" ? address.port : 0
  return { argument: `--socket=${port}`, connected }
})
