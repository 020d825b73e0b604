/** Tells what the list has to name, so that a room may import something. */
import type { Import } from "./ImportGraph.ts"
import { nameOf, type Place } from "./Placement.ts"
import { packageName } from "./Resolver.ts"
import type { RoomList } from "./RoomList.ts"

export interface Need {
  readonly field: "imports" | "uses"
  readonly name: string
}

/** Nothing for an import within a room, or of what is not there. `entries`: all that the list has of modules from outside. */
export const needOf = (
  { target }: Import,
  place: Place,
  places: ReadonlyMap<string, Place>,
  entries: ReadonlyArray<string>
): Need | undefined => {
  if (target.type === "missing") return undefined
  if (target.type === "outside") return { field: "uses", name: closest(target.module, entries) }
  const other = places.get(target.file)
  if (other === undefined || nameOf(other) === nameOf(place)) return undefined
  if (other.tree === place.tree) return { field: "imports", name: other.path }
  return { field: "imports", name: target.name ?? nameOf(other) }
}

/** All modules from outside that the list names. */
export const outsideEntries = (list: RoomList): ReadonlyArray<string> => [
  ...new Set([...list.values()].flatMap((rooms) => [...rooms.values()].flatMap(({ uses }) => uses)))
]

/** The longest entry that fits a module: who lists `node:sqlite` takes it out of `node:*`. */
const closest = (module: string, entries: ReadonlyArray<string>): string =>
  entries.filter((entry) => fits(module, entry)).sort((one, other) => other.length - one.length)[0] ??
  packageName(module)

/** Whether an entry of `uses` means this module. */
export const fits = (module: string, entry: string): boolean =>
  entry.endsWith("*") ? module.startsWith(entry.slice(0, -1)) : module === entry || module.startsWith(`${entry}/`)
