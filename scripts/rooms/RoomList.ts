/** Reads `rooms.json`: the rooms of each source tree, and what each of them may import. */

export interface Room {
  /** One sentence: what stands in this room. */
  readonly holds: string
  /** Rooms of the same tree are named by their path in it. Rooms of another tree have their full path, other packages their name. */
  readonly imports: ReadonlyArray<string>
  /** Modules from outside of the repository: `effect` with all below it, `node:sqlite`, or `node:*` for all that begin so. */
  readonly uses: ReadonlyArray<string>
  /** The files of the room that other rooms may import, by their path in it. Without a door they may import all. */
  readonly door?: ReadonlyArray<string>
}

/**
 * Rooms by their path in the tree: a folder, a file on its level, or `*`. The latter is all files on a level that have no entry of their
 * own. A folder with rooms below it in the list is divided into these.
 */
export type Rooms = ReadonlyMap<string, Room>

/** Rooms by source tree, such as `apps/server/src`. */
export type RoomList = ReadonlyMap<string, Rooms>

/** @throws Error that says what is wrong in the text. */
export const parse = (text: string): RoomList => {
  const trees = recordIn(JSON.parse(text), "rooms.json")
  return new Map(
    Object.entries(trees).map(([tree, rooms]) => [
      tree,
      new Map(Object.entries(recordIn(rooms, tree)).map(([path, room]) => [path, roomIn(room, `${tree}/${path}`)]))
    ])
  )
}

/** The list as text, laid out as `npm run format` leaves it. */
export const print = (list: RoomList): string =>
  `${JSON.stringify(Object.fromEntries([...list].map(([tree, rooms]) => [tree, Object.fromEntries(rooms)])), undefined, 2)}\n`.replaceAll(
    /^( *"\w+": )\[\n([^[\]]*)\](,?)$/gm,
    (spread: string, field: string, names: string, comma: string) => {
      const line = `${field}[${names.trim().replaceAll(/\n */g, " ")}]${comma}`
      return line.length > 120 ? spread : line
    }
  )

const fields: ReadonlySet<string> = new Set(["holds", "imports", "uses", "door"])

const roomIn = (value: unknown, where: string): Room => {
  const room = recordIn(value, where)
  const unknown = Object.keys(room).find((field) => !fields.has(field))
  if (unknown !== undefined) throw new Error(`${where} has the unknown field "${unknown}".`)
  const { holds } = room
  if (typeof holds !== "string") throw new Error(`${where} has no sentence in "holds".`)
  return {
    holds,
    imports: namesIn(room, "imports", where),
    uses: namesIn(room, "uses", where),
    ...(room["door"] !== undefined && { door: namesIn(room, "door", where) })
  }
}

const namesIn = (room: Readonly<Record<string, unknown>>, field: string, where: string): ReadonlyArray<string> => {
  const value = room[field]
  if (!Array.isArray(value)) throw new Error(`${where} has no list in "${field}".`)
  return value.map((name: unknown) => {
    if (typeof name !== "string") throw new Error(`${where} has something other than names in "${field}".`)
    return name
  })
}

const recordIn = (value: unknown, where: string): Readonly<Record<string, unknown>> => {
  if (!isRecord(value)) throw new Error(`${where} is not an object.`)
  return value
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
