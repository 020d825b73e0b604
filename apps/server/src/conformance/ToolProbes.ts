/** How an agent reports its tools: calls that are announced and end with their turn, terminals, files that are written. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { stopped } from "./Aftermath.ts"
import { liveness } from "./Liveness.ts"
import { type Json, listIn, objectIn, updateIn } from "./Messages.ts"
import {
  broken,
  type Finding,
  holds,
  type Probe,
  promptProbe,
  quirk,
  saying,
  showing,
  untried,
  withoutSession,
  withSpare,
  words
} from "./Probe.ts"
import type { ToolTurn } from "./ToolTurn.ts"
import { wordOf } from "./WordOf.ts"

const toolUpdates = ({ lines, sessionId }: ToolTurn): ReadonlyArray<Json> =>
  lines.flatMap((line): ReadonlyArray<Json> => {
    const update = updateIn(line, sessionId)
    if (update !== undefined) return wordOf(update["sessionUpdate"]).startsWith("tool_call") ? [update] : []
    const { message } = line
    if (!Predicate.isObject(message) || message["method"] !== "session/request_permission") return []
    // A permission request also announces its tool call.
    return [{ ...objectIn(objectIn(message, "params"), "toolCall"), sessionUpdate: "tool_call" }]
  })

const ends: ReadonlySet<unknown> = new Set(["completed", "failed", "cancelled"])

const calls = (turn: ToolTurn): Finding => {
  const known = new Set<unknown>()
  const open = new Set<unknown>()
  const unannounced = new Set<unknown>()
  for (const { sessionUpdate, status, toolCallId } of toolUpdates(turn)) {
    if (sessionUpdate === "tool_call") known.add(toolCallId)
    else if (!known.has(toolCallId)) unannounced.add(toolCallId)
    if (ends.has(status)) open.delete(toolCallId)
    else if (status !== undefined || sessionUpdate === "tool_call") open.add(toolCallId)
  }
  const all = new Set([...known, ...unannounced]).size
  if (all === 0) return untried("it ran none")
  if (unannounced.size > 0)
    return quirk(`${unannounced.size} of ${all} not announced`, "It updates calls that it has not reported.")
  return open.size === 0
    ? holds(`${all} announced`)
    : quirk(`${open.size} of ${all} left open`, "The turn ends, and they do not.")
}

const terminals = (turn: ToolTurn): Finding => {
  const updates = toolUpdates(turn)
  if (updates.length === 0) return untried("it ran no tool")
  const shown = new Set(
    updates.flatMap((update) =>
      listIn(update, "content").flatMap(({ terminalId, type }) => (type === "terminal" ? [terminalId] : []))
    )
  )
  const inMeta = updates.some((update) =>
    Object.keys(objectIn(update, "_meta")).some((key) => /^terminal_(?:info|output|output_delta|exit)$/.test(key))
  )
  if (shown.size === 0 && !inMeta) return holds("none of its own")
  return quirk(
    `${shown.size} of its own`,
    inMeta
      ? "The client has not made them. What they write comes in `_meta`, outside of the schema."
      : "The client has not made them, and what they write is not reported."
  )
}

/** Whether the agent has written a file without permission. */
const writes = ({ answer, isWritten, refused }: ToolTurn): Finding => {
  if (isWritten && refused > 0)
    return broken("in spite of a refusal", "It writes a file after the permission was refused.")
  if (isWritten) return holds("without asking")
  if (refused > 0) return holds("asks, and leaves it when it is refused")
  return saying(answer, untried("it wrote none"))
}

const inToolTurn =
  (look: (turn: ToolTurn) => Finding): Probe["look"] =>
  (examinee) =>
    Effect.flatMap(examinee.toolTurn, (turn) =>
      Option.isSome(turn)
        ? Effect.succeed(
            turn.value.answer.type === "result"
              ? look(turn.value)
              : showing(() => untried("it ran none"))(turn.value.answer)
          )
        : withoutSession(examinee)
    )

/** Sends a prompt without any content. */
const empty = withSpare((session, examinee) =>
  Effect.gen(function* () {
    const { sessionId } = session
    const answer = yield* session.agent.wire.ask("session/prompt", { sessionId, prompt: [] }, "30 seconds")
    if (answer.type === "silence") {
      yield* session.agent.wire.notify("session/cancel", { sessionId })
      const state = yield* liveness(session.agent, examinee)
      return state === "lives"
        ? quirk("no answer", "A prompt without anything is answered, or refused.")
        : stopped(state, examinee)
    }
    return showing((answer): Finding => {
      if (answer.type === "gone") return broken("ends", "It does not get over a prompt without anything.")
      if (answer.type === "result") return holds(wordOf(answer.result["stopReason"]))
      return answer.code === -32603
        ? quirk(words(answer), "A prompt without anything is no internal error: the code is -32602.")
        : holds(words(answer))
    })(answer)
  })
)

export const toolProbes: ReadonlyArray<Probe> = [
  promptProbe("tools", "Tool calls", inToolTurn(calls)),
  promptProbe("terminals", "Terminals", inToolTurn(terminals)),
  promptProbe("writes", "Writes a file", inToolTurn(writes)),
  promptProbe("empty", "Empty prompt", empty)
]
