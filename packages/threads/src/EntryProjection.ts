/** How what an agent did changes the entries of a transcript: its texts, calls, sub-agents, compactions and files. Pure. */
import type { RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { TextEnd, TextPiece } from "@signalbox/contracts/TextEvents"
import { countUnseen, type Draft } from "./ThreadDraft.ts"
import { changeItem, isOutOfWindow, place, sign, withPiece } from "./ThreadSteps.ts"

export const addText = (draft: Draft, event: TextPiece): void => {
  sign(draft, event)
  const { itemId, offset, text } = event
  if (isOutOfWindow(draft, event, offset > 0)) return
  if (event.type === "message.delta")
    changeItem(
      draft,
      itemId,
      "message",
      (item) => ({ ...item, text: withPiece(item.text, offset, text) }),
      () => ({ ...place(event, itemId), type: "message", text, content: [] })
    )
  else
    changeItem(
      draft,
      itemId,
      "thought",
      (item) => ({ ...item, text: withPiece(item.text, offset, text) }),
      () => ({ ...place(event, itemId), type: "thought", text })
    )
}

export const endText = (draft: Draft, { at, continued, itemId, type }: TextEnd): void => {
  const end = { endedAt: at, ...(continued && { continued }) }
  if (type === "message.completed") changeItem(draft, itemId, "message", (item) => ({ ...item, ...end }))
  else changeItem(draft, itemId, "thought", (item) => ({ ...item, ...end }))
}

export const addContent = (draft: Draft, event: RuntimeEventOf<"message.content">): void => {
  sign(draft, event)
  if (isOutOfWindow(draft, event, undefined)) return
  changeItem(
    draft,
    event.itemId,
    "message",
    (item) => ({ ...item, content: [...item.content, event.content] }),
    () => ({ ...place(event, event.itemId), type: "message", text: "", content: [event.content] })
  )
}

export const changeTool = (
  draft: Draft,
  event: RuntimeEventOf<"tool.started" | "tool.updated" | "tool.completed">
): void => {
  sign(draft, event)
  if (isOutOfWindow(draft, event, event.type !== "tool.started")) {
    if (event.type === "tool.completed") countUnseen(draft, event.turnId, event.tool)
    return
  }
  changeItem(
    draft,
    event.itemId,
    "tool",
    (item) => ({ ...item, tool: event.tool }),
    () => ({ ...place(event, event.itemId), type: "tool", tool: event.tool })
  )
}

export const changeSubagent = (draft: Draft, event: RuntimeEventOf<"subagent.updated">): void => {
  sign(draft, event)
  if (isOutOfWindow(draft, event, undefined)) return
  const { name, state } = event
  changeItem(
    draft,
    event.itemId,
    "subagent",
    (item) => ({ ...item, name, state, ...subagentFacts(event) }),
    () => ({ ...place(event, event.itemId), type: "subagent", name, state, ...subagentFacts(event) })
  )
}

/** The facts of a sub-agent beside its name and state. Facts that an event leaves out stay. */
const subagentFacts = ({ activity, durationMs, parent, said, task }: RuntimeEventOf<"subagent.updated">) => ({
  ...(task !== undefined && { task }),
  ...(durationMs !== undefined && { durationMs }),
  ...(parent !== undefined && { parent }),
  ...(activity !== undefined && { activity }),
  ...(said !== undefined && { said })
})

export const changeCompaction = (draft: Draft, event: RuntimeEventOf<"compaction.updated">): void => {
  sign(draft, event)
  if (isOutOfWindow(draft, event, undefined)) return
  const said = {
    state: event.state,
    ...(event.summary !== undefined && { summary: event.summary }),
    ...(event.error !== undefined && { error: event.error })
  }
  changeItem(
    draft,
    event.itemId,
    "compaction",
    (item) => {
      const { error: _, summary: __, ...rest } = item
      return { ...rest, ...said }
    },
    () => ({ ...place(event, event.itemId), type: "compaction", ...said })
  )
}

export const addFile = (draft: Draft, event: RuntimeEventOf<"file.generated" | "file.written">): void => {
  sign(draft, event)
  const file = { ...place(event, event.itemId), type: "file" as const, path: event.path }
  if (event.type === "file.written") {
    const { bytes, created, version } = event
    draft.transcript.put({ ...file, written: { bytes, created, ...(version !== undefined && { version }) } })
  } else draft.transcript.put({ ...file, ...(event.description !== undefined && { description: event.description }) })
}

export const addReplayedPrompt = (draft: Draft, event: RuntimeEventOf<"prompt.replayed">): void =>
  draft.transcript.put({ ...place(event, event.itemId), type: "prompt", prompt: [{ type: "text", text: event.text }] })

export const addWarning = (draft: Draft, event: RuntimeEventOf<"runtime.warning">): void =>
  draft.transcript.put({
    ...place(event, event.eventId),
    type: "warning",
    message: event.message,
    ...(event.detail !== undefined && { detail: event.detail })
  })

export const addUnknown = (draft: Draft, event: RuntimeEventOf<"protocol.unknown">): void =>
  draft.transcript.put({
    ...place(event, event.eventId),
    type: "unknown",
    reason: event.reason,
    raw: event.raw,
    ...(event.kind !== undefined && { kind: event.kind })
  })
