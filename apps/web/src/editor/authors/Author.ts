/**
 * Who wrote what a file on the disk has now, as far as that can be known. Any program may write a file at any time. So it is the
 * agent only in two cases: Signalbox wrote for it, or it reported the lines when they came. Pure.
 */
import type { DocumentText } from "@signalbox/contracts/Documents"
import { resolvePath } from "@signalbox/contracts/Paths"
import type { FileDiff } from "@signalbox/contracts/ToolCall"
import { clock } from "../../words/time.ts"
import type { AgentCall, AgentWork } from "./AgentWork.ts"

/** A text that was found on the disk. `at`: when it was written. `version`: names its bytes. */
export interface DiskChange {
  readonly at: number
  readonly version: string
}

export const changeOf = ({ version, writtenAt }: DocumentText): DiskChange => ({ at: writtenAt, version })

/**
 * `agent`: it is known that the agent wrote it. `during`: it came while a call of the agent ran that edits the file. `unknown`:
 * nothing is known.
 */
export interface Author {
  readonly by: "agent" | "during" | "unknown"
  /** Whether the agent's call that edits the file runs now. */
  readonly isWriting: boolean
  /** "Cursor, 14:03:02". */
  readonly label: string
  /** A sentence that says what is known of the author, and from where. */
  readonly evidence: string
}

/** A call is reported a moment before or after it writes: milliseconds. */
const grace = 1000

const covers = ({ from, until }: AgentCall, at: number): boolean =>
  from - grace <= at && at <= (until ?? Infinity) + grace

const lines = new WeakMap<FileDiff, ReadonlySet<string>>()

const linesOf = (diff: FileDiff): ReadonlySet<string> => {
  const known = lines.get(diff)
  if (known !== undefined) return known
  const found = new Set(diff.newText.split(/\r?\n/))
  lines.set(diff, found)
  return found
}

/** Undefined if no call of the agent that edits the file ran then. The one that reported the line comes first. */
const callFor = (
  { acts, cwd }: AgentWork,
  path: string,
  at: number,
  line?: string
): { readonly call: AgentCall; readonly isReported: boolean } | undefined => {
  const absolute = resolvePath(path, cwd)
  let found: AgentCall | undefined
  for (const act of acts.toReversed()) {
    if (act.type !== "call" || !act.paths.includes(absolute) || !covers(act, at)) continue
    const reported = act.diffs.some(
      (diff) => line !== undefined && resolvePath(diff.path, cwd) === absolute && linesOf(diff).has(line)
    )
    if (reported) return { call: act, isReported: true }
    found ??= act
  }
  return found && { call: found, isReported: false }
}

/** Whether an absolute path may lead to the file. The folder of the thread may be a link to where it was written. */
const mayBe = (absolute: string, path: string, cwd: string): boolean =>
  absolute === resolvePath(path, cwd) || absolute.endsWith(`/${path}`)

/** Whether Signalbox wrote just this text into this file for the agent. */
const isWrittenFor = ({ acts, cwd }: AgentWork, path: string, { version }: DiskChange): boolean =>
  acts.some((act) => act.type === "write" && act.version === version && mayBe(act.path, path, cwd))

/** The author of a line that came with a change of the disk. */
export const authorOf = (work: AgentWork, path: string, change: DiskChange, line: string): Author => {
  const { agent } = work
  const at = clock(change.at)
  const found = callFor(work, path, change.at, line)
  const isRunning = work.isLive && found !== undefined && found.call.until === undefined
  const label = isRunning ? `${agent} is writing` : `${agent}, ${at}`
  if (isWrittenFor(work, path, change))
    return { by: "agent", isWriting: isRunning, label, evidence: `Signalbox wrote it for ${agent} at ${at}.` }
  if (found === undefined)
    return {
      by: "unknown",
      isWriting: false,
      label: `On disk, ${at}`,
      evidence: `Written at ${at}. It isn’t known by which program.`
    }
  const { from, until } = found.call
  const ran = until === undefined ? `runs since ${clock(from)}` : `ran from ${clock(from)} to ${clock(until)}`
  if (found.isReported)
    return {
      by: "agent",
      isWriting: isRunning,
      label,
      evidence: `Written at ${at}. ${agent} reported this line. Its call that edits the file ${ran}.`
    }
  return {
    by: "during",
    isWriting: isRunning,
    label: `While ${agent} ${isRunning ? "edits" : "edited"}, ${at}`,
    evidence: `Written at ${at}. A call of ${agent} that edits the file ${ran}. It didn’t report this line.`
  }
}

/** Who wrote a text of the disk, in one sentence. */
export const writtenWords = (work: AgentWork, path: string, change: DiskChange): string => {
  const at = clock(change.at)
  if (isWrittenFor(work, path, change)) return `${work.agent} wrote it at ${at}.`
  return callFor(work, path, change.at) === undefined
    ? `It was written at ${at}.`
    : `It was written at ${at}, while ${work.agent} edited it.`
}

/** Whether the agent reports that it took the file away: a sentence. `at`: when the file was missed. */
export const goneWords = ({ acts, agent, cwd }: AgentWork, path: string, at: number): string | undefined => {
  const absolute = resolvePath(path, cwd)
  const call = acts.findLast(
    (act) =>
      act.type === "call" &&
      (act.kind === "delete" || act.kind === "move") &&
      act.paths.includes(absolute) &&
      covers(act, at)
  )
  if (call?.type !== "call") return undefined
  const does = call.kind === "delete" ? "deletes" : "moves"
  return call.until === undefined
    ? `A call of ${agent} that ${does} it runs since ${clock(call.from)}.`
    : `A call of ${agent} that ${does} it ended at ${clock(call.until)}.`
}
