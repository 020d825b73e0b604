/** The schema of rules files, for editors. */
import { existsSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { inRepository } from "../base/Installation.ts"

/** Its address on this machine. Undefined if it is not installed. */
export const address = (): string | undefined => {
  const path = inRepository("docs", "rules.schema.json")
  return existsSync(path) ? pathToFileURL(path).href : undefined
}
