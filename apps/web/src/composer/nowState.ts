/** What the agent is doing now, in words: the first row of the desk. Pure; times are milliseconds by the server's clock. */
import { revealAll } from "@signalbox/contracts/Invisible"
import { isOpen } from "@signalbox/threads/OpenItem"
import { runningTurn } from "@signalbox/threads/ThreadProjection"
import * as TurnQueue from "@signalbox/threads/TurnQueue"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import type { LampStatus } from "../design/status.ts"
import { statusWord } from "../design/status.ts"
import { clock, duration } from "../words/time.ts"
import { wantedSignIn } from "../transcript/wantedSignIn.ts"
import { isElsewhere, lastSignOf, silentAfter, stillAfter } from "../words/silence.ts"
import { toolSubject, toolVerb } from "../words/toolWords.ts"

export interface NowState {
  readonly lamp: LampStatus
  readonly word: string
  /** What exactly, after the word; `subject` is what machines would print. */
  readonly what: string
  readonly subject?: string
  /** When the turn began, while it goes on. */
  readonly since?: number
  /** At the right end: the last sign of life, when something was asked. */
  readonly sign?: string
  /** Nothing was heard for 10 s: the lamp's halo stands. */
  readonly still?: boolean
  /** Nothing was heard for 40 s. */
  readonly silent?: boolean
}

/** How long the server waits for an agent to stop before it kills the process. */
export const stopDeadline = 8_000

export const nowState = (view: ThreadView, now: number): NowState => {
  const turn = runningTurn(view)
  const starting = startState(view, turn, now)
  if (starting) return starting
  if (turn) return ofTurn(view, turn, now)
  if (TurnQueue.next(view) !== undefined) {
    const what = view.session.state === "starting" ? `until ${view.provider.name} has started` : "starts in a moment"
    return { lamp: "queued", word: statusWord.queued, what }
  }
  if (view.requests.some(({ answered }) => !answered)) return forAnswers(view)
  if (wantedSignIn(view)) return { lamp: "waiting", word: statusWord.waiting, what: "for you to sign in" }
  // How many and why stands at the queue, right below.
  if (TurnQueue.waiting(view).length > 0) return { lamp: "queued", word: "Held", what: "until you resume" }
  return idle(view)
}

/** The prompts that wait, but for one that starts in a moment: the now-line says so, and then it is in the transcript. */
export const queuedTurns = (view: ThreadView): ReadonlyArray<TurnView> => {
  const waiting = TurnQueue.waiting(view)
  const starts = runningTurn(view) === undefined && view.session.state === "ready" && TurnQueue.next(view) !== undefined
  return starts ? waiting.slice(1) : waiting
}

/** An agent that takes long to start, or is about to be started again: what everything else waits for. */
const startState = (view: ThreadView, turn: TurnView | undefined, now: number): NowState | undefined => {
  const { restart, slow, state, waiting } = view.session
  const { name } = view.provider
  if (waiting && state === "starting")
    return {
      lamp: "queued",
      word: "Waiting to start",
      what: waiting.ahead === 1 ? "1 agent is ahead" : `${waiting.ahead} agents are ahead`
    }
  if (slow && state === "starting")
    return {
      lamp: "sent",
      word: "Starting slowly",
      what: `${name} is taking longer than usual: over ${duration(slow.afterMs)}, waiting for`,
      subject: shown(slow.waitingFor),
      ...(turn && { since: turn.sentAt ?? turn.queuedAt })
    }
  if (restart === undefined || turn !== undefined || state !== "exited") return undefined
  const left = Math.ceil((restart.dueAt - now) / 1000)
  return {
    lamp: "failed",
    word: "Ended by itself",
    what: left > 0 ? `trying again in ${left} s` : "trying again now",
    sign: `${ordinal(restart.attempt)} time`
  }
}

const ofTurn = (view: ThreadView, turn: TurnView, now: number): NowState => {
  const since = turn.sentAt ?? turn.queuedAt
  const word = statusWord[turn.status]
  if (turn.status === "sent")
    return { lamp: "sent", word, since, what: `at ${clock(since)}, not yet confirmed by ${view.provider.name}` }
  if (turn.status === "waiting") return { ...forAnswers(view), since }
  if (turn.status === "cancelling") {
    const left = Math.ceil(((turn.interruptedAt ?? now) + stopDeadline - now) / 1000)
    return {
      lamp: "cancelling",
      word,
      since,
      what: left > 0 ? `${left} s until its process is killed` : "killing the process"
    }
  }
  return working(view, turn, since, now)
}

