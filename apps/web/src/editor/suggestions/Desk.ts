/**
 * Suggestions for the open files of one thread: the server knows what is in them, is asked when people pause, and hears
 * what became of each suggestion.
 */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { announce } from "../../browser/announcer.ts"
import type { Store } from "../../browser/Store.ts"
import { problemOf } from "../../connection/commands.ts"
import { link } from "../../connection/link.ts"
import { reportDocuments, suggestEdits } from "../../connection/suggestions.ts"
import type { EditorAccess } from "../reporting/access.ts"
import type { Actions } from "./actions.ts"
import { ask } from "./Asking.ts"
import * as Ends from "./Ends.ts"
import { suggesting } from "./extension.ts"
import * as FollowedFiles from "../reporting/FollowedFiles.ts"
import * as PlaceChanges from "./PlaceChanges.ts"
import type { ChosenFile } from "./places.ts"
import * as Questions from "./Questions.ts"
import * as Reporter from "../reporting/Reporter.ts"
import { clear, lookAhead, offerIn, say } from "./showing.ts"
import type { Note, Status } from "./Status.ts"
import * as Steps from "./Steps.ts"
import { done } from "./words.ts"

export interface Desk {
  /** The suggestion whose places are shown. */
  readonly many: Steps.Steps["many"]
  /** Changes the chosen places, each file as soon as it can be changed. Undefined: none. */
  readonly choose: (chosen: ReadonlyArray<ChosenFile> | undefined) => void
  /** Somebody asks by hand. */
  readonly ask: (path: string) => void
  /** Asks about the file on the screen once more, wherever people are. */
  readonly retry: () => void
  /** Gives the keys back to the text on the screen. */
  readonly back: () => void
  /** A language server finds something new in a file. */
  readonly diagnosed: (path: string) => void
  /** Something that decides about suggestions has changed. */
  readonly look: () => void
  /** Another desk of the server knows nothing of this page. */
  readonly again: () => void
  /** People have read what was left out. */
  readonly read: () => void
  readonly stop: () => void
}

export const make = (threadId: ThreadId, editor: EditorAccess, status: Store<Status>): Desk => {
  const show = (change: Partial<Status>) => status.set({ ...status.get(), ...change })
  const isPaused = (path: string) => status.get().paused.has(path)
  /** The page says elsewhere that it is not connected. */
  const failed = (error: unknown) => {
    if (link.get().state === "open") show({ failed: problemOf(error) })
  }

  const ends = Ends.make(threadId)
  const questions = Questions.make((question, signal) => suggestEdits(threadId, question, signal), failed)
  const note = (said: Note | undefined) => show({ note: said })
  /** People do something else. */
  const goOn = () => {
    if (status.get().note?.lasts === false) note(undefined)
  }
  const changes = PlaceChanges.make({ open: editor.open, isPaused, ends, note })
  const reporter = Reporter.make(
    async (reports) => {
      await ends.heard()
      const taken = await reportDocuments(threadId, reports)
      const withheld = new Map(status.get().withheld)
      for (const report of reports) if (report.type === "opened") withheld.delete(report.path)
      for (const { path, why } of taken.withheld) withheld.set(path, why)
      show({ withheld, failed: undefined })
      return taken
    },
    () => {
      const one = files.shown()
      if (one !== undefined) ask(one, { threadId, status, questions, reporter, ends, isPaused, note })
    },
    failed
  )
  const steps = Steps.make(editor, ends, note, () => {
    questions.want("automatic")
    reporter.look()
  })

  const actionsOf = (path: string): Actions => {
    const withOne = (act: (one: FollowedFiles.FollowedFile) => void) => () => {
      const one = files.get(path)
      if (one !== undefined) act(one)
    }
    return {
      typed: withOne(() => {
        goOn()
        questions.typed()
        reporter.look()
      }),
      // The file is on the screen after this call. A note about another file goes.
      appeared: () =>
        setTimeout(
          withOne((one) => {
            goOn()
            steps.arrive(one)
          })
        ),
      moved: withOne(() => {
        goOn()
        questions.goOn()
        reporter.look()
      }),
      changed: withOne(() => {
        questions.drop()
        reporter.look()
      }),
      composed: () => reporter.look(),
      accepted: (edit, before) => {
        ends.end(edit.id, "accepted")
        note(undefined)
        announce(done(before, edit))
      },
      dismissed: (what) => {
        ends.end(what.id, "rejected")
        announce("Dismissed.")
      },
      went: withOne(({ file }) => say(file)),
      turned: withOne(({ file }) => {
        say(file)
        void lookAhead(threadId, file)
      }),
      step: (id) =>
        withOne((one) => {
          // Its answer would end what people look at now.
          questions.drop()
          steps.take(one, id)
        })(),
      ask: withOne(() => {
        note(undefined)
        questions.want("manual")
        reporter.look()
      })
    }
  }

  const files = FollowedFiles.make(editor, reporter, {
    extension: (path) => suggesting(actionsOf(path)),
    isPaused,
    onHeld: ({ file }, isExtended) => {
      if (isExtended) clear(file)
      questions.drop()
    },
    // Whoever waited for this gets an answer.
    onFree: questions.goOn,
    onLook: (one) => {
      steps.arrive(one)
      changes.look(one.file)
    }
  })

  const back = () => files.shown()?.file.buffer()?.view?.focus()

  const choose = (chosen: ReadonlyArray<ChosenFile> | undefined) => {
    const about = steps.many.get()
    steps.many.set(undefined)
    // The list of places is gone after this call.
    setTimeout(back)
    if (about === undefined) return
    note(undefined)
    if (chosen === undefined) {
      ends.end(about.id, "rejected")
      return announce("Dismissed.")
    }
    changes.begin(about.id, chosen)
    for (const { file } of files.all()) changes.look(file)
  }

  return {
    many: steps.many,
    choose,
    ask: (path) => {
      note(undefined)
      questions.want("manual")
      files.get(path)?.file.buffer()?.view?.focus()
      reporter.look()
    },
    back,
    retry: () => {
      questions.want("manual")
      reporter.look()
    },
    diagnosed: (path) => {
      const one = files.shown()
      // An answer would replace what people read now.
      if (one?.path !== path || offerIn(one.file) !== undefined) return
      questions.diagnosed()
      reporter.look()
    },
    look: files.look,
    again: () => {
      for (const { file } of files.all()) clear(file)
      questions.drop()
      questions.goOn()
      reporter.again()
    },
    read: () => note(undefined),
    stop: () => {
      questions.drop()
      reporter.stop()
      files.stop()
    }
  }
}
