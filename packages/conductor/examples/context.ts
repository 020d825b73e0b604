/** A component of its own: it puts the text of NOTES.md before the first prompt of each session. */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import type { MessageLink } from "@signalbox/acp/MessageLink"
import * as Effect from "effect/Effect"
import { readFile } from "node:fs/promises"
import { join } from "node:path"

/** The text of the notes in a folder; undefined if there are none. */
const notesIn = (folder: string) =>
  Effect.orElseSucceed(
    Effect.tryPromise(() => readFile(join(folder, "NOTES.md"), "utf8")),
    () => undefined
  )

export const run = Effect.fnUntraced(function* (link: MessageLink) {
  const waiting = new Map<string, string>()
  const { closed } = yield* AcpProxy.make<never>(link, () => ({
    clientRequests: {
      "session/new": Effect.fnUntraced(function* (params, forward) {
        const notes = yield* notesIn(params.cwd)
        const session = yield* forward()
        if (notes !== undefined) waiting.set(session.sessionId, notes)
        return session
      }),
      "session/prompt": (params, forward) => {
        const notes = waiting.get(params.sessionId)
        if (notes === undefined) return forward()
        waiting.delete(params.sessionId)
        return forward({ ...params, prompt: [{ type: "text", text: notes }, ...params.prompt] })
      }
    }
  }))
  yield* closed
})
