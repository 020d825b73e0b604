/** What stands in the state folder, which keeps what must outlive the server. Every path in it but the server's file is named here. */
import { serverFileIn } from "@signalbox/system/StateDirectory"
import { join } from "node:path"

export const databaseIn = (directory: string): string => join(directory, "signalbox.sqlite")

export const tapesIn = (directory: string): string => join(directory, "tapes")

/** The folder of what was edited while suggestions were recorded. */
export const recordingsIn = (directory: string): string => join(directory, "recordings")

/** The folder of the server's log files. */
export const logsIn = (directory: string): string => join(directory, "logs")

/** The record of the agents that run. */
export const agentsIn = (directory: string): string => join(directory, "agents")

/** The folder of the conformance reports. */
export const conformanceIn = (directory: string): string => join(directory, "conformance")

/** The clients that were let in. */
export const clientsIn = (directory: string): string => join(directory, "clients.json")

/** The browsers that an earlier version let in. */
export const earlierBrowsersIn = (directory: string): string => join(directory, "browsers.json")

/** The rules of the person, for all folders. */
export const rulesIn = (directory: string): string => join(directory, "rules.json")

/** The record of what was decided about requests of agents. */
export const auditIn = (directory: string): string => join(directory, "audit.sqlite")

/** The counts of what became of suggestions. */
export const suggestionCountsIn = (directory: string): string => join(directory, "suggestions.sqlite")

/** The rules files of projects that the person trusts. */
export const trustedProjectsIn = (directory: string): string => join(directory, "trusted-projects.json")

/** The lock under which rules files and the trust in them are changed. */
export const rulesLockIn = (directory: string): string => join(directory, "rules.lock")

/** The record of rules for one request that were used. */
export const usedRulesIn = (directory: string): string => join(directory, "used-rules")

/** The files that decide which programs run, and their folder. */
export const guardedIn = (directory: string): ReadonlyArray<string> => [
  directory,
  join(directory, "settings.json"),
  databaseIn(directory),
  `${databaseIn(directory)}-wal`,
  auditIn(directory),
  `${auditIn(directory)}-wal`,
  agentsIn(directory),
  join(directory, "agents-installed"),
  serverFileIn(directory),
  clientsIn(directory),
  earlierBrowsersIn(directory),
  rulesIn(directory),
  trustedProjectsIn(directory),
  usedRulesIn(directory)
]
