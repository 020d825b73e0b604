import type { PromptPart } from "@signalbox/contracts/Content"
import type { ThreadCommand } from "@signalbox/contracts/Command"
import type { TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import * as TurnQueue from "@signalbox/threads/TurnQueue"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { useEffect, useEffectEvent, useState } from "react"
import { problemOf, send } from "../connection/commands.ts"
import { announce } from "../browser/announcer.ts"
import { addToDraft } from "./drafts.ts"
import { mentionedIn } from "./mentions.ts"

/** A prompt that waits and is being changed. */
export interface Editing {
  readonly turn: TurnView
  readonly text: string
}

export interface Queue {
  readonly editing: Editing | undefined
  readonly edit: (turn: TurnView) => void
  readonly write: (text: string) => void
  readonly save: () => void
  readonly leave: () => void
  readonly remove: (turnId: TurnId) => void
  /** One place earlier or later among those that can be moved. */
  readonly move: (turnId: TurnId, by: -1 | 1) => void
  readonly hold: (held: boolean) => void
  /** Lets them go, the first together with what was said in the thread: for an agent that has lost its session. */
  readonly handOver: () => void
}

const wordsOf = ({ prompt }: TurnView): string =>
  prompt.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n")

/** The prompt with other words. What was attached stays; what is no longer mentioned goes. */
const reworded = ({ prompt }: TurnView, text: string): ReadonlyArray<PromptPart> => {
  const words = text.trim()
  const links = prompt.flatMap((part) => (part.type === "resource_link" ? { path: part.name, uri: part.uri } : []))
  const mentioned = new Set(mentionedIn(words, links).map(({ uri }) => uri))
  return [
    ...(words === "" ? [] : [{ type: "text", text: words } as const]),
    ...prompt.filter((part) => part.type !== "text" && (part.type !== "resource_link" || mentioned.has(part.uri)))
  ]
}

/** The prompts that wait, to be changed, moved, held and taken back. What the agent got meanwhile is never touched. */
export const useQueue = (view: ThreadView, tell: (problem: Problem | undefined) => void): Queue => {
  const { threadId } = view
  const [editing, setEditing] = useState<Editing>()
  const waiting = TurnQueue.waiting(view)

  const command = (asked: ThreadCommand): Promise<boolean> => {
    tell(undefined)
    return send(threadId, asked).then(
      () => true,
      (error: unknown) => {
        tell(problemOf(error))
        return false
      }
    )
  }
  // What was written about a prompt that is gone by now is not lost.
  const rescue = useEffectEvent(() => {
    if (editing === undefined || editing.text === wordsOf(editing.turn)) return
    addToDraft(threadId, reworded(editing.turn, editing.text))
    announce("That prompt waits no longer. What you changed is in the composer.")
  })
  const gone = editing !== undefined && !waiting.some(({ turnId }) => turnId === editing.turn.turnId)
  useEffect(() => {
    if (gone) rescue()
  }, [gone])

  return {
    editing: gone ? undefined : editing,
    edit: (turn) => setEditing({ turn, text: wordsOf(turn) }),
    write: (text) => setEditing((before) => before && { ...before, text }),
    leave: () => setEditing(undefined),
    save: () => {
      if (editing === undefined) return
      const [first, ...rest] = reworded(editing.turn, editing.text)
      if (first === undefined) return
      const prompt = [first, ...rest] as const
      setEditing(undefined)
      void command({ type: "turn.edit", turnId: editing.turn.turnId, prompt }).then((taken) => {
        if (!taken) addToDraft(threadId, prompt)
      })
    },
    remove: (turnId) => void command({ type: "turn.interrupt", turnId, ifQueued: true }),
    move: (turnId, by) => {
      const movable = waiting.filter(({ steer }) => !steer)
      const at = movable.findIndex((turn) => turn.turnId === turnId)
      const before = by === -1 ? movable[at - 1] : movable[at + 2]
      if (at < 0 || (by === -1 && before === undefined)) return
      void command({ type: "turn.move", turnId, ...(before && { before: before.turnId }) }).then((taken) => {
        if (taken) announce(`Prompt ${at + 1 + by} of ${movable.length} now.`)
      })
    },
    hold: (held) => void command({ type: "queue.hold", held }),
    handOver: () => void command({ type: "queue.hold", held: false, transcript: true })
  }
}
