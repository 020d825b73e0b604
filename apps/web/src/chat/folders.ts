import { isWithin } from "@signalbox/contracts/Paths"

/** Whether a thread in `cwd` works in one of these folders, or below. */
export const isIn = (folders: ReadonlyArray<string>, cwd: string): boolean =>
  folders.some((folder) => isWithin(folder, cwd))
