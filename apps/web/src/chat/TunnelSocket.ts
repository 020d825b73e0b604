/** A WebSocket to the server that the extension has opened for this view: frames go through it as they are. */
import type { ToView } from "@signalbox/contracts/HostMessage"
import type { WebSocketEvent, WebSocketLike } from "effect/socket/Socket"
import { tell } from "./host.ts"

type EventType = "open" | "message" | "error" | "close"
type Listener = (event: WebSocketEvent) => void

/** The states of a WebSocket, by their numbers in its interface. */
const connecting = 0
const open = 1
const closed = 3

/** What the extension says of one connection. */
export type TunnelNews = Extract<ToView, { readonly type: "connected" | "frame" | "disconnected" }>

export class TunnelSocket implements WebSocketLike {
  /** No earlier document of this view has used it: what is still on its way to that one is nothing to this one. */
  readonly connection = crypto.randomUUID()
  readyState: number = connecting
  readonly #listeners = new Map<EventType, Set<Listener>>()

  constructor() {
    tell({ type: "connect", connection: this.connection })
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
    tell({
      type: "frame",
      connection: this.connection,
      data: typeof data === "string" ? data : new TextDecoder().decode(data)
    })
  }

  close(): void {
    if (this.readyState === closed) return
    this.readyState = closed
    tell({ type: "disconnect", connection: this.connection })
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
