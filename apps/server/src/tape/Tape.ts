/**
 * The record of the wire: every line of a session in both directions with its time, and what the agent wrote to stderr.
 * It also says how its process began and ended, and what the parts of a chain said to each other. The format is NDJSON,
 * one `{"at":ms,"dir":"in|out|err|hop|note","line":…}` a line. `line` is the message itself, or a text if it was no JSON.
 * What a component wrote to stderr has its name as `part`. Secrets are removed before anything is written.
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
import { type ChainNote, type ExitNote, format, lineOf, type StartNote } from "./TapeNote.ts"

export type { ChainNote, ExitNote, StartNote } from "./TapeNote.ts"

/** The tape of one session. Everything is synchronous and cannot fail. */
export interface SessionTape {
  /** The file. Undefined if nothing is recorded. */
  readonly path: string | undefined
  /** Records a line of the wire. `number` counts the lines of both directions from 1. */
  readonly wire: (direction: "in" | "out", line: string, message: unknown, number: number) => void
  /** Records a line of the agent's stderr. `part`: the name of the component that wrote it, in the agent's place. */
  readonly stderr: (line: string, part?: string) => void
  readonly note: (note: StartNote | ChainNote | ExitNote) => void
  /** Records what one part of a chain said to another. `event`: a `TraceEvent` as JSON text, without keys of known forms. */
  readonly hop: (event: string) => void
  /** The line of the tape, counted over all its parts, that holds a line of the wire. Undefined if there is none. */
  readonly lineOf: (number: number) => number | undefined
}

export interface OpenOptions {
  readonly threadId: ThreadId
  readonly providerSessionId: ProviderSessionId
  /** The variables that the process gets besides ours. The secrets of both are removed from the tape. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Further secrets that are removed from the tape. */
  readonly secrets?: ReadonlyArray<string>
}

export class Tape extends Context.Service<
  Tape,
  {
    /** Opens the tape of a session. It ends with the scope, and all its lines are on the disk then. */
    readonly open: (options: OpenOptions) => Effect.Effect<SessionTape, never, Scope.Scope>
  }
>()("@signalbox/server/tape/Tape") {}

export interface FolderOptions {
  readonly folder: string
  readonly limits?: Partial<TapeFile.Limits>
  /** The limit of all tapes together, in bytes. Beyond it, the oldest tapes of ended sessions are deleted. */
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
          // The start of an agent does not wait for this.
          yield* Effect.forkIn(TapeFolder.keepWithin(folder, folderBytes, open), scope)
          const path = join(folder, name)
          const file = yield* TapeFile.make({ path, limits, partLine: partLine(now) })
          return sessionTape({ ...file, path }, env, secrets, now)
        })
      })
    })
  )

/** One tape for all sessions, in the order of their lines. */
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
      const { path } = options
      return Tape.of({
        open: ({ env, secrets }) => Effect.sync(() => sessionTape({ ...file, path }, env, secrets, now))
      })
    })
  )

/** Records nothing. */
export const layerDisabled: Layer.Layer<Tape> = Layer.succeed(
  Tape,
  Tape.of({
    open: () =>
      Effect.succeed({
        path: undefined,
        wire: () => {},
        stderr: () => {},
        note: () => {},
        hop: () => {},
        lineOf: () => undefined
      })
  })
)

const time = Effect.map(Clock.Clock, (clock) => () => clock.currentTimeMillisUnsafe())

const partLine =
  (now: () => number): TapeFile.Options["partLine"] =>
  (note) =>
    lineOf(now(), JSON.stringify(note))

/** From the wire's line `from` on, the tape's numbers are higher by `ahead`. */
interface Offset {
  readonly from: number
  readonly ahead: number
}

/**
 * The most offsets that are kept. Lines are looked up soon after they were written, so older offsets are not needed.
 */
const maxOffsets = 8192

const sessionTape = (
  file: TapeFile.TapeFile & { readonly path: string },
  env: Readonly<Record<string, string | undefined>>,
  given: ReadonlyArray<string> = [],
  now: () => number
): SessionTape => {
  // The process inherits our environment, and may print it.
  const secrets = Secrets.of({ ...process.env, ...env }, given)
  let offsets: Array<Offset> = []
  let ahead: number | undefined
  let lost: number | undefined

  const plain = (line: string): string => JSON.stringify(Redaction.text(line))
  const append = (direction: "in" | "out" | "err" | "hop" | "note", json: string, part?: string) => {
    const by = part === undefined ? "" : `"part":${secrets.without(plain(part))},`
    return file.append(`{"at":${now()},"dir":"${direction}",${by}"line":${secrets.without(json)}}`)
  }

  return {
    path: file.path,
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
    stderr: (line, part) => {
      append("err", plain(line), part)
    },
    note: (note) => {
      append("note", JSON.stringify(note.event === "start" ? safeStart(note) : note))
    },
    hop: (event) => {
      append("hop", event)
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

/**
 * A start note without secrets. Servers are written in the form that the agent gets, so that both are redacted alike.
 */
const safeStart = ({ mcp, ...note }: StartNote) => {
  const servers: unknown = mcp && JSON.parse(Redaction.message(mcp, JSON.stringify(mcp)))
  return { ...note, format, argv: Redaction.argv(note.argv), ...(mcp && { mcp: servers }) }
}

/**
 * Whether a message is a plain piece of text, without other members that could hold secrets. There are thousands of
 * these, so they are written as they came.
 */
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
