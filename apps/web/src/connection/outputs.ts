/** The long texts of tool calls, read when somebody wants to see them. */
import type { ItemId, ThreadId } from "@signalbox/contracts/Ids"
import type { LongText } from "@signalbox/contracts/ToolCall"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { clientAfter } from "./link.ts"

export interface TextAddress {
  readonly threadId: ThreadId
  readonly itemId: ItemId
  readonly long: LongText
}

/** Texts that were read last, so that opening one again costs nothing; together at most so many UTF-16 units. */
const keptUnits = 32_000_000
const kept = new Map<string, string>()

/** A text is known by what it is made of: it is another one when it has grown. */
export const keyOf = ({ itemId, long, threadId }: TextAddress): string =>
  [threadId, itemId, long.part, long.length, long.chunks.at(-1) ?? ""].join("\n")

const keep = (key: string, text: string): void => {
  kept.set(key, text)
  let units = 0
  for (const [other, { length }] of [...kept].reverse()) {
    units += length
    if (units > keptUnits && other !== key) kept.delete(other)
  }
}

export const keptText = (address: TextAddress): string | undefined => kept.get(keyOf(address))

/** Reads the whole text; `onProgress` hears how many units there are. Rejects when the text is gone or the connection is lost. */
export const readText = (
  address: TextAddress,
  signal?: AbortSignal,
  onProgress?: (units: number) => void
): Promise<string> => {
  const { itemId, long, threadId } = address
  const known = keptText(address)
  if (known !== undefined) return Promise.resolve(known)
  return Effect.runPromise(
    Effect.gen(function* () {
      const client = yield* clientAfter()
      const pieces: Array<string> = []
      let units = 0
      yield* Stream.runForEach(client.readOutput({ threadId, itemId, part: long.part }), (piece) =>
        Effect.sync(() => {
          pieces.push(piece)
          units += piece.length
          onProgress?.(units)
        })
      )
      const text = pieces.join("")
      keep(keyOf(address), text)
      return text
    }),
    { ...(signal && { signal }) }
  )
}
