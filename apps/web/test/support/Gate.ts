/** A place in a script at which the agent holds still. A busy page then sees what has not happened yet, however late it looks. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"

export interface Gate {
  /** The step of a scripted agent that waits here. A cancel ends the wait. */
  readonly step: { readonly waitForFile: string }
  readonly open: () => void
}

let gates = 0

/** `folder`: the folder in which the agent works. */
export const gateIn = (folder: string): Gate => {
  gates += 1
  const waitForFile = `.gate-${gates}`
  return { step: { waitForFile }, open: () => writeFileSync(join(folder, waitForFile), "") }
}
