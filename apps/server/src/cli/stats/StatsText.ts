/** The health of a server as text for a terminal. */
import type { AgentHealth, Health } from "@signalbox/contracts/Health"
import { bytesText, countText, durationText } from "../terminal/Amount.ts"
import { oneLine } from "../../base/Plain.ts"
import { listOf } from "@signalbox/process/LeftoverWords"
import { problemText } from "../terminal/ProblemText.ts"
import { type Column, table } from "../terminal/Table.ts"
import { languageServersText } from "./LanguageServersText.ts"
import { suggestionsText } from "./SuggestionsText.ts"

/**
 * The health of a server, line by line. `first`: no report came before, so the delay since the last report is left out.
 */
export const statsText = (health: Health, { first }: { readonly first: boolean }): string => {
  const { agents, leftovers = [], reaped, server, storage, threads, waiting = 0, watchers } = health
  const facts = [
    ["Memory", `${bytesText(server.rssBytes)}, of which ${bytesText(server.heapBytes)} on the heap`],
    ...(first ? [] : [["Event loop", `${server.delayMs} ms late (99th percentile since the last report)`]]),
    ["Threads", threadsText(threads)],
    ["Watchers", String(watchers)],
    ...(waiting > 0 ? [["Starts", `${countText(waiting, "agent waits", "agents wait")} for others to start`]] : []),
    ["Storage", storage.state === "ok" ? "ok" : "FAILING"],
    ["Disk", diskText(storage)],
    ...(reaped > 0
      ? [
          [
            "Ended",
            `${countText(reaped, "process", "processes")} that an earlier server had left${namesOf(leftovers, "ended")}`
          ]
        ]
      : []),
    ...(leftovers.some(({ state }) => state === "kept")
      ? [["Kept", `as settings say, from an earlier server${namesOf(leftovers, "kept")}`]]
      : []),
    ...(leftovers.some(({ state }) => state === "left")
      ? [["Left over", `could not be ended${namesOf(leftovers, "left")}`]]
      : [])
  ]
  return [
    `Signalbox ${health.version}, process ${server.pid}, running for ${durationText(health.at - server.startedAt)}`,
    "",
    ...facts.map(([name = "", words = ""]) => `  ${name.padEnd(12)}${words}`),
    ...(storage.problem === undefined ? [] : ["", problemText(storage.problem)]),
    "",
    ...(agents.length === 0 ? ["No agent is running."] : table(columns(health.at), agents)),
    ...languageServersText(health.languageServers ?? []),
    ...(health.suggestions === undefined ? [] : suggestionsText(health.suggestions))
  ].join("\n")
}

const namesOf = (leftovers: NonNullable<Health["leftovers"]>, wanted: string): string => {
  const names = listOf(leftovers.filter(({ state }) => state === wanted))
  return names === "" ? "" : `: ${oneLine(names, 400)}`
}

const threadsText = ({ all, inMemory, running, unreadable }: Health["threads"]): string => {
  const parts = [`${running} running`, `${inMemory} in memory`]
  if (unreadable > 0) parts.push(`${unreadable} that can't be read`)
  return all === 0 ? "none" : `${all}: ${parts.join(", ")}`
}

const diskText = ({ databaseBytes, freeBytes, journalBytes, tapeBytes }: Health["storage"]): string =>
  [
    `database ${bytesText(databaseBytes)}`,
    `journal ${bytesText(journalBytes)}`,
    `tapes ${bytesText(tapeBytes)}`,
    ...(freeBytes === undefined ? [] : [`${bytesText(freeBytes)} free`])
  ].join(", ")

const columns = (now: number): ReadonlyArray<Column<AgentHealth>> => [
  { heading: "AGENT", cell: ({ name }) => oneLine(name, 24) },
  { heading: "STATE", cell: ({ pipes, state }) => (pipes === "open" ? state : `${state}, pipes closed`) },
  { heading: "PROCESS", cell: ({ pid }) => String(pid), right: true },
  { heading: "RUNNING", cell: ({ startedAt }) => durationText(now - startedAt), right: true },
  { heading: "SILENT", cell: ({ lastSignAt }) => durationText(now - lastSignAt), right: true },
  { heading: "MEMORY", cell: ({ rssBytes }) => (rssBytes === undefined ? "-" : bytesText(rssBytes)), right: true },
  { heading: "THREAD", cell: ({ threadId }) => oneLine(threadId.slice(0, 8)) }
]
