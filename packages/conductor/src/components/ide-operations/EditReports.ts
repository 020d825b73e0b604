/**
 * Follows which files the agent's tools have edited, and asks what is wrong in them afterwards. Errors that were there before are left out.
 * They are known if the agent has named the file before it wrote.
 */
import type { Finding } from "@signalbox/contracts/IdeOperation"
import type { SessionFolder } from "@signalbox/ide/files/SessionFolder"
import type { Ide } from "@signalbox/ide/Ide"
import * as FileUri from "@signalbox/lsp/FileUri"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as ToolUpdate from "./ToolUpdate.ts"

/** A tool call so far. */
interface Edit {
  /** Whether it is of the kind `edit`. */
  readonly isEdit: boolean
  /** Absolute paths that it edits. */
  readonly paths: ReadonlySet<string>
  readonly content: ReadonlyArray<unknown>
  /** Errors before, by file. Undefined if the files were named only when they were edited. */
  readonly before: Before | undefined
}

/** The question which errors the files of a tool call have before it writes. */
interface Before {
  readonly errors: Fiber.Fiber<ReadonlyMap<string, ReadonlySet<string>>>
  /** Whether servers have answered. Then only a look at the files is left. */
  readonly isAnswered: () => boolean
}

/** What edits have left wrong in a file. */
interface Left {
  /** The tool call after which it was looked at. */
  readonly toolCallId: string
  /** The file's text then. */
  readonly text: string
  readonly errors: ReadonlyArray<Finding>
}

export interface Report {
  readonly toolCallId: string
  /** Sentences that name the errors. */
  readonly text: string
  /** What the tool call has shown so far. */
  readonly content: ReadonlyArray<unknown>
}

export interface EditReports {
  /** Takes an update of the agent, and waits for nothing. Returns a question to ask when it has ended an edit; undefined otherwise. */
  readonly heard: (update: unknown) => Effect.Effect<Effect.Effect<Report | undefined> | undefined>
  /** Reports once what edits have left wrong, in words. What was mended since, or is being looked at, is left out. */
  readonly unreported: Effect.Effect<string | undefined>
  /** Forgets the tool calls that have not ended, at the end of a turn. */
  readonly turnEnded: Effect.Effect<void>
}

/** Most files of one tool call, tool calls at a time, and errors that are listed. */
const mostFiles = 10
const mostCalls = 100
const mostErrors = 20

/** How often it is asked what an edit has left. Each question waits for a language server that starts, too. */
const mostTries = 12
const betweenTries = "2 seconds"
/** Most files of a session whose last edit is known. */
const mostLast = 1000

/** One finding, without its place: an edit moves what is below it. */
const keyOf = ({ code, message, source }: Finding): string => JSON.stringify([source, code, message])

const lineOf = ({ at: { path, start }, message }: Finding): string =>
  `${path}:${start.line}:${start.column}: ${message.split("\n")[0]?.slice(0, 300) ?? ""}`

const inWords = (edit: string, error: string, errors: ReadonlyArray<Finding>): string => {
  const more = errors.length > mostErrors ? `\nand ${errors.length - mostErrors} more` : ""
  const count = `${errors.length} ${error}${errors.length === 1 ? "" : "s"}`
  return `After ${edit}, there ${errors.length === 1 ? "is" : "are"} ${count}:\n${errors.slice(0, mostErrors).map(lineOf).join("\n")}${more}`
}

