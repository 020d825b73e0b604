/** The command line of the reference agent for suggestions, as it stands in the sources. */
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("../../../../../packages/stand-in-agents/src/nes/main.ts", import.meta.url))

export const referenceAgent = (...options: ReadonlyArray<string>): string =>
  [process.execPath, program, ...options].join(" ")
