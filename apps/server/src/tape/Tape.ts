/**
 * The record of the wire: every line of a session in both directions with its time, and what the agent wrote to stderr. It says how its
 * process began and ended. NDJSON, one `{"at":ms,"dir":"in|out|err|note","line":…}` a line; `line` is the message itself, or text where it
 * was none. Secrets are taken out before anything is written.
 */
import type { ProviderSessionId, ThreadId } from "@signalbox/contracts/Ids"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Scope from "effect/Scope"
import { join } from "node:path"
import * as Redaction from "@signalbox/redaction/Redaction"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as TapeFile from "./TapeFile.ts"
import * as TapeFolder from "./TapeFolder.ts"
import * as TapeName from "./TapeName.ts"
import { type ExitNote, format, lineOf, type StartNote } from "./TapeNote.ts"

export type { ExitNote, StartNote } from "./TapeNote.ts"

/** The tape of one session. Everything is synchronous and cannot fail. */
export interface SessionTape {
  /** A line of the wire. `number` counts the lines of both directions from 1. */
  readonly wire: (direction: "in" | "out", line: string, message: unknown, number: number) => void
  readonly stderr: (line: string) => void
  readonly note: (note: StartNote | ExitNote) => void
  /** The line of the tape, over all its parts, that holds a line of the wire; undefined when there is none. */
  readonly lineOf: (number: number) => number | undefined
}

export interface OpenOptions {
  readonly threadId: ThreadId
  readonly providerSessionId: ProviderSessionId
  /** The variables that the process is given beside ours: what it says of the secrets of both is taken out. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** More that it may say and that is taken out. */
  readonly secrets?: ReadonlyArray<string>
}

export class Tape extends Context.Service<
  Tape,
  {
    /** Ends with the scope; what was put in is then on the disk. */
    readonly open: (options: OpenOptions) => Effect.Effect<SessionTape, never, Scope.Scope>
  }
>()("@signalbox/server/tape/Tape") {}

export interface FolderOptions {
  readonly folder: string
  readonly limits?: Partial<TapeFile.Limits>
  /** The limit of all tapes together: beyond it the oldest of ended sessions go. */
  readonly folderBytes?: number
}

/** 2 GiB. */
const defaultFolderBytes = 2 * 1024 * 1024 * 1024

/** One tape for each session: `<folder>/<threadId>-<providerSessionId>.ndjson`, and its further parts. */
export const layer = (options: FolderOptions): Layer.Layer<Tape> =>
  Layer.effect(
    Tape,
    Effect.gen(function* () {
      const { folder, folderBytes = defaultFolderBytes, limits } = options
      const scope = yield* Effect.scope
      const now = yield* time
      const open = new Set<string>()
      return Tape.of({
        open: Effect.fn("Tape.open")(function* ({ env, providerSessionId, secrets, threadId }) {
          const name = TapeName.of(threadId, providerSessionId)
          open.add(name)
          yield* Effect.addFinalizer(() => Effect.sync(() => open.delete(name)))
          // Nobody waits for this to start an agent.
          yield* Effect.forkIn(TapeFolder.keepWithin(folder, folderBytes, open), scope)
          const file = yield* TapeFile.make({ path: join(folder, name), limits, partLine: partLine(now) })
          return sessionTape(file, env, secrets, now)
        })
      })
    })
  )

/** One tape for everything, in order. */
export const layerFile = (options: {
  readonly path: string
  readonly limits?: Partial<TapeFile.Limits>
}): Layer.Layer<Tape> =>
  Layer.effect(
    Tape,
    Effect.gen(function* () {
      const now = yield* time
      yield* TapeFolder.removeLaterParts(options.path)
      const file = yield* TapeFile.make({ ...options, partLine: partLine(now) })
      return Tape.of({ open: ({ env, secrets }) => Effect.sync(() => sessionTape(file, env, secrets, now)) })
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

const time = Effect.map(Clock.Clock, (clock) => () => clock.currentTimeMillisUnsafe())

const partLine =
  (now: () => number): TapeFile.Options["partLine"] =>
  (note) =>
    lineOf(now(), JSON.stringify(note))

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
  given: ReadonlyArray<string> = [],
  now: () => number
): SessionTape => {
  // The process has our environment too, and may print it.
  const secrets = Secrets.of({ ...process.env, ...env }, given)
  let offsets: Array<Offset> = []
  let ahead: number | undefined
  let lost: number | undefined

  const plain = (line: string): string => JSON.stringify(Redaction.text(line))
  const append = (direction: "in" | "out" | "err" | "note", json: string) =>
    file.append(`{"at":${now()},"dir":"${direction}","line":${secrets.without(json)}}`)

  return {
    wire: (direction, line, message, number) => {
      const json = isChunk(message) ? line : message === undefined ? plain(line) : Redaction.message(message, line)
      const at = append(direction, json)
      if (at === undefined) lost ??= number
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
      append("note", JSON.stringify(note.event === "start" ? safeStart(note) : note))
    },
    lineOf: (number) => {
      if (lost !== undefined && number >= lost) return undefined
      for (let index = offsets.length - 1; index >= 0; index -= 1) {
        const offset = offsets[index]
        if (offset === undefined || offset.from > number) continue
        const line = number + offset.ahead
        return file.has(line) ? line : undefined
      }
      return undefined
    }
  }
}

/** A start note as it may be written. Servers are written as the agent gets them, so that both are redacted alike. */
const safeStart = ({ mcp, ...note }: StartNote) => {
  const servers: unknown = mcp && JSON.parse(Redaction.message(mcp, JSON.stringify(mcp)))
  return { ...note, format, argv: Redaction.argv(note.argv), ...(mcp && { mcp: servers }) }
}

/** The one message that comes in thousands: a piece of text with nothing beside it that had to be looked through. It is written as it came. */
const isChunk = (message: unknown): boolean => {
  if (!Predicate.isObject(message) || message["method"] !== "session/update" || message["id"] !== undefined)
    return false
  const { params } = message
  if (!Predicate.isObject(params) || "_meta" in params) return false
  const { update } = params
  if (!Predicate.isObject(update) || "_meta" in update) return false
  const { sessionUpdate } = update
  return sessionUpdate === "agent_message_chunk" || sessionUpdate === "agent_thought_chunk"
}