/** @param scope ends the questions of a session */
export const make = (ide: Ide, folder: SessionFolder, scope: Scope.Scope): EditReports => {
  const edits = new Map<string, Edit>()
  /** The tool call that has edited each file last. */
  const last = new Map<string, string>()
  /** What was not reported to the agent yet, by file. */
  const left = new Map<string, Left>()

  /** Undefined while nobody knows. A file in a language that nobody knows has none. */
  const errorsIn = (path: string): Effect.Effect<ReadonlyArray<Finding> | undefined> =>
    folder.follow(path).pipe(
      Effect.flatMap((place) => ide.diagnostics(FileUri.of(place))),
      Effect.map((found) => found.filter(({ severity }) => severity === "error")),
      Effect.catchTag("IdeFailure", ({ isForGood }) => Effect.succeed(isForGood === true ? [] : undefined)),
      Effect.orElseSucceed(() => undefined)
    )

  /** Errors before the edit. A file that is written by now is left out: nobody knows which text the answer is about. */
  const before = Effect.fnUntraced(function* (paths: ReadonlySet<string>, content: ReadonlyArray<unknown>) {
    let isAnswered = false
    const asking = Effect.gen(function* () {
      const found = yield* Effect.forEach(paths, (path) =>
        Effect.map(errorsIn(path), (errors) => [path, errors] as const)
      )
      isAnswered = true
      const old = new Map<string, ReadonlySet<string>>()
      for (const [path, errors] of found) {
        const text = yield* Effect.orElseSucceed(folder.read(path), () => undefined)
        if (errors !== undefined && text !== undefined && !ToolUpdate.isWritten(path, text, content))
          old.set(path, new Set(errors.map(keyOf)))
      }
      return old
    })
    const errors = yield* Effect.forkIn(asking, scope)
    return { errors, isAnswered: () => isAnswered } satisfies Before
  })

  const forget = (toolCallId: string) =>
    Effect.suspend(() => {
      const begun = edits.get(toolCallId)?.before
      edits.delete(toolCallId)
      return begun === undefined ? Effect.void : Fiber.interrupt(begun.errors)
    })

  /**
   * Errors that an edit has left, and the text that has them. While language servers start, it asks again, for a while. Undefined for a file
   * that was edited again meanwhile, or whose text is another one by now.
   */
  const errorsLeftIn = Effect.fnUntraced(function* (path: string, toolCallId: string) {
    const textNow = Effect.orElseSucceed(folder.read(path), () => undefined)
    const text = yield* textNow
    if (text === undefined) return undefined
    for (let tries = 0; tries < mostTries; tries++) {
      if (tries > 0) yield* Effect.sleep(betweenTries)
      const errors = yield* errorsIn(path)
      if (last.get(path) !== toolCallId || (yield* textNow) !== text) return undefined
      if (errors !== undefined) return { errors, text }
    }
    return undefined
  })

  const after = Effect.fnUntraced(function* (toolCallId: string, edit: Edit) {
    // A question that is still open would be answered about the text after the edit.
    const exit = edit.before?.isAnswered() === true ? yield* Fiber.await(edit.before.errors) : undefined
    const old = exit !== undefined && Exit.isSuccess(exit) ? exit.value : new Map<string, ReadonlySet<string>>()
    if (edit.before !== undefined) yield* Fiber.interrupt(edit.before.errors)
    const found = yield* Effect.forEach(
      edit.paths,
      (path) =>
        Effect.map(errorsLeftIn(path, toolCallId), (found) => {
          if (found === undefined) return []
          const { errors, text } = found
          const made = errors.filter((error) => old.get(path)?.has(keyOf(error)) !== true)
          // What an earlier edit has made was there before this one.
          const earlier = new Set([...(left.get(path)?.errors ?? []), ...made].map(keyOf))
          left.delete(path)
          left.set(path, { toolCallId, text, errors: errors.filter((error) => earlier.has(keyOf(error))) })
          return made
        }),
      { concurrency: "unbounded" }
    )
    const errors = found.flat()
    if (errors.length === 0) return undefined
    const isNew = [...edit.paths].every((path) => old.has(path))
    const text = inWords("this edit", isNew ? "new error" : "error", errors)
    return { toolCallId, text, content: edit.content } satisfies Report
  })

  return {
    heard: Effect.fnUntraced(function* (update: unknown) {
      const told = ToolUpdate.read(update)
      if (told === undefined) return undefined
      const { places, status, toolCallId } = told
      const known = edits.get(toolCallId)
      const content = told.content ?? known?.content ?? []
      const isEdit = told.isEdit ?? known?.isEdit ?? false
      const drawn = ToolUpdate.drawnIn(content)
      // An agent that writes without a diff says only where it edits.
      const paths = new Set([...(known?.paths ?? []), ...drawn, ...(isEdit ? places : [])].slice(0, mostFiles))
      if (paths.size === 0 && !isEdit) return undefined
      for (const path of paths) {
        last.delete(path)
        last.set(path, toolCallId)
      }
      for (const path of [...last.keys()].slice(0, Math.max(0, last.size - mostLast))) {
        last.delete(path)
        left.delete(path)
      }
      const hasEnded = status === "completed" || status === "failed"
      // Without a diff, nobody knows whether the file is written by now.
      const isAhead = !hasEnded && drawn.length > 0
      const begun = known?.before ?? (isAhead ? yield* before(new Set(drawn.slice(0, mostFiles)), content) : undefined)
      const edit: Edit = { isEdit, paths, content, before: begun }
      if (hasEnded) edits.delete(toolCallId)
      else {
        const [oldest] = edits.keys()
        if (known === undefined && edits.size >= mostCalls && oldest !== undefined) yield* forget(oldest)
        edits.set(toolCallId, edit)
      }
      return status === "completed" ? after(toolCallId, edit) : undefined
    }),
    unreported: Effect.gen(function* () {
      const errors: Array<Finding> = []
      for (const [path, found] of left) {
        // It is reported when the answer about the later edit is there.
        if (last.get(path) !== found.toolCallId) continue
        left.delete(path)
        if ((yield* Effect.orElseSucceed(folder.read(path), () => undefined)) === found.text)
          errors.push(...found.errors)
      }
      return errors.length === 0 ? undefined : inWords("your edits", "error", errors)
    }),
    turnEnded: Effect.suspend(() => Effect.forEach([...edits.keys()], forget, { discard: true }))
  }
}
