/** A WebSocket to the server for one view. Its frames pass through here as they are: the view speaks, the server answers. */
import { type RawData, WebSocket } from "ws"

export interface Tunnel {
  readonly send: (frame: string) => void
  /** Closes the way. Nothing comes out of it afterwards. */
  readonly close: () => void
}

export interface Ends {
  readonly onOpen: () => void
  /** Resolves when the view has taken the frame. */
  readonly onFrame: (frame: string) => PromiseLike<unknown>
  /** `reason`: why it ended or could not be opened, as far as that is known. */
  readonly onClosed: (reason: string | undefined) => void
}

/** Characters on their way to the view at which the server is asked to wait. */
const mostAhead = 4_000_000
/** Characters on their way to the view at which the server may go on. */
const goOnAt = 1_000_000

/** Opens the way. `headers` let it in. */
export const open = (url: string, headers: Readonly<Record<string, string>>, ends: Ends): Tunnel => {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false, maxPayload: 256 * 1024 * 1024 })
  let ahead = 0
  let isOver = false
  let reason: string | undefined
  const taken = (length: number): void => {
    ahead -= length
    if (socket.isPaused && ahead <= goOnAt) socket.resume()
  }
  const passOn = async (frame: string): Promise<void> => {
    try {
      await ends.onFrame(frame)
    } catch {
      // The view is gone, which is heard of in another way.
    }
    taken(frame.length)
  }
  socket.on("open", () => isOver || ends.onOpen())
  socket.on("message", (data) => {
    if (isOver) return
    const frame = textOf(data)
    ahead += frame.length
    if (ahead > mostAhead) socket.pause()
    void passOn(frame)
  })
  socket.on("error", ({ message }) => (reason = message))
  socket.on("close", () => {
    if (isOver) return
    isOver = true
    ends.onClosed(reason)
  })
  return {
    send: (frame) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(frame)
    },
    close: () => {
      if (isOver) return
      isOver = true
      // What was sent last goes out first. A server that does not answer is left after a second.
      const late = setTimeout(() => socket.terminate(), 1000)
      socket.once("close", () => clearTimeout(late))
      socket.close()
    }
  }
}

/** The server writes text in one piece, whatever shapes the library can give it. */
const textOf = (data: RawData): string => {
  if (Array.isArray(data)) return Buffer.concat(data).toString()
  return data instanceof ArrayBuffer ? Buffer.from(data).toString() : data.toString()
}
