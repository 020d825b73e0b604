/** Writes the list as the imports are now. Sentences and doors that are there stay; what a new room holds is left for a person to say. */
import type { Import } from "./ImportGraph.ts"
import { asker, usesOf } from "./Need.ts"
import type { Place } from "./Placement.ts"
import type { Room, RoomList } from "./RoomList.ts"

export const draft = (list: RoomList, imports: ReadonlyArray<Import>, places: ReadonlyMap<string, Place>): RoomList => {
  const needsOf = asker(list, places)
  const entries = usesOf(list)
  const found = new Map<string, Map<string, Needs>>()
  for (const { path, tree } of places.values()) {
    const rooms = found.get(tree) ?? new Map<string, Needs>()
    found.set(tree, rooms)
    if (!rooms.has(path)) rooms.set(path, { imports: new Set(), uses: new Set() })
  }
  for (const { field, name, place } of imports.flatMap(needsOf)) {
    if (field === "door") continue
    // Node's own modules are one entry, unless the list names them separately.
    const entry = name.startsWith("node:") && !entries.includes(name) ? "node:*" : name
    found.get(place.tree)?.get(place.path)?.[field].add(entry)
  }
  return new Map(
    [...found].map(([tree, rooms]) => {
      const drafted = new Map<string, Room>()
      for (const [path, { imports, uses }] of rooms) {
        const { door, holds = "" } = list.get(tree)?.get(path) ?? {}
        drafted.set(path, { holds, imports: [...imports].sort(), uses: [...uses].sort(), ...(door && { door }) })
      }
      return [tree, upwards(drafted)]
    })
  )
}

interface Needs {
  readonly imports: Set<string>
  readonly uses: Set<string>
}

/** Rooms in an order in which each stands behind those that it imports; those of a cycle come last. */
const upwards = (rooms: ReadonlyMap<string, Room>): ReadonlyMap<string, Room> => {
  const sorted = new Map<string, Room>()
  const left = new Map([...rooms].sort(([one], [other]) => one.localeCompare(other, "en")))
  while (left.size > 0) {
    const ready = [...left].filter(([, { imports }]) => !imports.some((name) => left.has(name)))
    for (const [path, room] of ready.length > 0 ? ready : left) {
      sorted.set(path, room)
      left.delete(path)
    }
  }
  return sorted
}
