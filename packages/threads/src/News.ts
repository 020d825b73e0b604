/** The events that are news for people: they move a thread in the list, and make it unread. Pure. */
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"

/**
 * Notes between turns that are no news: an agent starts, resumes, ends as requested, or reports its offer. A restart of
 * the server gives only these, unless it cost a turn or a request.
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
  "components.chosen",
  "profile.chosen",
  "thread.renamed"
])

export const isNews = (event: ThreadEvent): boolean => {
  if (quiet.has(event.type) || ("replayed" in event && event.replayed)) return false
  // A warning about the session, e.g. that it ended after it was idle.
  if (event.type === "runtime.warning" && event.turnId === undefined) return false
  return event.type !== "session.exited" || !event.expected
}
