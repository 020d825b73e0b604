/**
 * Suggestions for the open files of one folder. The server knows what is in them, and is asked when people pause. It
 * hears what became of each suggestion. Nothing here knows VS Code.
 */
import type { TextChange, TextPosition, TextRange } from "@signalbox/contracts/DocumentReport"
import { PageId } from "@signalbox/contracts/Documents"
import { type Problem, sentencesOf } from "@signalbox/contracts/Problem"
import type {
  SuggestedPlaces,
  Suggestion,
  SuggestionAnswer,
  SuggestionEnd,
  SuggestionQuestion
} from "@signalbox/contracts/Suggestions"
import * as Effect from "effect/Effect"
import * as FiberHandle from "effect/FiberHandle"
import * as Queue from "effect/Queue"
import { randomUUID } from "node:crypto"
import type { Log } from "../log/Log.ts"
import type { ServerLink } from "../server/ServerLink.ts"
import { type DeskState, initial, withFrame } from "./DeskState.ts"
import * as Reports from "./Reports.ts"

type Trigger = SuggestionQuestion["trigger"]

/** The document that people look at. */
export interface ShownDocument extends Reports.OpenDocument {
  readonly position: TextPosition
  readonly visible: ReadonlyArray<TextRange>
  /** Whether there is one caret, and nothing is selected. */
  readonly isPlain: boolean
}

export interface Options {
  readonly folder: string
  readonly link: Pick<ServerLink, "followAtOnce" | "once">
  readonly log: Pick<Log, "info" | "warn">
  /** The documents of the folder that people have open. */
  readonly documents: () => ReadonlyArray<Reports.OpenDocument>
  /** The one of them in which people write. */
  readonly shown: () => ShownDocument | undefined
  /** Shows an answer about a document as it is now. `isAwaited`: VS Code waits for it already. */
  readonly show: (path: string, suggestions: ReadonlyArray<Suggestion>, isAwaited: boolean) => void
  /** Nothing is suggested any more. */
  readonly clear: () => void
  /** Somebody has asked by hand, and there is nothing to show. */
  readonly nothing: (words: string) => void
  readonly onState: () => void
}

export interface Desk {
  readonly state: () => DeskState
  /** People have changed the shown document, or something else has changed another one. */
  readonly changed: (path: string, changes: ReadonlyArray<TextChange>, isByPeople: boolean) => void
  readonly saved: (path: string) => void
  /** The caret is somewhere else. */
  readonly moved: () => void
  /** Somebody asks by hand. */
  readonly ask: () => void
  /** Something that decides about reports has changed. */
  readonly look: () => void
  readonly end: (id: string, how: SuggestionEnd) => void
  /** Calls back once, when no question is open. What it returns takes that back. */
  readonly whenSettled: (done: () => void) => () => void
  readonly places: (id: string) => Effect.Effect<SuggestedPlaces, { readonly problem: Problem }>
  /** Nothing is known of the server any more. */
  readonly lost: () => void
  /** Suggests until it is interrupted. Never ends by itself. */
  readonly run: Effect.Effect<never>
}

/** VS Code says a change, the caret and what is in sight one after the other: they go in one batch. */
const pause = "10 millis"

/** Milliseconds before a batch is sent again that was refused so often. */
const patience = [250, 1000, 4000, 15_000] as const

/** What the server says of such a text, too. */
const isTooLong = "It is longer than 2 MiB."

const openElsewhere = "Nothing is suggested here. The file is open elsewhere. Type in it here to get suggestions."

