/** One event of a turn as lines for people; undefined if there is nothing to say. Message text is printed elsewhere. */
import type { ProviderRuntimeEvent, RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { oneLine } from "../../base/Plain.ts"
import type { Text } from "./Ink.ts"
import { toolReport, toolText } from "./ToolText.ts"

export const eventText = (event: ProviderRuntimeEvent, cwd?: string): Text | undefined => {
  switch (event.type) {
    case "session.started":
      return event.origin === "resumed" || event.origin === "loaded" ? "session resumed" : undefined
    case "session.configured":
      return event.skipped.length === 0
        ? undefined
        : `warning: not set: ${event.skipped.map(({ reason, settingId }) => `${oneLine(settingId, 60)} (${oneLine(reason, 200)})`).join(", ")}`
    case "tool.started":
      // A call that may take long is printed when it begins, any other when it has ended.
      return isLong(event.tool) ? `… ${toolText(event.tool)}` : undefined
    case "tool.completed":
      return toolReport(event.tool, cwd)
    case "plan.updated": {
      const done = event.entries.filter(({ status }) => status === "completed").length
      const now = event.entries.find(({ status }) => status === "in_progress")
      return `plan: ${done} of ${event.entries.length} done${now === undefined ? "" : `, now: ${oneLine(now.content, 100)}`}`
    }
    case "approval.resolved":
    case "question.resolved":
    case "plan.resolved":
    case "elicitation.resolved":
      return event.outcome.type === "expired" ? `request expired: ${oneLine(event.outcome.reason)}` : undefined
    case "subagent.updated":
      return subagentText(event)
    case "compaction.updated":
      return compactionText(event)
    case "file.generated":
      return `wrote ${oneLine(event.path)}`
    case "file.written":
      return `wrote ${oneLine(event.path)} for it${event.created ? " (new)" : ""}`
    case "elicitation.completed":
      return "what was opened for it is done"
    case "message.content":
      return contentText(event.content)
    case "message.retried":
      return "tried again: the answer broke off, and goes on here"
    case "runtime.warning":
      return `warning: ${oneLine(event.message)}${event.detail === undefined ? "" : ` (${oneLine(event.detail, 200)})`}`
    case "session.exited":
      return event.expected ? undefined : "the agent's process ended"
    // The part that answers a request prints it.
    case "approval.requested":
    case "approval.changed":
    case "question.requested":
    case "plan.proposed":
    case "elicitation.requested":
    // Beginnings and ends say nothing that the entries between them don't show. The other events are for programs only.
    case "turn.started":
    case "turn.completed":
    case "message.delta":
    case "message.completed":
    case "thought.delta":
    case "thought.completed":
    case "tool.updated":
    case "prompt.replayed":
    case "runtime.error":
    case "protocol.unknown":
    case "session.info.updated":
    case "settings.updated":
    case "commands.updated":
    case "usage.updated":
      return undefined
  }
}

const compactionText = ({ error, state }: RuntimeEventOf<"compaction.updated">): string => {
  switch (state) {
    case "running":
      return "shortening its context"
    case "completed":
      return "shortened its context"
    case "failed":
      return `could not shorten its context${error === undefined ? "" : `: ${oneLine(error, 200)}`}`
    case "cancelled":
      return "stopped shortening its context"
  }
}

const isLong = (tool: ToolCall): boolean =>
  tool.subject.type === "command" || tool.subject.type === "url" || tool.subject.type === "task"

/** Levels of indentation. Deeper sub-agents are not indented further. */
const deepest = 8

/**
 * A sub-agent, indented under the one that started it. Shows what it does while it runs, and its last message at its
 * end.
 */
const subagentText = ({ activity, name, parent, said, state, task }: RuntimeEventOf<"subagent.updated">): string => {
  const about = (state === "running" ? activity : said) ?? task
  const inset = parent === undefined ? "" : `${"  ".repeat(Math.min(parent.depth + 1, deepest))}└ `
  return `${inset}sub-agent ${oneLine(name, 60)}: ${state}${about === undefined ? "" : `, ${oneLine(about, 100)}`}`
}

type Content = Extract<ProviderRuntimeEvent, { readonly type: "message.content" }>["content"]

const contentText = (content: Content): string | undefined => {
  switch (content.type) {
    case "text":
      return oneLine(content.text)
    case "image":
    case "audio":
      return `[${content.type} ${oneLine(content.mimeType, 60)}, ${Math.round((content.data.length * 3) / 4 / 1024)} KiB]`
    case "resource_link":
    case "resource":
      return `[${oneLine(content.uri)}]`
    case "unknown":
      return "[content of an unknown kind]"
  }
}
