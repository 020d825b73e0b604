/** WebSocket frames byte by byte, as no client library would send them. */
import * as Effect from "effect/Effect"
import { connect, type Socket } from "node:net"
import type { Reachable } from "../../cli/support/Conversation.ts"

export interface FrameShape {
  /** More frames of this message follow. */
  readonly open?: boolean
  readonly compressed?: boolean
  readonly unmasked?: boolean
  /** The length that its head says, where that is not the true one. */
  readonly says?: number
}

export const text = 1
export const continuation = 0
export const ping = 9

export const frame = (opcode: number, content: string | Buffer, shape: FrameShape = {}): Buffer => {
  const payload = Buffer.from(content)
  const length = shape.says ?? payload.length
  const mask = shape.unmasked ? 0 : 0x80
  const first = (shape.open ? 0 : 0x80) | (shape.compressed ? 0x40 : 0) | opcode
  const head = length < 126 ? Buffer.from([first, mask | length]) : longHead(first, mask, length)
  // A mask of zeros changes nothing.
  return Buffer.concat([head, Buffer.alloc(shape.unmasked ? 0 : 4), payload])
}

const longHead = (first: number, mask: number, length: number): Buffer => {
  const head = Buffer.alloc(10)
  head.writeUInt8(first, 0)
  head.writeUInt8(mask | 127, 1)
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}

/** A call of the RPC protocol: one line. */
export const rpcCall = (id: string, tag: string, payload: unknown = null): string =>
  `${JSON.stringify({ _tag: "Request", id, tag, payload, headers: [] })}\n`

export interface RawConnection {
  readonly send: (...frames: ReadonlyArray<Buffer>) => void
  /** Completes when the server's bytes, as text, hold a match. */
  readonly hears: (pattern: RegExp) => Effect.Effect<string>
  /** Completes with the code of the frame by which the server ends the connection. */
  readonly closeCode: Effect.Effect<number>
  /** Completes when the connection is gone, however it ended. */
  readonly closed: Effect.Effect<void>
  /** Reads nothing any more. */
  readonly stopReading: () => void
  readonly end: () => void
}

/** Opens the WebSocket with the token; what is sent afterwards is sent as it is. Ends with the scope. */
export const open = ({ port, token }: Reachable) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly connection: RawConnection; readonly socket: Socket }>((resume) => {
      let received = Buffer.alloc(0)
      let gone = false
      const listeners = new Set<() => void>()
      const socket = connect(port, "127.0.0.1")
      const until = <A>(look: () => A | undefined): Effect.Effect<A> =>
        Effect.callback((done) => {
          const listener = () => {
            const found = look()
            if (found === undefined) return
            listeners.delete(listener)
            done(Effect.succeed(found))
          }
          listeners.add(listener)
          listener()
          return Effect.sync(() => listeners.delete(listener))
        })
      const connection: RawConnection = {
        send: (...frames) => frames.forEach((bytes) => socket.write(bytes)),
        hears: (pattern) => until(() => pattern.exec(received.toString("latin1"))?.[0]),
        closed: until(() => (gone ? true : undefined)).pipe(Effect.asVoid),
        closeCode: until(() => closeCodeIn(received)),
        stopReading: () => socket.pause(),
        end: () => socket.destroy()
      }
      let upgraded = false
      socket.on("data", (bytes) => {
        received = Buffer.concat([received, bytes])
        const headEnd = received.indexOf("\r\n\r\n")
        if (!upgraded && headEnd !== -1) {
          upgraded = true
          received = received.subarray(headEnd + 4)
          resume(Effect.succeed({ connection, socket }))
        }
        listeners.forEach((listener) => listener())
      })
      socket.on("close", () => {
        gone = true
        listeners.forEach((listener) => listener())
      })
      // The server may end a connection while more is being written to it.
      socket.on("error", () => socket.destroy())
      const lines = [
        "GET /rpc HTTP/1.1",
        `Host: 127.0.0.1:${port}`,
        `Authorization: Bearer ${token}`,
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Extensions: permessage-deflate",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
      ]
      socket.write(`${lines.join("\r\n")}\r\n\r\n`)
      return Effect.sync(() => socket.destroy())
    }),
    ({ socket }) => Effect.sync(() => socket.destroy()),
    { interruptible: true }
  ).pipe(Effect.map(({ connection }) => connection))

/** Frames of a server are not masked, and those before the closing one are short here. */
const closeCodeIn = (bytes: Buffer): number | undefined => {
  let at = 0
  while (at + 4 <= bytes.length) {
    const [first = 0, length = 0] = bytes.subarray(at, at + 2)
    if ((first & 15) === 8) return bytes.readUInt16BE(at + 2)
    if (length === 127) at += 10 + Number(bytes.readBigUInt64BE(at + 2))
    else if (length === 126) at += 4 + bytes.readUInt16BE(at + 2)
    else at += 2 + length
  }
  return undefined
}
