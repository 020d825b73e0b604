/**
 * Writes a recording. Every call is synchronous, and none fails: nobody who types waits for the disk. What may not be
 * sent to an agent is never given to a recorder.
 */
import type { NesSession } from "@signalbox/acp/Nes"
import type { Context, Suggestion, TriggerKind } from "@signalbox/acp/NesSchema"
import type { Position, Range } from "@signalbox/acp/Positions"
import type { ProviderRef } from "@signalbox/contracts/Provider"
import type { Secrets } from "@signalbox/redaction/Secrets"
import type * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { version as signalbox } from "../base/Version.ts"
import * as Masked from "./Masked.ts"
import * as Recording from "./Recording.ts"
import * as RecordingFile from "./RecordingFile.ts"

/** The outcome of a question. */
export type Outcome =
  | {
      readonly type: "answered"
      readonly latencyMs: number
      readonly suggestions: ReadonlyArray<Suggestion>
      readonly refused: number
    }
  | { readonly type: "unanswered"; readonly why: "failed" | "overtaken" }

export interface AskedQuestion {
  readonly uri: string
  readonly version: number
  readonly position: Position
  readonly selection?: Range
  readonly trigger: TriggerKind
}

export interface Recorder {
  /** The file. */
  readonly path: string
  /** Takes what happens to documents that are sent. */
  readonly documents: {
    readonly [Event in "didChange" | "didClose" | "didFocus" | "didOpen" | "didSave"]: (
      ...about: Parameters<NesSession[Event]>
    ) => Effect.Effect<void>
  }
  readonly diagnosed: (uri: string, diagnostics: NonNullable<Context["diagnostics"]>) => void
  /** Takes the text of a file that is not open, as it is read for the agent. Only news are written. */
  readonly read: (path: string, text: string | undefined) => void
  readonly started: (agent: { readonly name: string; readonly version: string | undefined }) => void
  readonly left: () => void
  /** Takes a question as it is sent. Returns what takes its outcome, the first of several. */
  readonly asked: (question: AskedQuestion) => (outcome: Outcome) => void
  readonly ended: (id: string, end: Recording.End) => void
  /** Why no more is recorded: a sentence. Completes when that is so. */
  readonly stopped: Effect.Effect<string>
}

export interface Options {
  /** The absolute path of the file. */
  readonly path: string
  readonly agent: Pick<ProviderRef, "id" | "name">
  readonly roots: Arr.NonEmptyReadonlyArray<string>
  readonly secrets: Pick<Secrets, "spansIn">
  /** Most bytes of the file, without its last line. */
  readonly mostBytes?: number
}

/** Most files whose last text is remembered. */
const mostRead = 64

/** Fails with the words of the system if the file can't be made. The recording ends with the scope. */
export const make = Effect.fn("Recorder.make")(function* (
  options: Options
): Effect.fn.Return<Recorder, string, Scope.Scope> {
  const { agent, mostBytes = Recording.mostBytes, path, roots, secrets } = options
  const clock = yield* Clock.Clock
  const stopped = yield* Deferred.make<string>()
  let isOver = false
  let bytes = 0
  let questions = 0
  const texts = new Map<string, string | undefined>()

  const stop = (why: string) => {
    isOver = true
    texts.clear()
    Deferred.doneUnsafe(stopped, Effect.succeed(why))
  }
  const append = yield* RecordingFile.make({
    path,
    onLost: (reason) => stop(`${path} can't be written any more: ${reason}.`)
  })

  /** Each line gets its time. */
  const write = <Type extends Recording.Line["type"]>(type: Type, members: MembersOf<Type>) => {
    if (isOver) return
    const at = clock.currentTimeMillisUnsafe()
    const line = Masked.json({ type, at, ...members }, secrets)
    const size = Buffer.byteLength(line) + 1
    if (type !== "over" && (bytes + size > mostBytes || size > Recording.longestLine)) {
      write("over", { why: "full" })
      return stop(`${path} is as long as a recording may be.`)
    }
    bytes += size
    append(line)
  }

  write("recording", { format: Recording.format, signalbox, agent: { id: agent.id, name: agent.name }, roots })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      write("over", { why: "closed" })
      isOver = true
    })
  )

  const noted = <Type extends Recording.Line["type"]>(type: Type, members: MembersOf<Type>) =>
    Effect.sync(() => write(type, members))

  return {
    path,
    documents: {
      didOpen: ({ languageId, text, uri, version }) => noted("opened", { uri, languageId, version, text }),
      didChange: ({ changes, uri, version }) =>
        noted("changed", {
          uri,
          version,
          changes: changes.map(({ range, text }) => (range ? { range, text } : { text }))
        }),
      didClose: (uri) => noted("closed", { uri }),
      didSave: (uri) => noted("saved", { uri }),
      didFocus: ({ position, uri, visibleRange }) => noted("focused", { uri, position, visibleRange })
    },
    diagnosed: (uri, diagnostics) => write("diagnosed", { uri, diagnostics }),
    read: (path, text) => {
      const isNews = !texts.has(path) || texts.get(path) !== text
      texts.delete(path)
      texts.set(path, text)
      for (const oldest of texts.keys()) {
        if (texts.size <= mostRead) break
        texts.delete(oldest)
      }
      if (isNews) write("read", { path, text: text ?? null })
    },
    started: ({ name, version }) => write("started", { name, ...(version !== undefined && { version }) }),
    left: () => write("left", {}),
    asked: ({ position, selection, trigger, uri, version }) => {
      const question = ++questions
      write("asked", { question, uri, version, position, ...(selection !== undefined && { selection }), trigger })
      let isOpen = true
      return (outcome) => {
        if (!isOpen) return
        isOpen = false
        if (outcome.type === "unanswered") return write("unanswered", { question, why: outcome.why })
        const { latencyMs, refused, suggestions } = outcome
        write("answered", { question, latencyMs, suggestions, refused })
      }
    },
    ended: (id, end) => write("ended", { id, end }),
    stopped: Deferred.await(stopped)
  }
})

type MembersOf<Type extends Recording.Line["type"]> = Omit<Recording.LineOf<Type>, "at" | "type">
