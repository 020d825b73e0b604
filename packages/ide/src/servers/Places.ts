/** Places of language servers as operations return them, and back. */
import type { Range } from "@signalbox/acp/Positions"
import type { FileLocation, FileRange } from "@signalbox/contracts/IdeOperation"
import { resolve } from "node:path"
import type { SessionFolder } from "../files/SessionFolder.ts"

const locationOf = ({ character, line }: Range["start"]): FileLocation => ({ line: line + 1, column: character + 1 })

export const rangeOf = (folder: Pick<SessionFolder, "nameOf">, path: string, { end, start }: Range): FileRange => ({
  path: folder.nameOf(path),
  start: locationOf(start),
  end: locationOf(end)
})

export const positionOf = ({ column, line }: FileLocation): Range["start"] => ({
  line: line - 1,
  character: column - 1
})

/** The absolute path of a range's file. */
export const pathOf = ({ roots }: Pick<SessionFolder, "roots">, path: string): string => resolve(roots[0], path)
