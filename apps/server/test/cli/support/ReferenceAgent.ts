/** The command line of the reference agent for suggestions, as it stands in the sources. */
import { programOf } from "../../../../../scripts/suite/Program.ts"

const program = programOf(new URL("../../../../../packages/stand-in-agents/src/nes/main.ts", import.meta.url))

export const referenceAgent = (...options: ReadonlyArray<string>): string =>
  [process.execPath, program, ...options].join(" ")
