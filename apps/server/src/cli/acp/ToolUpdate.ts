/** A tool call of a thread as an editor gets it. Pure. */
import type * as Acp from "@signalbox/acp/AcpSchema"
import { isRunning, type ToolCall, type ToolTerminal } from "@signalbox/contracts/ToolCall"
import { contentOf } from "./PromptContent.ts"

type Fields = Omit<Acp.ToolCall, "toolCallId">

/** The editor's own id of a terminal of the thread. Undefined: the editor does not have it. */
export type TerminalOf = (terminalId: string) => string | undefined

/** All that an editor gets to know of a call. A terminal that the editor has is shown as such, and others by their text. */
export const fieldsOf = (tool: ToolCall, terminalOf: TerminalOf): Fields => ({
  title: tool.title,
  kind: tool.kind,
  status: statusOf(tool),
  content: [
    ...tool.content.flatMap((part): ReadonlyArray<Acp.ToolCallContent> => {
      const content = contentOf(part)
      return content === undefined ? [] : [{ type: "content", content }]
    }),
    ...tool.diffs.map(({ newText, oldText, path }): Acp.ToolCallContent => ({ type: "diff", path, oldText, newText })),
    ...(tool.terminals ?? []).map((terminal): Acp.ToolCallContent => {
      const terminalId = terminalOf(terminal.terminalId)
      return terminalId === undefined ? words(terminalText(terminal)) : { type: "terminal", terminalId }
    }),
    ...resultTexts(tool).map(words),
    ...endings(tool).map(words)
  ],
  locations: tool.locations.map(({ line, path }) => ({ path, ...(line !== undefined && { line }) })),
  ...(tool.rawInput !== undefined && { rawInput: parsed(tool.rawInput) }),
  ...(tool.rawOutput !== undefined && { rawOutput: parsed(tool.rawOutput) })
})

/** The members that differ. Undefined if none does. */
export const changed = (before: ToolCall, now: ToolCall, terminalOf: TerminalOf): Partial<Fields> | undefined => {
  const old = new Map<string, unknown>(Object.entries(fieldsOf(before, terminalOf)))
  const news = Object.entries(fieldsOf(now, terminalOf)).filter(
    ([name, value]) => JSON.stringify(old.get(name)) !== JSON.stringify(value)
  )
  return news.length === 0 ? undefined : Object.fromEntries(news)
}

const words = (text: string): Acp.ToolCallContent => ({ type: "content", content: { type: "text", text } })

/** The protocol has no status for calls that nobody finished. */
const statusOf = (tool: ToolCall): Acp.ToolCallStatus => {
  if (isRunning(tool)) return tool.status === "pending" ? "pending" : "in_progress"
  return tool.status === "completed" ? "completed" : "failed"
}

/** What came of a call that shows nothing else: agents report it in an output that editors don't draw. */
const resultTexts = ({ content, diffs, result, terminals = [] }: ToolCall): ReadonlyArray<string> => {
  if (result === undefined) return []
  const { error, exitCode, stderr, stdout, text } = result
  const texts = content.length + diffs.length + terminals.length > 0 ? [error] : [stdout, stderr, text, error]
  const failed = exitCode === undefined || exitCode === 0 ? [] : [`Exit code ${exitCode}`]
  return [...texts.flatMap((one) => (one === undefined || one.trim() === "" ? [] : [one])), ...failed]
}

/** What the status does not say. */
const endings = ({ long, status }: ToolCall): ReadonlyArray<string> => [
  ...(status === "rejected" ? ["Rejected."] : []),
  ...(status === "cancelled" ? ["Stopped with its turn."] : []),
  ...(status === "unfinished" ? ["Its turn ended before it was finished."] : []),
  ...(long !== undefined && long.length > 0 ? ["Signalbox shows the whole text on its page."] : [])
]

const terminalText = ({ command, exitCode, output, signal, truncated }: ToolTerminal): string =>
  [
    ...(command === undefined ? [] : [`$ ${command}`]),
    ...(truncated ? ["…"] : []),
    ...(output === "" ? [] : [output.trimEnd()]),
    ...(signal !== undefined ? [`Ended by ${signal}`] : exitCode === undefined ? [] : [`Exit code ${exitCode}`])
  ].join("\n")

/** JSON that was cut is shown as the text that it is. */
const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}
