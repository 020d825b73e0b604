/** Prints the events of `signalbox run`: JSON lines for programs, text for people. */
import type { ItemId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent, RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import { eventText } from "./EventText.ts"
import type { Text } from "./Ink.ts"
import { jsonText } from "./JsonText.ts"
import * as LineBreaks from "./LineBreaks.ts"
import { oneLine, plain } from "../../base/Plain.ts"
import { problemShown } from "./ProblemText.ts"
import type { Terminal } from "./Terminal.ts"

export type Printer = (events: ReadonlyArray<ProviderRuntimeEvent>) => void

/** One event a line, and one write for each chunk of events. */
export const json =
  (terminal: Pick<Terminal, "out">): Printer =>
  (events) =>
    terminal.out(events.map((event) => `${jsonText(event)}\n`).join(""))

/** Characters of a thought that are shown on one line. */
const thoughtLength = 400

/**
 * Prints messages to stdout as they come, wrapped if stdout is a terminal. Everything else goes to stderr. `cwd`: the
 * session's folder.
 */
export const text = (terminal: Terminal, cwd?: string): Printer => {
  const thoughts = new Map<ItemId, string>()
  /** The last line of each sub-agent. Agents often repeat a state, and an unchanged line isn't printed. */
  const subagents = new Map<ItemId, Text>()
  const words = LineBreaks.flow(terminal.width)
  let open = false
  /** Characters that a retry sends once more and that are printed already. */
  let again = 0

  const message = (whole: string) => {
    const piece = whole.slice(again)
    again = Math.max(0, again - whole.length)
    if (piece === "") return
    terminal.out(words.push(plain(piece)))
    open = !piece.endsWith("\n")
  }
  const endMessage = () => {
    terminal.out(words.flush())
    if (open) terminal.out(words.push("\n"))
    open = false
  }

  const think = ({ itemId, text }: RuntimeEventOf<"thought.delta">) => {
    const known = thoughts.get(itemId) ?? ""
    if (known.length < thoughtLength) thoughts.set(itemId, known + text.slice(0, thoughtLength))
  }
  const tellThought = (itemId: ItemId) => {
    const thought = oneLine(thoughts.get(itemId) ?? "", 120)
    thoughts.delete(itemId)
    if (thought !== "") terminal.aside(`thinking: ${thought}`)
  }

  const print = (event: ProviderRuntimeEvent) => {
    // History of earlier runs was printed in those runs.
    if ("replayed" in event && event.replayed) return
    if (event.type === "message.delta") return message(event.text)
    if (event.type === "message.retried") again = Math.max(again, event.length)
    // Another line comes next, so the held word is written first.
    terminal.out(words.flush())
    if (event.type === "message.completed") {
      // A retry continues where the previous attempt stopped.
      if (!event.continued && again === 0) endMessage()
    } else if (event.type === "thought.delta") think(event)
    else if (event.type === "thought.completed") tellThought(event.itemId)
    else if (event.type === "runtime.error") terminal.err(problemShown(event.problem))
    else if (event.type === "turn.completed") {
      endMessage()
      end(event)
    } else {
      const told = eventText(event, cwd)
      if (told === undefined) return
      if (event.type === "subagent.updated") {
        if (subagents.get(event.itemId) === told) return
        subagents.set(event.itemId, told)
      }
      terminal.aside(told)
    }
  }

  const end = (event: RuntimeEventOf<"turn.completed">) => {
    // The end of the turn may come in the middle of a thought.
    for (const itemId of thoughts.keys()) tellThought(itemId)
    if (event.problem !== undefined) return terminal.err(problemShown(event.problem))
    const reason = event.stopReason === undefined ? "" : ` (${oneLine(event.stopReason, 60)})`
    switch (event.outcome) {
      case "completed":
        return
      case "cancelled":
        return terminal.err("The turn was cancelled.")
      case "refused":
        return terminal.err(
          `The agent refused to go on${reason}. It knows nothing of this prompt in the turns to come.`
        )
      case "limited":
        return terminal.err(`The agent stopped at a limit${reason}.`)
      case "failed":
        return terminal.err(`The turn failed${reason}.`)
    }
  }

  return (events) => events.forEach(print)
}
