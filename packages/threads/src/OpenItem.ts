/** Entries of a transcript that may still change. */
import type { ItemView } from "@signalbox/contracts/ThreadView"
import { isRunning } from "@signalbox/contracts/ToolCall"

/** Whether an entry may still change by itself: a text grows, or a call, a sub-agent or a compaction runs. */
export const isOpen = (item: ItemView): boolean => {
  switch (item.type) {
    case "message":
    case "thought":
      return item.endedAt === undefined
    case "tool":
      return isRunning(item.tool)
    case "subagent":
    case "compaction":
      return item.state === "running"
    case "prompt":
    case "request":
    case "file":
    case "problem":
    case "warning":
    case "session":
    case "unknown":
      return false
  }
}
