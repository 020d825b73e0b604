/**
 * Suggestions for the open files of one thread: the server knows what is in them, is asked when people pause, and hears
 * what became of each suggestion.
 */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ReportsTaken, Suggestion, SuggestionAnswer } from "@signalbox/contracts/Suggestions"
import { announce } from "../../browser/announcer.ts"
import { makeStore, type Store } from "../../browser/Store.ts"
import { problemOf } from "../../connection/commands.ts"
import { link } from "../../connection/link.ts"
import { endSuggestion, reportDocuments, suggestEdits, suggestionPlaces } from "../../connection/suggestions.ts"
import { type EditedFile, type EditorAccess, isFree } from "./access.ts"
import { type Actions, goTo } from "./actions.ts"
import { suggesting } from "./extension.ts"
import { isNear, type Offer, offer, showOffer } from "./offer.ts"
import { editIn, offeredIn } from "./offers.ts"
import * as PlaceChanges from "./PlaceChanges.ts"
import { type ChosenFile, partsOf } from "./places.ts"
import { offsetOf, positionOf } from "./positions.ts"
import * as Questions from "./Questions.ts"
import * as Reporter from "./Reporter.ts"
import type { Status } from "./Status.ts"
import { done, heard } from "./words.ts"

/** A suggestion whose places people choose. */
export type Many = Extract<Suggestion, { readonly kind: "rename" | "searchAndReplace" }>

export interface Desk {
  /** Its places are shown. */
  readonly many: Store<Many | undefined>
  /** Changes the chosen places, each file as soon as it can be changed. Undefined: none. */
  readonly choose: (chosen: ReadonlyArray<ChosenFile> | undefined) => void
  /** Somebody asks by hand. */
  readonly ask: (path: string) => void
  /** Something that decides about suggestions has changed. */
  readonly look: () => void
  /** Another desk of the server knows nothing of this page. */
  readonly again: () => void
  readonly stop: () => void
}

/** A file, and what is done about it. */
interface Followed extends Reporter.Reportable {
  readonly file: EditedFile
  isExtended: boolean
  /** The latest answer. */
  suggestions: ReadonlyArray<Suggestion>
  wasSaving: boolean
  wasFree: boolean
  readonly look: () => void
  readonly stop: () => void
}

