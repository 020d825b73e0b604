/** The scripted server as a definition, and what it has noted. */
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { scopedFolder } from "../../../system/test/support/TemporaryFolder.ts"
import type { ServerDefinition } from "../../src/ServerDefinition.ts"
import type { Script } from "./scripted-server.ts"

const program = fileURLToPath(new URL("scripted-server.ts", import.meta.url))

/** The members of messages that tests look at. */
interface Received {
  readonly id?: unknown
  readonly method?: string
  readonly params?: { readonly textDocument?: object }
  readonly result?: {
    readonly applied?: boolean
    readonly failureReason?: string
    readonly length?: number
  }
  readonly error?: { readonly code: number }
}

export interface Scripted {
  readonly definition: ServerDefinition
  /** The ids of its processes, in the order of their starts. */
  readonly pids: () => ReadonlyArray<number>
  /** What it has received, in order. */
  readonly received: () => ReadonlyArray<Received>
}

const linesOf = (file: string): ReadonlyArray<string> =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : []

/** A server for files of the language `plaintext`. */
export const scripted = Effect.fnUntraced(function* (script: Script, more: Partial<ServerDefinition> = {}) {
  const notes = join(yield* scopedFolder, "notes")
  mkdirSync(notes)
  const definition: ServerDefinition = {
    id: "scripted",
    name: "Scripted server",
    command: process.execPath,
    args: [program, JSON.stringify(script), notes],
    languages: ["plaintext"],
    rootMarkers: [],
    ...more
  }
  return {
    definition,
    pids: () => linesOf(join(notes, "starts")).map(Number),
    received: () => linesOf(join(notes, "received")).map((line) => JSON.parse(line))
  } satisfies Scripted
})

/** Waits for an event that has no other sign: looks again and again. */
export const until = (is: () => boolean) =>
  Effect.sync(is).pipe(
    Effect.repeat({ until: (yes) => yes, schedule: Schedule.spaced("10 millis") }),
    Effect.timeout("60 seconds")
  )
