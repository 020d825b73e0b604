/** The folders in which components keep what they can make again. */
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"

/** The absolute folder of a component in the user's folder for caches. */
export const of = (component: string): string => {
  const caches = process.env["XDG_CACHE_HOME"] ?? ""
  return join(isAbsolute(caches) ? caches : join(homedir(), ".cache"), "signalbox", component)
}
