/**
 * The files of a workspace as they were recorded: what is not open has the text that the recording gives it. Which files
 * may be sent is decided by today's rules, once for each file.
 */
import * as Effect from "effect/Effect"
import type { Sendable, Verdict } from "../../editing/Sendable.ts"

export interface ReplayFiles {
  readonly over: (real: Sendable) => Sendable
  /** Takes the text of a file from the recording. Null if there is none any more. */
  readonly take: (path: string, text: string | null) => void
}

export const make = (): ReplayFiles => {
  const texts = new Map<string, string>()
  const kept = new Map<string, Verdict>()

  return {
    take: (path, text) => {
      if (text === null) texts.delete(path)
      else texts.set(path, text)
    },
    over: (real) => {
      const ofAll: Sendable["ofAll"] = Effect.fnUntraced(function* (uris) {
        const unknown = uris.filter((uri) => !kept.has(uri))
        if (unknown.length > 0) for (const [uri, verdict] of yield* real.ofAll(unknown)) kept.set(uri, verdict)
        return kept
      })
      return {
        ofAll,
        of: (uri) => Effect.flatMap(ofAll([uri]), (all) => Effect.succeed(all.get(uri) ?? nobody)),
        read: (path) =>
          Effect.sync(() => {
            const text = texts.get(path)
            return text === undefined ? undefined : { mark: "", text }
          })
      }
    }
  }
}

const nobody: Verdict = { type: "withheld", why: "Nobody could decide about it." }
