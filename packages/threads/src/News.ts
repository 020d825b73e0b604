/** Which events of a thread are news to people: they move its time in the list, and make it unread. Pure. */
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"

/**
 * What servers and agents note between turns: an agent starts, resumes, or ends as it was told to; it tells what it offers. A restart of
 * the server brings no others, unless it cost a turn or a request.
 */
const quiet: ReadonlySet<ThreadEvent["type"]> = new Set<ThreadEvent["type"]>([
  "session.start.requested",
  "session.start.slow",
  "session.restart.scheduled",
  "session.stop.requested",
  "session.started",
  "session.configured",
  "session.info.updated",
  "commands.updated",
  "settings.updated",
  "usage.updated",
  "setting.requested",
  "mcp.chosen",
  "thread.renamed"
])

export const isNews = (event: ThreadEvent): boolean => {
  if (quiet.has(event.type) || ("replayed" in event && event.replayed)) return false
  // A warning about the session, such as that it ended after it had nothing to do.
  if (event.type === "runtime.warning" && event.turnId === undefined) return false
  return event.type !== "session.exited" || !event.expected
}
