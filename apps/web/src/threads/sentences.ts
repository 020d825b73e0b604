/** What happened between two states of a thread, in sentences for those who listen. Ends only, never pieces. */
import { exitCodeOf, isRunning, wentWrong } from "@signalbox/contracts/ToolCall"
import { hasEnded } from "@signalbox/threads/TurnState"
import { runningTurn } from "@signalbox/threads/ThreadProjection"
import type { ItemView, ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { heldWords, holdReason } from "../composer/holdWords.ts"
import { statusWord } from "../design/status.ts"
import { asksOf } from "../words/asks.ts"
import { toolSubject, toolVerb } from "../words/toolWords.ts"

const spoken = (ms: number): string => {
  const seconds = Math.max(1, Math.round(ms / 1000))
  const part = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`
  if (seconds < 60) return part(seconds, "second")
  return `${part(Math.floor(seconds / 60), "minute")} ${part(seconds % 60, "second")}`
}

const ofTool = (item: ItemView, view: ThreadView): string | undefined => {
  if (item.type !== "tool" || isRunning(item.tool) || !wentWrong(item.tool)) return undefined
  const { endedAt, startedAt } = item.tool
  const exitCode = exitCodeOf(item.tool)
  const how = exitCode === undefined ? "failed" : `failed with exit code ${exitCode}`
  const after = endedAt === undefined ? "" : ` after ${spoken(endedAt - startedAt - asksOf(view).waitedMs(item))}`
  const next = runningTurn(view) === undefined ? "" : ` ${view.provider.name} goes on.`
  return `${toolVerb(item.tool)} ${toolSubject(item.tool, view.cwd).text}: ${how}${after}.${next}`
}

const ofTurn = (turn: TurnView): string => {
  const after = turn.endedAt === undefined ? "" : ` after ${spoken(turn.endedAt - (turn.sentAt ?? turn.queuedAt))}`
  return `Turn ${statusWord[turn.status].toLowerCase()}${after}.${turn.problem ? ` ${turn.problem.title}` : ""}`
}

export const sentences = (before: ThreadView, after: ThreadView): ReadonlyArray<string> => {
  if (before.sequence === after.sequence) return []
  const items = new Map(before.items.map((item) => [item.itemId, item]))
  const tools = after.items.flatMap((item) => {
    const earlier = items.get(item.itemId)
    if (earlier === item || item.replayed || (earlier?.type === "tool" && !isRunning(earlier.tool))) return []
    return ofTool(item, after) ?? []
  })
  const turns = after.turns.flatMap((turn) => {
    const earlier = before.turns.find(({ turnId }) => turnId === turn.turnId)
    return hasEnded(turn.status) && earlier !== undefined && !hasEnded(earlier.status) ? ofTurn(turn) : []
  })
  const isHeldNow = after.heldBy !== undefined && before.heldBy === undefined
  return [...tools, ...turns, ...(isHeldNow ? [`${heldWords(after)}: ${holdReason(after)}.`] : [])]
}
