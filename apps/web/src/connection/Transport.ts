/** How the page reaches its server: a browser by itself, a view of an editor through that editor. */
import type { WebSocketLike } from "effect/socket/Socket"

/** `unreachable`: no answer, or an answer of another server. */
export type Admission = "admitted" | "refused" | "unreachable"

export interface Transport {
  /** Opens a WebSocket to the server. One that can't be opened says so by its events. */
  readonly connect: () => WebSocketLike
  /** How long that may take, in milliseconds. */
  readonly patience: number
  /** Called before each attempt: shows the server what lets this page in. Resolves with undefined where there is nothing to show. */
  readonly enter: () => Promise<Admission | undefined>
  /** Whether the server knows this page. Asked after an attempt that failed, since WebSockets don't report why. */
  readonly admission: () => Promise<Admission>
  /** Calls `tryNow` whenever another attempt may succeed. */
  readonly onNews: (tryNow: () => void) => void
}
