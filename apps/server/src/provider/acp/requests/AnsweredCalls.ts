/** Calls that were allowed: whether they stay what was allowed. A change after the answer is told in the transcript. */
import { type FileDiff, isRunning, type ToolCall } from "@signalbox/contracts/ToolCall"
import type { Place } from "../projection/EventSink.ts"
import type { EventDraft } from "../profile/EventDraft.ts"
import * as RequestFacts from "@signalbox/permission/RequestFacts"

interface Allowed {
  readonly place: Place
  readonly now: () => ToolCall
  /** The facts that were allowed, or, after a change was told, those of the last change. */
  facts: RequestFacts.RequestFacts
  tool: ToolCall
  told: number
}

/** Calls that are compared, and changes of one that are told. */
const maxCalls = 64
const maxTold = 4

export interface AnsweredCalls {
  readonly add: (
    entry: { readonly place: Place; readonly now: () => ToolCall; readonly request: { readonly tool: ToolCall } },
    facts: RequestFacts.RequestFacts
  ) => void
  /** Compares every call with what was allowed, and tells what differs. Synchronous. */
  readonly compare: () => void
}

export const make = (emit: (draft: EventDraft) => void): AnsweredCalls => {
  const calls: Array<Allowed> = []

  const compareOne = (call: Allowed) => {
    const tool = call.now()
    if (call.told > maxTold || RequestFacts.isSameCall(call.tool, tool)) return
    const before = call.facts
    const after = RequestFacts.withCall(before, tool)
    call.tool = tool
    if (RequestFacts.changesBetween(before, after).length === 0 || isItsResult(before, after, tool)) return
    call.facts = after
    call.told += 1
    emit({
      type: "runtime.warning",
      ...call.place,
      message: "The agent changed a call after it was allowed. What it did may not be what the request showed.",
      detail:
        call.told > maxTold ? "Further changes of this call are not listed." : RequestFacts.tellChanges(before, after)
    })
  }

  return {
    add: ({ now, place, request }, facts) => {
      calls.push({ place, now, facts, tool: request.tool, told: 0 })
      if (calls.length > maxCalls) calls.shift()
    },
    compare: () => {
      for (const call of calls) compareOne(call)
    }
  }
}

/**
 * Agents tell what an edit did when it is done: a difference of a file that was named, one that was shown in other pieces, or none.
 * That is its result, and no change of what was allowed.
 */
const isItsResult = (
  before: RequestFacts.RequestFacts,
  { diffs, input, kind }: RequestFacts.RequestFacts,
  tool: ToolCall
): boolean => {
  if (kind !== "edit" || kind !== before.kind || input !== before.input) return false
  const isOver = !isRunning(tool)
  if (before.diffs.length > 0)
    return (isOver || diffs.length > 0) && diffs.every((diff) => isShownIn(before.diffs, diff))
  const named = new Set(before.paths.map(({ path }) => path))
  return isOver && diffs.every(({ path }) => named.has(path))
}

/** Whether a difference is a piece of one that was shown. It may also be those of its file with the lines around them. */
const isShownIn = (shown: ReadonlyArray<FileDiff>, { newText, oldText, path }: FileDiff): boolean => {
  const ofFile = shown.filter((diff) => diff.path === path)
  const isPiece = ofFile.some(
    (diff) => holds(diff.newText, newText) && (diff.oldText === null || holds(diff.oldText, oldText ?? ""))
  )
  const made = ofFile.reduce(
    (text, diff) =>
      diff.oldText === null || diff.oldText === "" ? text : text.replaceAll(diff.oldText, () => diff.newText),
    oldText ?? ""
  )
  return isPiece || (made === newText && made !== oldText)
}

/** Whether these are whole lines of the text. */
const holds = (text: string, lines: string): boolean =>
  text === lines || (lines !== "" && framed(text).includes(framed(lines)))

const framed = (text: string): string => `\n${text.replace(/\n$/, "")}\n`
