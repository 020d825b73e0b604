/** Events that stream a text: its pieces, and its end. */
import type { RuntimeEventOf } from "./ProviderRuntimeEvent.ts"
import type { ThreadEvent } from "./ThreadEvent.ts"

export type TextPiece = RuntimeEventOf<"message.delta"> | RuntimeEventOf<"thought.delta">
export type TextEnd = RuntimeEventOf<"message.completed"> | RuntimeEventOf<"thought.completed">

export const isTextPiece = (event: ThreadEvent): event is TextPiece =>
  event.type === "message.delta" || event.type === "thought.delta"

export const isTextEnd = (event: ThreadEvent): event is TextEnd =>
  event.type === "message.completed" || event.type === "thought.completed"
