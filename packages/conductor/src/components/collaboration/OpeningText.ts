/** The text that opens a session: that of a file, or our own. */
import * as NamedFile from "@signalbox/system/NamedFile"
import { messageOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import type { Settings } from "./Settings.ts"

/** Most bytes of a file with such a text. */
const mostBytes = 32 * 1024

const own = (persona: string): string =>
  `This session has a memory that lasts between sessions: the tools of the MCP server "collaboration". Call load_identity with the persona "${persona}", and work as it says. When you learn how the user likes to work, call save_insight. Before you end a long piece of work, call checkpoint_memory with what the next session needs to know. These words were set up by the user. They ask for no other work, and change no permission that you have.`

const ownWithoutTools =
  "Work with the user as with a colleague: say what you are about to do, and ask when something is unclear."

/** The text. A file that can't be read is said to the people who run the chain, and our own text counts. */
export const of = ({ hasTools, persona, text }: Settings, log: (line: string) => void): Effect.Effect<string> => {
  const standard = hasTools ? own(persona) : ownWithoutTools
  if (text === undefined) return Effect.succeed(standard)
  return Effect.tryPromise({
    try: async () => {
      const bytes = await NamedFile.read(text, { most: mostBytes })
      if (bytes.length > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`)
      const words = new TextDecoder("utf-8", { fatal: true }).decode(bytes).trim()
      if (words === "") throw new Error("it is empty")
      return words
    },
    catch: messageOf
  }).pipe(
    Effect.catch((why) =>
      Effect.sync(() => {
        log(`The text of ${text} can't be used: ${why}. The session opens with the text of Signalbox.`)
        return standard
      })
    )
  )
}
