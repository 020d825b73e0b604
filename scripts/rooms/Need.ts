/** The entries that the list needs to permit an import. */
import type { Import } from "./ImportGraph.ts"
import { nameOf, type Place } from "./Placement.ts"
import { packageName } from "./Resolver.ts"
import type { RoomList } from "./RoomList.ts"

export const fields = ["imports", "uses", "door"] as const

/** `name` has to stand in `field` of the room at `place`. */
export interface Need {
  readonly place: Place
  readonly field: (typeof fields)[number]
  readonly name: string
}

/** Asks of each import what it needs. An import within a room needs nothing, nor does one of what is not there. */
export const asker = (list: RoomList, places: ReadonlyMap<string, Place>): ((one: Import) => ReadonlyArray<Need>) => {
  const entries = [...new Set(usesOf(list))]
  return ({ from, target }) => {
    const place = places.get(from)
    if (place === undefined || target.type === "missing") return []
    if (target.type === "outside") return [{ place, field: "uses", name: closest(target.module, entries) }]
    const other = places.get(target.file)
    if (other === undefined || nameOf(other) === nameOf(place)) return []
    const name = other.tree === place.tree ? other.path : (target.name ?? nameOf(other))
    const hasDoor = list.get(other.tree)?.get(other.path)?.door !== undefined
    const file = target.file.slice(`${nameOf(other)}/`.length)
    return [
      { place, field: "imports", name },
      ...(hasDoor ? [{ place: other, field: "door" as const, name: file }] : [])
    ]
  }
}

/** All modules from outside that the list names. */
export const usesOf = (list: RoomList): ReadonlyArray<string> =>
  [...list.values()].flatMap((rooms) => [...rooms.values()].flatMap(({ uses }) => uses))

/** The longest entry that fits a module: who lists `node:sqlite` takes it out of `node:*`. */
const closest = (module: string, entries: ReadonlyArray<string>): string =>
  entries.filter((entry) => fits(module, entry)).sort((one, other) => other.length - one.length)[0] ??
  packageName(module)

/** Whether an entry of `uses` means this module. */
export const fits = (module: string, entry: string): boolean =>
  entry.endsWith("*") ? module.startsWith(entry.slice(0, -1)) : module === entry || module.startsWith(`${entry}/`)
