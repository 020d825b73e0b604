/** Compares allowed calls with what people allowed. A change after the answer gives a warning in the transcript. */
import { type FileDiff, isRunning, type ToolCall } from "@signalbox/contracts/ToolCall"
import type { Place } from "../projection/EventSink.ts"
import type { EventDraft } from "../profile/EventDraft.ts"
import * as RequestFacts from "@signalbox/permission/RequestFacts"

interface Allowed {
  readonly place: Place
  readonly now: () => ToolCall
  /** The facts that were allowed. After a warning, the facts of the last change. */
  facts: RequestFacts.RequestFacts
  tool: ToolCall
  told: number
}

/** Most calls that are compared, and most warnings for one call. */
const maxCalls = 64
const maxTold = 4

export interface AnsweredCalls {
  readonly add: (
    entry: { readonly place: Place; readonly now: () => ToolCall; readonly request: { readonly tool: ToolCall } },
    facts: RequestFacts.RequestFacts
  ) => void
  /** Compares every call with what was allowed, and warns about differences. Synchronous. */
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
        call.told > maxTold ? "Further changes of this call are not listed." : RequestFacts.changesText(before, after)
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
 * Whether a change is only the result of an edit. Agents report what an edit did at its end: a diff of a named file, a
 * shown diff in other pieces, or no diff.
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

/**
 * Whether a diff is a piece of a shown one. It may also be the shown diffs of a file, together with the lines around
 * them.
 */
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

/** Whether `lines` are whole lines of the text. */
const holds = (text: string, lines: string): boolean =>
  text === lines || (lines !== "" && framed(text).includes(framed(lines)))

const framed = (text: string): string => `\n${text.replace(/\n$/, "")}\n`