/** What it says while people are asked: in a turn, or by an agent that asks after its turn has ended. */
const forAnswers = (view: ThreadView): NowState => {
  const open = view.requests.filter(({ answered }) => !answered)
  const asked = open[0]?.request.at
  return {
    lamp: "waiting",
    word: statusWord.waiting,
    what: open.length > 1 ? `for ${open.length} answers` : "for your answer",
    ...(asked !== undefined && { sign: `asked ${clock(asked)}` })
  }
}

const working = (view: ThreadView, turn: TurnView, since: number, now: number): NowState => {
  if (isElsewhere(view, turn))
    return { lamp: "waiting", word: statusWord.waiting, since, what: "for you, at the address that you opened" }
  const quiet = now - lastSignOf(view, turn)
  const act = activity(view, turn)
  const state = { lamp: "working", word: statusWord.working, since, still: quiet >= stillAfter } as const
  if (quiet < silentAfter)
    return {
      ...state,
      ...act,
      sign: `last sign of life ${quiet < stillAfter ? `${(Math.max(0, quiet) / 1000).toFixed(1)} s` : duration(quiet)} ago`
    }
  const last = act.subject === undefined && act.what === "" ? "" : `, last: ${act.what}`
  return {
    ...state,
    silent: true,
    what: `silent for ${duration(quiet)}${last}`,
    ...(act.subject !== undefined && { subject: act.subject }),
    ...(act.startedAt !== undefined && { sign: `started ${clock(act.startedAt)}` })
  }
}

interface Activity {
  readonly what: string
  readonly subject?: string
  readonly startedAt?: number
}

/** What is open at the end of the transcript: running tools, a text, a thought. */
const activity = (view: ThreadView, turn: TurnView): Activity => {
  const open = view.items.filter((item) => item.turnId === turn.turnId && isOpen(item))
  const last = open.at(-1)
  if (last?.type === "message") return { what: "writing text" }
  if (last?.type === "thought") return { what: "thinking" }
  if (last?.type === "subagent") return { what: "a sub-agent is at work" }
  if (last?.type === "compaction") return { what: "shortening its context" }
  if (last?.type !== "tool") return { what: "" }
  const { text, voice } = toolSubject(last.tool, view.cwd)
  const more = open.filter(({ type }) => type === "tool").length - 1
  const verb = toolVerb(last.tool)
  return {
    what: more > 0 ? `${verb}, and ${more} more at the same time:` : verb,
    startedAt: last.tool.startedAt,
    // The agent's own words have no place on the desk.
    ...(voice === "machine" && { subject: shown(text) })
  }
}

/** One line, with every invisible character made visible. */
const shown = (text: string): string =>
  revealAll(text)
    .map((piece) => (piece.type === "text" ? piece.text : piece.glyph))
    .join("")

/** 1st, 2nd, 3rd, 4th, 11th. */
const ordinal = (place: number): string => {
  const teen = place % 100 > 10 && place % 100 < 14
  return `${place}${teen ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th")}`
}

const idle = (view: ThreadView): NowState => {
  const { name } = view.provider
  const last = view.turns.at(-1)
  if (view.session.state === "starting") return { lamp: "sent", word: "Starting", what: name }
  if (last === undefined)
    return view.session.state === "ready"
      ? { lamp: "completed", word: "Ready", what: "for the first prompt" }
      : { lamp: "todo", word: "Not running", what: `${name} starts with the first prompt` }
  const ended = last.endedAt === undefined ? {} : { sign: `last turn ended ${clock(last.endedAt)}` }
  const next =
    view.session.state === "ready" ? "for the next prompt" : `for the next prompt, which starts ${name} again`
  return last.status === "completed" || last.status === "cancelled"
    ? { lamp: "completed", word: "Ready", what: next, ...ended }
    : { lamp: last.status, word: statusWord[last.status], what: `ready ${next}`, ...ended }
}
