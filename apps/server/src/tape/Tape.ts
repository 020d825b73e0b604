/**
 * The record of the wire: every line of a session in both directions with its time, what the agent wrote to stderr, and how
 * its process began and ended. NDJSON, one `{"at":ms,"dir":"in|out|err|note","line":…}` a line; `line` is the message
 * itself, or text where it was none. Secrets are taken out before anything is written.
 */
import type { ProviderSessionId, ThreadId } from "@signalbox/contracts/Ids"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { join } from "node:path"
import * as Redaction from "./Redaction.ts"
import * as TapeFile from "./TapeFile.ts"

/** What is written when a process starts: the names of variables, never their values. */
export interface StartNote {
  readonly event: "start"
  readonly argv: ReadonlyArray<string>
  readonly cwd: string
  readonly envNames: ReadonlyArray<string>
  readonly pid: number
}

export interface ExitNote {
  readonly event: "exit"
  readonly exitCode?: number
  readonly signal?: string
}

/** The tape of one session. Everything is synchronous and cannot fail. */
export interface SessionTape {
  /** A line of the wire. `number` counts the lines of both directions from 1. */
  readonly wire: (direction: "in" | "out", line: string, message: unknown, number: number) => void
  readonly stderr: (line: string) => void
  readonly note: (note: StartNote | ExitNote) => void
  /** The line of the tape that holds a line of the wire; undefined when there is none. */
  readonly lineOf: (number: number) => number | undefined
}

export interface OpenOptions {
  readonly threadId: ThreadId
  readonly providerSessionId: ProviderSessionId
  /** The variables that the process is given beside ours: what it says of the secrets of both is taken out. */
  readonly env: Readonly<Record<string, string | undefined>>
}

export class Tape extends Context.Service<
  Tape,
  {
    /** Ends with the scope; what was put in is then on the disk. */
    readonly open: (options: OpenOptions) => Effect.Effect<SessionTape, never, Scope.Scope>
  }
>()("@signalbox/server/tape/Tape") {}

/** One file for each session: `<folder>/<threadId>-<providerSessionId>.ndjson`. */
export const layer = (options: { readonly folder: string; readonly maxBytes?: number }): Layer.Layer<Tape> =>
  Layer.succeed(
    Tape,
    Tape.of({
      open: Effect.fn("Tape.open")(function* ({ env, providerSessionId, threadId }) {
        const { now } = yield* time
        // Clients choose the ids of threads; a path must not be among the choices.
        const name = `${encodeURIComponent(threadId).slice(0, 100)}-${encodeURIComponent(providerSessionId)}.ndjson`
        const file = yield* TapeFile.make({
          path: join(options.folder, name),
          maxBytes: options.maxBytes,
          lastLine: () => lastLine(now)
        })
        return sessionTape(file, env, now)
      })
    })
  )

/** One file for everything, in order. */
export const layerFile = (options: { readonly path: string; readonly maxBytes?: number }): Layer.Layer<Tape> =>
  Layer.effect(
    Tape,
    Effect.gen(function* () {
      const { now } = yield* time
      const file = yield* TapeFile.make({ ...options, lastLine: () => lastLine(now) })
      return Tape.of({ open: ({ env }) => Effect.sync(() => sessionTape(file, env, now)) })
    })
  )

/** No record. */
export const layerDisabled: Layer.Layer<Tape> = Layer.succeed(
  Tape,
  Tape.of({
    open: () =>
      Effect.succeed({
        wire: () => {},
        stderr: () => {},
        note: () => {},
        lineOf: () => undefined
      })
  })
)

const time = Effect.map(Clock.Clock, (clock) => ({ now: () => clock.currentTimeMillisUnsafe() }))

const lastLine = (now: () => number): string => `{"at":${now()},"dir":"note","line":{"event":"truncated"}}`

/** From this line of the wire on, the tape is this many lines ahead of it. */
interface Offset {
  readonly from: number
  readonly ahead: number
}

/** Lines of the wire are asked about soon after they were written; so many interruptions back at most. */
const maxOffsets = 512

const sessionTape = (
  file: TapeFile.TapeFile,
  env: Readonly<Record<string, string | undefined>>,
  now: () => number
): SessionTape => {
  // The process has our environment too, and may print it.
  const secrets = Redaction.secretValues({ ...process.env, ...env })
  let offsets: Array<Offset> = []
  let ahead: number | undefined
  let full: number | undefined

  const plain = (line: string): string => JSON.stringify(Redaction.text(line))
  const append = (direction: "in" | "out" | "err" | "note", content: string) =>
    file.append(`{"at":${now()},"dir":"${direction}","line":${Redaction.without(secrets, content)}}`)

  return {
    wire: (direction, line, message, number) => {
      const content = isUpdate(message) ? line : message === undefined ? plain(line) : Redaction.message(message)
      const at = append(direction, content)
      if (at === undefined) full ??= number
      else if (at - number !== ahead) {
        ahead = at - number
        offsets.push({ from: number, ahead })
        if (offsets.length > maxOffsets) offsets = offsets.slice(-maxOffsets / 2)
      }
    },
    stderr: (line) => {
      append("err", plain(line))
    },
    note: (note) => {
      const safe = note.event === "start" ? { ...note, argv: Redaction.argv(note.argv) } : note
      append("note", JSON.stringify(safe))
    },
    lineOf: (number) => {
      if (full !== undefined && number >= full) return undefined
      for (let index = offsets.length - 1; index >= 0; index -= 1) {
        const offset = offsets[index]
        if (offset !== undefined && offset.from <= number) return number + offset.ahead
      }
      return undefined
    }
  }
}

/** The one message that comes in thousands, and that has no member which had to be looked for: it is written as it came. */
const isUpdate = (message: unknown): boolean =>
  Predicate.isObject(message) && message["method"] === "session/update" && message["id"] === undefined
