/** A WebSocket to the server that an extension opens for a view of its editor: frames go through it as they are. */
import type { FromView, ToView } from "@signalbox/contracts/HostMessage"
import type { WebSocketEvent, WebSocketLike } from "effect/socket/Socket"

type EventType = "open" | "message" | "error" | "close"
type Listener = (event: WebSocketEvent) => void

/** The states of a WebSocket, by their numbers in its interface. */
const connecting = 0
const open = 1
const closed = 3

/** What the extension says of one connection. */
export type TunnelNews = Extract<ToView, { readonly type: "connected" | "frame" | "disconnected" }>

export class TunnelSocket implements WebSocketLike {
  readonly connection: string
  readyState: number = connecting
  readonly #tell: (message: FromView) => void
  readonly #listeners = new Map<EventType, Set<Listener>>()

  /** `connection`: a name that is new. Messages to an earlier document of the view may still be on their way. */
  constructor(connection: string, tell: (message: FromView) => void) {
    this.connection = connection
    this.#tell = tell
    tell({ type: "connect", connection })
  }

  addEventListener(type: EventType, listener: Listener): void {
    const those = this.#listeners.get(type)
    if (those) those.add(listener)
    else this.#listeners.set(type, new Set([listener]))
  }

  removeEventListener(type: EventType, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener)
  }

  send(data: string | Uint8Array): void {
    if (this.readyState !== open) return
    if (typeof data !== "string") throw new TypeError("The calls of Signalbox are text, and this is not.")
    this.#tell({ type: "frame", connection: this.connection, data })
  }

  close(): void {
    if (this.readyState === closed) return
    this.readyState = closed
    this.#tell({ type: "disconnect", connection: this.connection })
  }

  take(news: TunnelNews): void {
    if (this.readyState === closed) return
    switch (news.type) {
      case "connected":
        this.readyState = open
        return this.#emit("open", {})
      case "frame":
        return this.#emit("message", { data: news.data })
      case "disconnected": {
        this.readyState = closed
        return this.#emit("close", { code: 1006, reason: "" })
      }
    }
  }

  #emit(type: EventType, event: WebSocketEvent): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event)
  }
}
