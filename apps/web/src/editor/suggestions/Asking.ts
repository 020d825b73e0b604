/** Asks for suggestions in the shown file, once the server knows its text, and shows the answer. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { Suggestion, SuggestionAnswer } from "@signalbox/contracts/Suggestions"
import { announce } from "../../browser/announcer.ts"
import type { Store } from "../../browser/Store.ts"
import { isFree } from "../reporting/access.ts"
import type { Ends } from "./Ends.ts"
import type { FollowedFile } from "../reporting/FollowedFiles.ts"
import { offeredIn } from "./offers.ts"
import { positionOf } from "../reporting/positions.ts"
import type { Questions, Trigger } from "./Questions.ts"
import type { Reporter } from "../reporting/Reporter.ts"
import { clear, lookAhead, offerIn, put, say } from "./showing.ts"
import type { Note, Status } from "./Status.ts"

interface Around {
  readonly threadId: ThreadId
  readonly status: Store<Status>
  readonly questions: Questions
  readonly reporter: Pick<Reporter, "look" | "versionOf">
  readonly ends: Ends
  readonly isPaused: (path: string) => boolean
  /** Shows it in the line below the text. */
  readonly note: (said: Note) => void
}

/** Shows and says why nothing is seen, after somebody has asked by hand. */
const tell = (words: string, { note }: Around): void => {
  note({ words, why: [], lasts: false })
  announce(`${words}.`)
}

/** Asks what is wanted for a file that is on the screen, if that may be done now. */
export const ask = (one: FollowedFile, around: Around): void => {
  const { isPaused, questions, reporter, status } = around
  const trigger = questions.wanted()
  const buffer = one.file.buffer()
  if (trigger === undefined || buffer?.view === undefined) return
  const { lineEnd, state, view } = buffer
  const { main, ranges } = state.selection
  const isByHand = trigger === "manual"
  if (view.composing) return
  if (!isFree(one.file.state.get()) || isPaused(one.path) || ranges.length > 1) {
    if (isByHand) tell("Nothing is suggested here now", around)
    return questions.drop()
  }
  // A person may ask about a withheld file: the list of what is never sent may have changed.
  const isWithheld = status.get().withheld.has(one.path)
  if (!isByHand && (!view.hasFocus || !main.empty || isWithheld)) return questions.drop()
  const version = reporter.versionOf(one)
  if (version === undefined) return
  const place = (offset: number) => positionOf(state.doc, lineEnd, offset)
  const selection = main.empty ? {} : { selection: { start: place(main.from), end: place(main.to) } }
  questions.ask({ path: one.path, version, position: place(main.head), ...selection }, (answer, asked) =>
    take(one, answer, { version, trigger: asked, isForSelection: !main.empty }, around)
  )
}

interface Asked {
  readonly version: number
  readonly trigger: Trigger
  readonly isForSelection: boolean
}

const take = (one: FollowedFile, answer: SuggestionAnswer, asked: Asked, around: Around): void => {
  const { questions, reporter, status } = around
  const isByHand = asked.trigger === "manual"
  const show = (change: Partial<Status>) => status.set({ ...status.get(), ...change })
  switch (answer.type) {
    case "suggestions": {
      const { dropped, latencyMs, suggestions } = answer
      const withheld = new Map(status.get().withheld)
      withheld.delete(one.path)
      const last = { latencyMs, count: suggestions.length, id: suggestions[0]?.id, dropped }
      show({ withheld, failed: undefined, last })
      return draw(one, suggestions, asked, around)
    }
    case "withheld":
      show({ withheld: new Map(status.get().withheld).set(one.path, answer.why), failed: undefined })
      if (isByHand) announce(`Nothing is suggested here. ${answer.why}`)
      return clear(one.file)
    case "notOpen":
      questions.want(asked.trigger)
      return reporter.look(one, true)
    case "paused":
      if (isByHand) announce(answer.why)
      return clear(one.file)
    case "off":
      return clear(one.file)
    case "resting":
    case "elsewhere":
    case "overtaken":
      return
  }
}

const answers = new WeakMap<FollowedFile, ReadonlyArray<Suggestion>>()

/** A suggestion of the latest answer for a file. */
export const answeredIn = (one: FollowedFile, id: string): Suggestion | undefined =>
  answers.get(one)?.find((suggestion) => suggestion.id === id)

/** Shows suggestions for the text that they were made for. */
const draw = (
  one: FollowedFile,
  suggestions: ReadonlyArray<Suggestion>,
  { isForSelection, trigger, version }: Asked,
  around: Around
): void => {
  const { ends, reporter, threadId } = around
  const buffer = one.file.buffer()
  if (buffer === undefined || reporter.versionOf(one) !== version) return
  answers.set(one, suggestions)
  const before = offerIn(one.file)
  const all = suggestions.flatMap((suggestion) => {
    const drawn = offeredIn(one.path, buffer.state.doc, buffer.lineEnd, suggestion)
    // What can't be drawn is not left open.
    if (drawn === undefined) ends.end(suggestion.id, "ignored")
    return drawn ?? []
  })
  const shownBefore = before?.all[before.at]?.id
  const at = Math.max(
    0,
    all.findIndex(({ id }) => id === shownBefore)
  )
  put(one.file, all.length === 0 ? undefined : { all, at, isForSelection })
  if (all[at] !== undefined && all[at].id !== shownBefore) say(one.file)
  void lookAhead(threadId, one.file)
  if (all.length === 0 && trigger === "manual") tell("Nothing is suggested here", around)
}