export const make = (threadId: ThreadId, editor: EditorAccess, status: Store<Status>): Desk => {
  const followed = new Map<string, Followed>()
  /** A place in another file, or an edit of it: for when it is on the screen. */
  let carried: Extract<Suggestion, { readonly kind: "edit" | "jump" }> | undefined
  /** Whether people have changed anything yet. Before, a caret that moves asks nobody. */
  let isEdited = false
  const many = makeStore<Many | undefined>(undefined)
  /** What has ended is heard before the change that ended it. */
  let ends: Promise<unknown> = Promise.resolve()
  const show = (change: Partial<Status>) => status.set({ ...status.get(), ...change })

  const end = (id: string, how: "accepted" | "ignored" | "rejected") => {
    const ended = endSuggestion(threadId, id, how).catch(() => {
      // Without an answer, the suggestion has ended with its connection.
    })
    ends = Promise.all([ends, ended])
  }

  /** The page says elsewhere that it is not connected. */
  const failed = (error: unknown) => {
    if (link.get().state === "open") show({ failed: problemOf(error) })
  }

  const questions = Questions.make((question, signal) => suggestEdits(threadId, question, signal), failed)

  const isPaused = (path: string) => status.get().paused.has(path)
  const changes = PlaceChanges.make(editor.open, isPaused)
  const shown = (): Followed | undefined => [...followed.values()].find(({ file }) => file.buffer()?.view !== undefined)

  const put = (one: Followed, next: Offer | undefined) => {
    const buffer = one.file.buffer()
    if (buffer === undefined || buffer.state.field(offer, false) === next) return
    buffer.dispatch({ effects: showOffer.of(next) })
  }
  const clear = (one: Followed) => {
    if (one.file.buffer()?.state.field(offer, false) !== undefined) put(one, undefined)
  }
  const say = ({ file }: Followed) => {
    const state = file.buffer()?.state
    const now = state?.field(offer, false)
    if (state === undefined || now === undefined) return
    const sentence = heard(state.doc, now, (edit) => isNear(state, edit))
    if (sentence !== undefined) announce(sentence)
  }

  const ask = () => {
    const one = shown()
    const trigger = questions.wanted()
    const buffer = one?.file.buffer()
    if (one === undefined || trigger === undefined || buffer?.view === undefined) return
    const { lineEnd, state, view } = buffer
    const { main, ranges } = state.selection
    const isByHand = trigger === "manual"
    if (view.composing) return
    if (!isFree(one.file.state.get()) || isPaused(one.path) || ranges.length > 1) {
      if (isByHand) announce("Nothing is suggested here now.")
      return questions.drop()
    }
    // What is not sent is asked for by hand only: the list of what is never sent may have changed.
    const isWithheld = status.get().withheld.has(one.path)
    if (!isByHand && (!view.hasFocus || !main.empty || isWithheld)) return questions.drop()
    const version = reporter.versionOf(one)
    if (version === undefined) return
    const place = (offset: number) => positionOf(state.doc, lineEnd, offset)
    const selection = main.empty ? {} : { selection: { start: place(main.from), end: place(main.to) } }
    questions.ask({ path: one.path, version, position: place(main.head), ...selection }, (answer, asked) =>
      take(one, version, answer, asked, !main.empty)
    )
  }

  const reporter = Reporter.make(
    async (reports): Promise<ReportsTaken> => {
      await ends
      const taken = await reportDocuments(threadId, reports)
      const withheld = new Map(status.get().withheld)
      for (const report of reports) if (report.type === "opened") withheld.delete(report.path)
      for (const { path, why } of taken.withheld) withheld.set(path, why)
      show({ withheld, failed: undefined })
      return taken
    },
    ask,
    failed
  )

  const take = (
    one: Followed,
    version: number,
    answer: SuggestionAnswer,
    trigger: Questions.Trigger,
    isForSelection: boolean
  ) => {
    const buffer = one.file.buffer()
    switch (answer.type) {
      case "suggestions": {
        const { dropped, latencyMs, suggestions } = answer
        const [first] = suggestions
        const withheld = new Map(status.get().withheld)
        withheld.delete(one.path)
        show({
          withheld,
          failed: undefined,
          last: { latencyMs, count: suggestions.length, id: first?.id, dropped }
        })
        if (buffer === undefined || reporter.versionOf(one) !== version) return
        one.suggestions = suggestions
        const before = buffer.state.field(offer, false)
        const all = suggestions.flatMap((suggestion) => {
          const drawn = offeredIn(one.path, buffer.state.doc, buffer.lineEnd, suggestion)
          // What can't be drawn is not left open.
          if (drawn === undefined) end(suggestion.id, "ignored")
          return drawn ?? []
        })
        const at = Math.max(
          0,
          all.findIndex(({ id }) => id === before?.all[before.at]?.id)
        )
        put(one, all.length === 0 ? undefined : { all, at, isForSelection })
        if (all[at] !== undefined && all[at].id !== before?.all[before.at]?.id) say(one)
        void lookAhead(one)
        if (all.length === 0 && trigger === "manual") announce("Nothing is suggested here.")
        return
      }
      case "withheld":
        show({ withheld: new Map(status.get().withheld).set(one.path, answer.why), failed: undefined })
        if (trigger === "manual") announce(`Nothing is suggested here. ${answer.why}`)
        return clear(one)
      case "notOpen":
        questions.want(trigger)
        return reporter.look(one, true)
      case "paused":
        if (trigger === "manual") announce(answer.why)
        return clear(one)
      case "off":
        return clear(one)
      case "resting":
      case "elsewhere":
      case "overtaken":
        return
    }
  }

  /** Goes on with a suggestion in another file, once that is on the screen. */
  const arrive = (one: Followed) => {
    const buffer = one.file.buffer()
    const suggestion = carried
    if (suggestion?.path !== one.path || buffer?.view === undefined || !isFree(one.file.state.get())) return
    carried = undefined
    const { lineEnd, state, view } = buffer
    if (suggestion.kind === "jump") {
      goTo(view, undefined, offsetOf(state.doc, lineEnd, suggestion.position))
      questions.want("automatic")
      return reporter.look()
    }
    const edit = editIn(state.doc, lineEnd, suggestion)
    if (edit === undefined) return
    put(one, { all: [edit], at: 0 })
    goTo(view, undefined, edit.changes[0]?.from)
    say(one)
  }

  /** Draws the line of another file that the shown suggestion leads to. */
  const lookAhead = async (one: Followed) => {
    const now = one.file.buffer()?.state.field(offer, false)
    const shownNow = now?.all[now.at]
    if (shownNow?.type !== "step" || shownNow.preview.length > 0) return
    const places = await suggestionPlaces(threadId, shownNow.id).catch(() => undefined)
    const place = places?.files[0]?.places[0]
    const latest = one.file.buffer()?.state.field(offer, false)
    if (place === undefined || latest?.all[latest.at]?.id !== shownNow.id) return
    const [before, old, next, after] = partsOf(place)
    const preview = [
      { text: before, kind: "same" },
      { text: old, kind: "old" },
      { text: next.split("\n")[0] ?? "", kind: "new" },
      { text: after, kind: "same" }
    ] as const
    put(one, {
      ...latest,
      all: latest.all.map((each) =>
        each === shownNow ? { ...shownNow, preview: preview.filter(({ text }) => text !== "") } : each
      )
    })
  }

  const choose = (chosen: ReadonlyArray<ChosenFile> | undefined) => {
    const about = many.get()
    many.set(undefined)
    refocus()
    if (about === undefined) return
    if (chosen === undefined) {
      end(about.id, "rejected")
      return announce("Dismissed.")
    }
    end(about.id, "accepted")
    changes.begin(chosen)
    for (const { file } of followed.values()) changes.look(file)
  }

  /** The list of places is gone, and the text has the keys again. */
  const refocus = () => setTimeout(() => shown()?.file.buffer()?.view?.focus())

  const step = (one: Followed, id: string) => {
    const suggestion = one.suggestions.find((each) => each.id === id)
    if (suggestion === undefined) return
    const buffer = one.file.buffer()
    clear(one)
    switch (suggestion.kind) {
      case "jump": {
        end(id, "accepted")
        const line = suggestion.position.line + 1
        if (suggestion.path !== one.path) {
          carried = suggestion
          return editor.show(suggestion.path, line)
        }
        if (buffer?.view === undefined) return
        goTo(buffer.view, undefined, offsetOf(buffer.state.doc, buffer.lineEnd, suggestion.position))
        announce(`Line ${line}.`)
        return
      }
      case "edit": {
        carried = suggestion
        return editor.show(suggestion.path, (suggestion.edits[0]?.range.start.line ?? 0) + 1)
      }
      case "rename":
      case "searchAndReplace":
        return many.set(suggestion)
    }
  }

  const actionsOf = (one: () => Followed | undefined): Actions => {
    const withOne = (act: (one: Followed) => void) => () => {
      const known = one()
      if (known !== undefined) act(known)
    }
    return {
      typed: withOne(() => {
        isEdited = true
        questions.drop()
        questions.want("automatic")
        reporter.look()
      }),
      // The file is on the screen after this call.
      appeared: () => setTimeout(withOne(arrive)),
      moved: withOne(() => {
        if (isEdited) questions.want("automatic")
        reporter.look()
      }),
      changed: withOne(() => {
        questions.drop()
        reporter.look()
      }),
      composed: () => reporter.look(),
      accepted: (edit, before) => {
        end(edit.id, "accepted")
        announce(done(before, edit))
      },
      dismissed: (what) => {
        end(what.id, "rejected")
        announce("Dismissed.")
      },
      went: withOne(say),
      turned: withOne((known) => {
        say(known)
        void lookAhead(known)
      }),
      step: (id) => withOne((known) => step(known, id))(),
      ask: withOne(() => {
        questions.want("manual")
        reporter.look()
      })
    }
  }

  const follow = (path: string): Followed => {
    const file = editor.file(path)
    const actions = actionsOf(() => followed.get(path))
    const look = () => {
      const now = file.state.get()
      const isHere = now.text === "here" && file.buffer() !== undefined
      if (isHere && !one.isExtended) {
        one.isExtended = true
        editor.extend(file, suggesting(actions))
      }
      if (one.wasSaving && !now.saving && !now.unsaved && now.failed === undefined) reporter.saved(one)
      one.wasSaving = now.saving
      const free = isFree(now) && !isPaused(path)
      if (!free) {
        if (one.isExtended) clear(one)
        questions.drop()
      }
      // Whoever waited for this gets an answer.
      if (free && !one.wasFree && isEdited) questions.want("automatic")
      reporter.look(one, free && !one.wasFree)
      one.wasFree = free
      arrive(one)
      changes.look(file)
    }
    const one: Followed = {
      path,
      file,
      isExtended: false,
      suggestions: [],
      wasSaving: false,
      wasFree: false,
      text: () => {
        const { holder, text } = file.state.get()
        return text === "here" && holder !== "elsewhere" ? file.buffer() : undefined
      },
      look,
      stop: file.state.subscribe(look)
    }
    return one
  }

  const leave = (one: Followed) => {
    one.stop()
    reporter.remove(one)
    followed.delete(one.path)
    if (one.isExtended) editor.extend(one.file, [])
  }

  const followTabs = () => {
    const paths = editor.tabs.get()
    for (const one of followed.values()) if (!paths.includes(one.path)) leave(one)
    for (const path of paths) {
      if (followed.has(path)) continue
      const one = follow(path)
      followed.set(path, one)
      reporter.add(one)
      one.look()
    }
  }
  const stopTabs = editor.tabs.subscribe(followTabs)
  followTabs()

  return {
    many,
    choose,
    ask: (path) => {
      questions.want("manual")
      followed.get(path)?.file.buffer()?.view?.focus()
      reporter.look()
    },
    look: () => {
      for (const one of followed.values()) one.look()
    },
    again: () => {
      for (const one of followed.values()) clear(one)
      questions.drop()
      if (isEdited) questions.want("automatic")
      reporter.again()
    },
    stop: () => {
      stopTabs()
      questions.drop()
      reporter.stop()
      for (const one of followed.values()) leave(one)
    }
  }
}
