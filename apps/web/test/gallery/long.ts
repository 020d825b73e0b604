/** A long thread, and a message that grows, to measure by. */
import { ItemId, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { ItemView, ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { useEffect, useState } from "react"
import { start, tool, working } from "./thread.ts"

const samples = working.items.filter(({ type }) => type === "tool" || type === "message" || type === "thought")

/** `size` items in turns of 40. */
export const long = (size: number): ThreadView => {
  const turns: Array<TurnView> = []
  const items: Array<ItemView> = []
  for (let index = 0; index < size; index++) {
    const turnId = TurnId.make(`turn-${Math.floor(index / 40)}`)
    const at = start + index * 1000
    const place = { itemId: ItemId.make(`long-${index}`), turnId, at }
    if (index % 40 === 0) {
      turns.push({
        turnId,
        prompt: [{ type: "text", text: `Prompt ${index}` }],
        status: "completed",
        queuedAt: at,
        sentAt: at,
        endedAt: at + 39_000,
        stopReason: "end_turn"
      })
      items.push({ ...place, type: "prompt", prompt: [{ type: "text", text: `Prompt ${index}` }] })
      continue
    }
    const sample = samples[index % samples.length]
    if (sample) items.push({ ...sample, ...place })
  }
  const last = turns.at(-1)
  if (last) {
    const { endedAt: _, stopReason: __, ...running } = last
    turns[turns.length - 1] = { ...running, status: "working" }
  }
  return { ...working, threadId: ThreadId.make("thread-long"), plan: [], turns, items }
}

const words =
  "The `quick` brown fox, in **bold**, jumps over [the lazy dog](https://example.com).\n\n- one\n- two\n\n```ts\nconst a = 1\nconst b = 2\n```\n\n"

/** The view with one more message that grows by a few words every 50 ms. Now and then it gets a tool. */
export const useStream = (view: ThreadView, streaming: boolean): ThreadView => {
  const [step, setStep] = useState(0)
  useEffect(() => {
    if (!streaming) return
    const timer = setInterval(() => setStep((before) => before + 1), 50)
    return () => clearInterval(timer)
  }, [streaming])
  if (!streaming) return view
  const turnId = view.turns.at(-1)?.turnId
  const at = view.items.at(-1)?.at ?? start
  const message = (index: number, length: number, ended: boolean): ItemView => ({
    itemId: ItemId.make(`streamed-${index}`),
    ...(turnId && { turnId }),
    at,
    type: "message",
    text: words.repeat(Math.ceil(length / words.length) + 1).slice(0, length),
    content: [],
    ...(ended && { endedAt: at })
  })
  const added: Array<ItemView> = []
  for (let past = 0; past < Math.floor(step / 60); past++) {
    added.push(message(past, 1200, true))
    const call = tool(0, 10, { kind: "read", subject: { type: "file", path: "a.ts" } })
    added.push({
      itemId: ItemId.make(`streamed-tool-${past}`),
      ...(turnId && { turnId }),
      at,
      type: "tool",
      tool: call
    })
  }
  added.push(message(Math.floor(step / 60), (step % 60) * 20, false))
  return { ...view, items: [...view.items, ...added] }
}
