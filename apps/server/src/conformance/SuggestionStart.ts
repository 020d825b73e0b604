/** Starts a session for suggestions, in the folder that the agent works in. */
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { basename } from "node:path"
import { pathToFileURL } from "node:url"
import type { Opening } from "./Opening.ts"
import type * as Wire from "./Wire.ts"

/** The folder that the agent works in as the workspace of a session. */
export const workspaceOf = (folder: string) => {
  const uri = pathToFileURL(folder).href
  return { workspaceUri: uri, workspaceFolders: [{ uri, name: basename(folder) }] }
}

/** Asks for a session. */
export const opened = Effect.fnUntraced(function* (wire: Wire.Wire, folder: string, limit: Duration.Input) {
  const asked = wire.lines().length
  const began = yield* Clock.currentTimeMillis
  const answer = yield* wire.ask("nes/start", workspaceOf(folder), limit)
  return { answer, asked, durationMs: (yield* Clock.currentTimeMillis) - began } satisfies Opening
})
