/** The state folder: it keeps what must outlive the server. Names everything in it. */
import { homedir } from "node:os"
import { join, resolve } from "node:path"

/** `--state-dir`, else `$SIGNALBOX_STATE_DIR`, else `$XDG_STATE_HOME/signalbox`, else `~/.local/state/signalbox`. Absolute. */
export const stateDirectory = (given: string | undefined, env: NodeJS.ProcessEnv = process.env): string => {
  const named = given ?? nonEmpty(env["SIGNALBOX_STATE_DIR"])
  if (named !== undefined) return resolve(named)
  const base = nonEmpty(env["XDG_STATE_HOME"]) ?? join(homedir(), ".local", "state")
  return join(base, "signalbox")
}

const nonEmpty = (value: string | undefined): string | undefined => (value === "" ? undefined : value)

export const databaseIn = (directory: string): string => join(directory, "signalbox.sqlite")

export const tapesIn = (directory: string): string => join(directory, "tapes")

/** What the server notes about itself. */
export const logsIn = (directory: string): string => join(directory, "logs")

/** The record of the agents that run. */
export const agentsIn = (directory: string): string => join(directory, "agents")

/** What agents were seen to do of the protocol. */
export const conformanceIn = (directory: string): string => join(directory, "conformance")

/** The file in which a running server tells programs of the same person how to reach it. */
export const serverFileIn = (directory: string): string => join(directory, "server.json")

/** The browsers that were let in. */
export const browsersIn = (directory: string): string => join(directory, "browsers.json")

/** What decides which programs run, and the folder that it is in. */
export const guardedIn = (directory: string): ReadonlyArray<string> => [
  directory,
  join(directory, "settings.json"),
  databaseIn(directory),
  `${databaseIn(directory)}-wal`,
  agentsIn(directory),
  join(directory, "agents-installed"),
  serverFileIn(directory),
  browsersIn(directory)
]
