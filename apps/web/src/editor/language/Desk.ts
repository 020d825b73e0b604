/** Language servers for the open files of one thread: they know what is in them, and are asked about places in them. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { CodeLocation, LanguageQuestion } from "@signalbox/contracts/LanguageFeatures"
import { EditorView, ViewPlugin } from "@codemirror/view"
import { announce } from "../../browser/announcer.ts"
import { makeStore, type Store } from "../../browser/Store.ts"
import { problemOf } from "../../connection/commands.ts"
import { hoverAt, placesOf, reportToLanguage } from "../../connection/language.ts"
import type { EditorAccess } from "../reporting/access.ts"
import { changeLog } from "../reporting/changeLog.ts"
import * as FollowedFiles from "../reporting/FollowedFiles.ts"
import { offsetOf, positionOf } from "../reporting/positions.ts"
import * as Reporter from "../reporting/Reporter.ts"
import { type Finding, findings, findingsAt, findingsOf, setFindings } from "./findings.ts"
import { foundIn, type Knowledge } from "./Knowledge.ts"
import { looking } from "./looking.ts"
import { placed } from "./placing.ts"
import type { Card, Places } from "./Shown.ts"
import { nothingFound, spoken } from "./words.ts"

export interface Desk {
  readonly card: Store<Card | undefined>
  readonly places: Store<Places | undefined>
  /** Goes to a place in a file that the page can show. */
  readonly goTo: (location: CodeLocation) => void
  /** Goes to a finding of the file on the screen. */
  readonly goToFinding: (path: string, finding: Finding) => void
  /** The findings of a file, in the order of their places. */
  readonly findingsOf: (path: string) => ReadonlyArray<Finding>
  /** Language servers know something else. */
  readonly look: () => void
  /** The server knows nothing of this page's files. */
  readonly again: () => void
  /** The pointer is on the card, or has left it. */
  readonly hold: (isHeld: boolean) => void
  readonly leave: () => void
  readonly stop: () => void
}

/** The word at an offset, or the place between two characters. */
const wordAt = ({ state }: EditorView, at: number) => {
  const { from, to } = state.wordAt(at) ?? { from: at, to: at }
  return { from, to }
}

/** Milliseconds in which a pointer may go from the text to the card. */
const way = 300

