/** The room of a file. */
import type { RoomList } from "./RoomList.ts"
import type { Workspace } from "./Workspace.ts"

export interface Place {
  readonly tree: string
  /** The room's path in its tree, as the list has it or would have it: `orchestration`, `provider/drivers`, `bin.ts`, `*`. */
  readonly path: string
}

/** Places all files of the workspace. */
export const placesOf = ({ trees }: Workspace, list: RoomList): ReadonlyMap<string, Place> =>
  new Map(
    [...trees].flatMap(([tree, files]) => {
      const listed = [...(list.get(tree)?.keys() ?? [])]
      return files.map((file): [string, Place] => [file, placeOf(tree, listed, file)])
    })
  )

const placeOf = (tree: string, listed: ReadonlyArray<string>, file: string): Place => {
  let level = ""
  while (true) {
    const rest = file.slice(`${tree}/${level}`.length)
    const slash = rest.indexOf("/")
    if (slash === -1) return { tree, path: listed.includes(level + rest) ? level + rest : `${level}*` }
    const path = level + rest.slice(0, slash)
    if (!listed.some((room) => room.startsWith(`${path}/`))) return { tree, path }
    level = `${path}/`
  }
}

/** The room's full name. */
export const nameOf = ({ path, tree }: Place): string => `${tree}/${path}`
