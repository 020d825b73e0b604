import type { Incoming } from "./Connection.ts"
import type { Emulator } from "./Emulator.ts"
import { listIn, textIn } from "../Json.ts"
import { internalError } from "./RpcError.ts"
import { chooseScripts } from "./Scripts.ts"
import type { RunningTurn } from "./Session.ts"
import { Aborted } from "./Timeline.ts"
import { titleOf } from "./Title.ts"
import { Turn } from "./Turn.ts"

/** `session/prompt`: one turn at a time; a prompt that arrives during another one ends it. */
export const prompt = async (emulator: Emulator, incoming: Incoming): Promise<void> => {
  const id = textIn(incoming.params, "sessionId") ?? ""
  const session = emulator.sessions.get(id)
  if (session === undefined) throw internalError(`Session ${id} not found`)
  const turn = new Turn(emulator, session, listIn(incoming.params, "prompt"))
  const previous = session.turn
  emulator.prompted = true
  session.turn = turn
  const work = take(turn, incoming, previous)
  turn.done = work.catch(() => {})
  try {
    await work
  } finally {
    if (session.turn === turn) session.turn = undefined
  }
}

export const cancel = (emulator: Emulator, sessionId: string): void => {
  if (emulator.environment.quirks.has("cancel_notification_ignored")) return
  emulator.sessions.get(sessionId)?.turn?.cancel()
}

const take = async (turn: Turn, incoming: Incoming, previous: RunningTurn | undefined): Promise<void> => {
  if (previous !== undefined) {
    if (turn.quirks.has("second_prompt_cancels")) previous.cancel()
    await previous.done
  }
  const { emulator, session } = turn
  const keepTitle = giveTitle(turn)
  emulator.store.save(session)
  try {
    await work(turn)
    await turn.wait(45)
    const record = { prompt: turn.text, steps: turn.steps }
    session.turns.push(record)
    emulator.store.append(session, record)
    if (!turn.quirks.has("usage_never")) turn.update({ sessionUpdate: "usage_update", used: 1200, size: 200_000 })
    incoming.reply({ stopReason: "end_turn" })
    keepTitle()
    turn.finish()
  } catch (cause) {
    if (!(cause instanceof Aborted)) throw cause
    await endCancelled(turn, incoming)
  }
}

const work = async (turn: Turn): Promise<void> => {
  const { emulator, quirks } = turn
  // Not even when it is cancelled.
  if (quirks.has("hang_prompt")) await new Promise<never>(() => {})
  if (quirks.has("stderr_flood")) emulator.warn("debug: the same line again and again\n".repeat(28_000).trimEnd())
  await turn.wait(1200)
  if (quirks.has("unknown_update")) turn.update({ sessionUpdate: "cursor_future_thing", payload: { answer: 42 } })
  if (quirks.has("big_chunk")) turn.chunk("message", "x".repeat(quirks.number("big_chunk", 1_000_000)))
  if (!emulator.account.authenticated) return await turn.say("", ["Please sign in to continue"])
  const unroutable = quirks.text("model_unroutable", "")
  if (unroutable !== "" && turn.session.selection.model.id === unroutable)
    return await turn.say("", [`\n\nError: AI Model Not Found Model name is not valid: "${unroutable}"`])
  for (const { script, args } of chooseScripts(turn.text, emulator.environment.scenario)) await script(turn, args)
}

/** Running tools get no further word, unless the switch for that is off. */
const endCancelled = async (turn: Turn, incoming: Incoming): Promise<void> => {
  const { emulator, quirks, session } = turn
  if (!quirks.has("cancel_no_tool_close"))
    for (const toolCallId of turn.openTools)
      turn.update({ sessionUpdate: "tool_call_update", toolCallId, status: "completed" })
  const slow = quirks.has("cancel_slow") ? quirks.number("cancel_slow", 1000) : 0
  if (slow > 0) {
    for (const text of ["still ", "running "]) {
      await emulator.timeline.wait(slow / 3)
      turn.chunk("message", text)
    }
  }
  await emulator.timeline.wait(slow > 0 ? slow / 3 : 4)
  incoming.reply({ stopReason: "cancelled" })
  if (quirks.has("cancel_late_updates")) emulator.timeline.after(10, () => turn.chunk("message", "too late"))
  emulator.store.save(session)
}

/** @returns what is to be done about the title after the result. */
const giveTitle = (turn: Turn): (() => void) => {
  const { emulator, session, quirks } = turn
  if (session.title !== undefined) return () => {}
  const title = titleOf(turn.text)
  const send = () => {
    if (!quirks.has("no_title")) turn.update({ sessionUpdate: "session_info_update", title })
  }
  session.title = title
  if (quirks.has("title_after_result")) return () => void emulator.timeline.after(300, send)
  emulator.timeline.after(300, send)
  return () => {}
}