export const make = (threadId: ThreadId, editor: EditorAccess, known: Store<Knowledge>): Desk => {
  const card = makeStore<Card | undefined>(undefined)
  const places = makeStore<Places | undefined>(undefined)
  /** The place that the caret goes to in files that are not on the screen yet. */
  const waiting = new Map<string, CodeLocation>()
  /** The question that waits for its answer. */
  let question: { readonly over: AbortController; readonly by: "pointer" | "key" } | undefined
  let leaving: ReturnType<typeof setTimeout> | undefined
  /** The part of the text that people look at. What keys have asked does not follow the pointer. */
  let about: { readonly from: number; readonly to: number; readonly isByKey: boolean } | undefined
  let isHeld = false
  let isOver = false

  const note = (words: string | undefined) => {
    if (known.get().note !== words) known.set({ ...known.get(), note: words })
    if (words !== undefined) announce(words)
  }
  /** Questions that wait until the server has the texts, or is known not to get them now. */
  const unsettled = new Set<() => void>()
  const settle = () => {
    for (const go of unsettled) go()
    unsettled.clear()
  }
  // The page says elsewhere that it is not connected, and all is reported again.
  const reporter = Reporter.make((reports) => reportToLanguage(threadId, reports), settle, settle)
  const settled = (one: FollowedFiles.FollowedFile): Promise<void> | undefined =>
    reporter.versionOf(one) !== undefined
      ? undefined
      : new Promise((go) => {
          unsettled.add(go)
          reporter.look(one)
        })
  const nameOf = (server: string) => known.get().servers.find(({ id }) => id === server)?.name ?? server

  /**
   * Asks about a place once the server has the text. The question before it is over. Answers nothing if people have typed
   * or asked something else meanwhile.
   */
  const ask = async <A>(
    one: FollowedFiles.FollowedFile,
    at: number,
    by: "pointer" | "key",
    asking: (question: LanguageQuestion, signal: AbortSignal) => Promise<A>
  ): Promise<A | undefined> => {
    question?.over.abort()
    const over = new AbortController()
    const mine = (question = { over, by })
    const buffer = one.file.buffer()
    if (buffer === undefined) return undefined
    const position = positionOf(buffer.state.doc, buffer.lineEnd, at)
    const version = buffer.state.field(changeLog).number
    const isOld = () => over.signal.aborted || isOver || one.file.buffer()?.state.field(changeLog).number !== version
    try {
      await settled(one)
      const answer = isOld() ? undefined : await asking({ path: one.path, version, position }, over.signal)
      return isOld() ? undefined : answer
    } catch (error) {
      // A question that is over needs no answer.
      if (isOld()) return undefined
      throw error
    } finally {
      if (question === mine) question = undefined
    }
  }

  /** Says why a question of people has no answer. */
  const failed = (error: unknown) => {
    const { cause, title } = problemOf(error)
    note(`${title} ${cause}`)
  }

  const leave = () => {
    question?.over.abort()
    clearTimeout(leaving)
    isHeld = false
    about = undefined
    card.set(undefined)
  }

  const show = (view: EditorView, at: number, content: Pick<Card, "findings" | "parts">, isSaid: boolean) => {
    if (content.findings.length === 0 && content.parts.length === 0) {
      if (isSaid) note("Nothing is known about this place.")
      return
    }
    const place = view.coordsAtPos(at)
    if (place === null) return
    if (isSaid) announce(spoken(content))
    card.set({ x: place.left, top: place.top, bottom: place.bottom, ...content })
  }

  const withFile = (view: EditorView, act: (one: FollowedFiles.FollowedFile) => void) => {
    for (const one of files.all()) if (one.file.buffer()?.view === view) act(one)
  }

  /** The server has lost the text, such as to a page that edits the file now. */
  const notOpen = (one: FollowedFiles.FollowedFile) => {
    reporter.look(one, true)
    note("Language servers get the text of this file now. Ask again.")
  }

  const find = (what: Places["what"]) => (view: EditorView, at: number) =>
    withFile(view, (one) => {
      leave()
      note(undefined)
      ask(one, at, "key", (asked, signal) => placesOf(what, threadId, asked, signal)).then((answer) => {
        if (answer === undefined) return
        if (answer.type === "notOpen") return notOpen(one)
        if (answer.type === "none") return note(answer.why)
        const [first] = answer.locations
        if (first === undefined) return note(what === "definitions" ? "No definition is known." : "No use is known.")
        if (what === "definitions" && answer.total === 1) {
          if (first.mayOpen) return desk.goTo(first)
          return note(`It is defined in ${first.path}, line ${first.range.start.line + 1}, outside of the folder.`)
        }
        places.set({ what, locations: answer.locations, total: answer.total })
      }, failed)
    })

  const extension = [
    changeLog,
    findings,
    looking({
      look: (view, at, by) =>
        withFile(view, (one) => {
          // A pointer that comes to rest ends no question of people.
          if (by === "pointer" && question?.by === "key") return
          if (by === "key") note(undefined)
          const here = findingsAt(view.state, at)
          if (here.length > 0 && by === "pointer") show(view, at, { findings: here, parts: [] }, false)
          about = { ...wordAt(view, at), isByKey: by === "key" }
          ask(one, at, by, (asked, signal) => hoverAt(threadId, asked, signal)).then(
            (answer) => {
              if (answer === undefined) return
              if (answer.type === "notOpen") return by === "key" ? notOpen(one) : reporter.look(one, true)
              const parts = answer.type === "hover" ? answer.parts : []
              if (by === "key" && answer.type === "none" && here.length === 0) return note(answer.why)
              show(view, at, { findings: findingsAt(view.state, at), parts }, by === "key")
            },
            by === "key"
              ? failed
              : () => {
                  // A pointer that rests is no question of people.
                }
          )
        }),
      point: (at) => {
        if (about === undefined || about.isByKey) return
        clearTimeout(leaving)
        if (at !== undefined && about.from <= at && at <= about.to) return
        leaving = setTimeout(() => isHeld || leave(), way)
      },
      leave,
      definition: find("definitions"),
      references: find("references"),
      finding: (view, by) => {
        const all = findingsOf(view.state)
        const { head } = view.state.selection.main
        const next =
          by > 0
            ? (all.find(({ from }) => from > head) ?? all[0])
            : (all.findLast(({ from }) => from < head) ?? all.at(-1))
        if (next === undefined) return withFile(view, ({ path }) => note(nothingFound(foundIn(known.get(), path))))
        leave()
        goTo(view, next.from)
        announce(spoken({ findings: [next], parts: [] }))
      }
    })
  ]

  const goTo = (view: EditorView, at: number) => {
    view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) })
    view.focus()
  }

  /** Puts the caret where people wanted to go, once the file is on the screen. */
  const arrive = ({ file, path }: FollowedFiles.FollowedFile) => {
    const location = waiting.get(path)
    const buffer = file.buffer()
    if (location === undefined || buffer?.view === undefined) return
    waiting.delete(path)
    goTo(buffer.view, offsetOf(buffer.state.doc, buffer.lineEnd, location.range.start))
  }

  const drawn = new Map<string, unknown>()
  /** Draws what is found in a file, unless that is what it shows. */
  const draw = ({ file, path }: FollowedFiles.FollowedFile) => {
    const now = known.get().findings.get(path)
    const buffer = file.buffer()
    if (buffer === undefined || buffer.state.field(changeLog, false) === undefined || drawn.get(path) === now) return
    drawn.set(path, now)
    buffer.dispatch({ effects: setFindings.of(placed(foundIn(known.get(), path), buffer, nameOf)) })
  }

  const files = FollowedFiles.make(editor, reporter, {
    extension: (path) => {
      drawn.delete(path)
      return [
        extension,
        EditorView.updateListener.of(({ docChanged }) => {
          if (!docChanged) return
          note(undefined)
          reporter.look()
        }),
        // The file is on the screen after this call. A note about another file goes.
        ViewPlugin.define(() => {
          setTimeout(() => {
            if (isOver) return
            note(undefined)
            files.look()
          })
          return {}
        })
      ]
    },
    onLook: (one) => {
      draw(one)
      arrive(one)
    }
  })

  const desk: Desk = {
    card,
    places,
    goTo: (location) => {
      const { path, range } = location
      const shown = files.shown()
      places.set(undefined)
      waiting.set(path, location)
      if (shown?.path === path) setTimeout(() => arrive(shown))
      else editor.show(path, range.start.line + 1)
    },
    goToFinding: (path, { from }) => {
      const view = files.get(path)?.file.buffer()?.view
      if (view !== undefined) setTimeout(() => goTo(view, from))
    },
    findingsOf: (path) => {
      const buffer = files.get(path)?.file.buffer()
      return buffer === undefined ? [] : findingsOf(buffer.state)
    },
    look: files.look,
    again: reporter.again,
    hold: (held) => {
      isHeld = held
      if (!held) leave()
    },
    leave,
    stop: () => {
      isOver = true
      leave()
      reporter.stop()
      files.stop()
    }
  }
  return desk
}
