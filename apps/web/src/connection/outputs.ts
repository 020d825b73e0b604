/** The long texts of tool calls, read when somebody wants to see them. */
import type { ItemId, ThreadId } from "@signalbox/contracts/Ids"
import type { LongText } from "@signalbox/contracts/ToolCall"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { makeKeptTexts } from "./keptTexts.ts"
import { clientAfter } from "./link.ts"

export interface TextAddress {
  readonly threadId: ThreadId
  readonly itemId: ItemId
  readonly long: LongText
}

const kept = makeKeptTexts(32_000_000)

/** A text is known by what it is made of: it is another one when it has grown or changed. */
export const keyOf = ({ itemId, long, threadId }: TextAddress): string =>
  [threadId, itemId, long.part, ...long.chunks].join("\n")

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
      kept.put(keyOf(address), text)
      return text
    }),
    { ...(signal && { signal }) }
  )
}
