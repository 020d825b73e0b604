/** The state folder of a person's Signalbox, and the file in it by which other programs find the server. */
import { homedir } from "node:os"
import { join, resolve } from "node:path"

/** `given`, else `$SIGNALBOX_STATE_DIR`, else `$XDG_STATE_HOME/signalbox`, else `~/.local/state/signalbox`. Absolute. */
export const stateDirectory = (given: string | undefined, env: NodeJS.ProcessEnv = process.env): string => {
  const named = given ?? nonEmpty(env["SIGNALBOX_STATE_DIR"])
  if (named !== undefined) return resolve(named)
  const base = nonEmpty(env["XDG_STATE_HOME"]) ?? join(homedir(), ".local", "state")
  return join(base, "signalbox")
}

const nonEmpty = (value: string | undefined): string | undefined => (value === "" ? undefined : value)

/** The file that says how programs of the same user reach the running server. */
export const serverFileIn = (directory: string): string => join(directory, "server.json")
