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
import type { EditorAccess } from "./access.ts"
import type { Actions } from "./actions.ts"
import { ask } from "./Asking.ts"
import * as Ends from "./Ends.ts"
import { suggesting } from "./extension.ts"
import * as FollowedFiles from "./FollowedFiles.ts"
import * as PlaceChanges from "./PlaceChanges.ts"
import type { ChosenFile } from "./places.ts"
import * as Questions from "./Questions.ts"
import * as Reporter from "./Reporter.ts"
import { clear, lookAhead, say } from "./showing.ts"
import type { Status } from "./Status.ts"
import * as Steps from "./Steps.ts"
import { done } from "./words.ts"

export interface Desk {
  /** The suggestion whose places are shown. */
  readonly many: Steps.Steps["many"]
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

export const make = (threadId: ThreadId, editor: EditorAccess, status: Store<Status>): Desk => {
  const show = (change: Partial<Status>) => status.set({ ...status.get(), ...change })
  const isPaused = (path: string) => status.get().paused.has(path)
  /** The page says elsewhere that it is not connected. */
  const failed = (error: unknown) => {
    if (link.get().state === "open") show({ failed: problemOf(error) })
  }

  const ends = Ends.make(threadId)
  const questions = Questions.make((question, signal) => suggestEdits(threadId, question, signal), failed)
  const changes = PlaceChanges.make(editor.open, isPaused)
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
      if (one !== undefined) ask(one, { threadId, status, questions, reporter, ends, isPaused })
    },
    failed
  )
  const steps = Steps.make(editor, ends, () => {
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
        questions.typed()
        reporter.look()
      }),
      // The file is on the screen after this call.
      appeared: () => setTimeout(withOne(steps.arrive)),
      moved: withOne(() => {
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
      step: (id) => withOne((one) => steps.take(one, id))(),
      ask: withOne(() => {
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

  const choose = (chosen: ReadonlyArray<ChosenFile> | undefined) => {
    const about = steps.many.get()
    steps.many.set(undefined)
    // The list of places is gone, and the text has the keys again.
    setTimeout(() => files.shown()?.file.buffer()?.view?.focus())
    if (about === undefined) return
    if (chosen === undefined) {
      ends.end(about.id, "rejected")
      return announce("Dismissed.")
    }
    ends.end(about.id, "accepted")
    changes.begin(chosen)
    for (const { file } of files.all()) changes.look(file)
  }

  return {
    many: steps.many,
    choose,
    ask: (path) => {
      questions.want("manual")
      files.get(path)?.file.buffer()?.view?.focus()
      reporter.look()
    },
    look: files.look,
    again: () => {
      for (const { file } of files.all()) clear(file)
      questions.drop()
      questions.goOn()
      reporter.again()
    },
    stop: () => {
      questions.drop()
      reporter.stop()
      files.stop()
    }
  }
}