export const make = ({ clear, documents, folder, link, log, nothing, onState, show, shown }: Options): Desk => {
  const page = PageId.make(randomUUID())
  const reports = Reports.make()
  const looks = Effect.runSync(Queue.sliding<void>(1))
  const look = (): void => void Queue.offerUnsafe(looks, undefined)
  /** When a folder that was refused is asked for again. */
  const retries = Effect.runSync(Queue.sliding<void>(1))
  let state = initial
  const put = (next: Partial<DeskState>): void => {
    state = { ...state, ...next }
    onState()
  }
  let ended: Array<{ readonly id: string; readonly end: SuggestionEnd }> = []
  let wanted: Trigger | undefined
  /** The file for which a question was given up. It is asked once the server knows the file. */
  let missed: string | undefined
  /** Whether the open question is of no use any more. */
  let isDropped = false
  let isAsking = false
  /** How many questions were sent. Only the latest one counts. */
  let questions = 0
  /** Before people have changed anything, nobody is asked. */
  let isEdited = false
  let waiting: Array<() => void> = []

  /** A press of a key is not forgotten for a pause that follows. */
  const want = (trigger: Trigger): void => {
    wanted = wanted === "manual" ? wanted : trigger
    look()
  }
  const settle = (): void => {
    const all = waiting
    waiting = []
    for (const done of all) done()
  }
  const drop = (): void => {
    isDropped = true
    wanted = undefined
  }

  /** The last words about a failure: they are logged once, however often it fails. */
  let said = ""
  const failed = ({ problem }: { readonly problem: Problem }): void => {
    const words = sentencesOf(problem)
    if (words !== said) log.warn("suggestions", words, { folder })
    said = words
    put({ failed: problem })
  }

  const take = (path: string, asked: SuggestionQuestion, answer: SuggestionAnswer): void => {
    const isByHand = asked.trigger === "manual"
    switch (answer.type) {
      case "suggestions": {
        said = ""
        const withheld = new Map(state.withheld)
        withheld.delete(path)
        const { dropped, latencyMs, suggestions } = answer
        put({ withheld, failed: undefined, latencyMs, leftOut: suggestions.length === 0 ? dropped[0]?.why : undefined })
        if (isByHand && suggestions.length === 0) nothing("Nothing is suggested here.")
        const now = shown()
        // Whoever has typed since gets an answer for that.
        if (now?.path === path && now.version === asked.version) show(path, suggestions, waiting.length > 0)
        return
      }
      case "withheld":
        log.info("suggestions", "A file is not sent to the agent", { path, why: answer.why })
        put({ withheld: new Map(state.withheld).set(path, answer.why), failed: undefined })
        if (isByHand) nothing(`Nothing is suggested here. ${answer.why}`)
        return clear()
      case "notOpen":
        reports.forget(path)
        return want(asked.trigger)
      case "elsewhere":
        reports.elsewhere(path)
        if (isByHand) nothing(openElsewhere)
        return clear()
      case "paused":
      case "off":
        if (isByHand) nothing(answer.why)
        return clear()
      case "resting":
        return clear()
      case "overtaken":
        return
    }
  }

  const ask = (question: SuggestionQuestion) => {
    isAsking = true
    questions += 1
    const mine = questions
    return link
      .once((client) => client.suggestEdits({ page, ...question }))
      .pipe(
        Effect.match({
          onSuccess: (answer) => take(question.path, question, answer),
          onFailure: (error) => {
            failed(error)
            clear()
          }
        }),
        Effect.ensuring(
          Effect.sync(() => {
            if (mine !== questions) return
            isAsking = false
            if (wanted === undefined) settle()
          })
        )
      )
  }

  /** The question that is wanted, if it may be asked now. */
  const question = (): SuggestionQuestion | undefined => {
    const trigger = wanted
    const now = shown()
    wanted = undefined
    if (trigger === undefined || now === undefined) return undefined
    // A person may ask about a withheld file: the list of what is never sent may have changed.
    if (trigger !== "manual" && (!now.isPlain || state.withheld.has(now.path))) return undefined
    const { path, position, version } = now
    return { path, position, version, trigger }
  }

  /** Says what the server would say of texts that are not sent to it. */
  const sayTooLong = (): void => {
    const paths = reports.tooLong().filter((path) => state.withheld.get(path) !== isTooLong)
    if (paths.length === 0) return
    const all = new Map(state.withheld)
    for (const path of paths) all.set(path, isTooLong)
    put({ withheld: all })
  }

  /** Gives up the question that is wanted: nothing more can be reported, and the shown text is not known. */
  const giveUp = (path: string): void => {
    if (wanted === "manual")
      nothing(
        reports.isAway(path)
          ? openElsewhere
          : `Nothing is suggested here. ${state.withheld.get(path) ?? "The file has no tab of its own."}`
      )
    else missed = path
    wanted = undefined
    if (!isAsking) settle()
  }

  /** Reports to the server what it does not know. Returns whether that was nothing. Fails if nobody knows what it has taken. */
  const tell = Effect.gen(function* () {
    // An end that comes meanwhile goes before the change that it comes with, too.
    for (let one = ended.shift(); one !== undefined; one = ended.shift()) {
      const { end, id } = one
      // Without an answer, the suggestion has ended with its connection.
      yield* Effect.ignore(link.once((client) => client.endSuggestion({ page, id, end })))
    }
    const now = shown()
    const news = reports.take(documents(), now)
    sayTooLong()
    if (news.length === 0) return true
    const { again, elsewhere, withheld } = yield* link.once((client) => client.reportDocuments({ page, reports: news }))
    for (const path of again) reports.forget(path)
    for (const path of elsewhere) reports.elsewhere(path)
    const opened = news.flatMap((report) => (report.type === "opened" ? [report.path] : []))
    if (opened.length > 0) {
      const all = new Map(state.withheld)
      for (const path of opened) all.delete(path)
      for (const { path, why } of withheld) all.set(path, why)
      put({ withheld: all })
    }
    // What did not fit into this batch, or changed meanwhile.
    look()
    return false
  })

  const work = Effect.gen(function* () {
    const asking = yield* FiberHandle.make<void>()
    let failures = 0
    while (true) {
      yield* Queue.take(looks)
      yield* Effect.sleep(pause)
      if (state.source.type !== "on") {
        reports.forget()
        ended = []
        drop()
        yield* FiberHandle.clear(asking)
        settle()
        continue
      }
      if (isDropped) yield* FiberHandle.clear(asking)
      isDropped = false
      const told = yield* Effect.result(tell)
      if (told._tag === "Failure") {
        reports.forget()
        if (failures > 0) failed(told.failure)
        yield* Effect.sleep(patience[Math.min(failures, patience.length - 1)] ?? 0)
        failures += 1
        look()
        continue
      }
      failures = 0
      const now = shown()
      const isKnown = now !== undefined && reports.versionOf(now.path) === now.version
      if (isKnown && missed === now.path) wanted ??= "automatic"
      if (isKnown) missed = undefined
      if (wanted === undefined) {
        if (!isAsking) settle()
        continue
      }
      if (now !== undefined && !isKnown) {
        // People go on while it was reported: the next round has their text.
        if (told.success) giveUp(now.path)
        continue
      }
      const next = question()
      if (next === undefined) {
        if (!isAsking) settle()
        continue
      }
      yield* FiberHandle.run(asking, ask(next))
    }
  }).pipe(Effect.scoped)

  const follow = link
    .followAtOnce(
      (client) => client.watchFolderSuggestions({ page, folder }),
      (frames) => {
        for (const frame of frames) {
          const before = state.source
          state = withFrame(state, frame)
          const { source } = state
          if (frame.type !== "on" && frame.type !== "off") continue
          const isSame = source.type === "on" && before.type === "on" && before.desk === source.desk
          if (isSame) continue
          log.info("suggestions", source.type === "on" ? "An agent suggests edits" : "Nobody suggests edits", {
            folder
          })
          reports.forget()
          clear()
          if (source.type === "on" && isEdited) want("automatic")
        }
        onState()
        look()
      }
    )
    .pipe(
      // The folder may come back. Whatever happens next, it is tried again.
      Effect.catch((refused) =>
        Effect.suspend(() => {
          failed(refused)
          put({ ...initial, source: { type: "off", why: sentencesOf(refused.problem), turnedOff: undefined } })
          return Queue.take(retries)
        })
      ),
      Effect.forever
    )

  return {
    state: () => state,
    changed: (path, changes, isByPeople) => {
      reports.changed(path, changes)
      if (!isByPeople) return look()
      isEdited = true
      reports.takeBack(path)
      drop()
      want("automatic")
    },
    saved: (path) => {
      reports.saved(path)
      look()
    },
    moved: () => {
      if (isEdited) want("automatic")
      else look()
    },
    ask: () => want("manual"),
    look: () => {
      look()
      Queue.offerUnsafe(retries, undefined)
    },
    end: (id, end) => {
      ended.push({ id, end })
      look()
    },
    whenSettled: (done) => {
      if (wanted === undefined && !isAsking) done()
      else waiting.push(done)
      return () => {
        waiting = waiting.filter((one) => one !== done)
      }
    },
    places: (id) => link.once((client) => client.suggestionPlaces({ page, id })),
    lost: () => {
      state = initial
      reports.forget()
      clear()
      onState()
      look()
      Queue.offerUnsafe(retries, undefined)
    },
    run: Effect.andThen(Effect.all([follow, work], { concurrency: "unbounded" }), Effect.never)
  }
}
