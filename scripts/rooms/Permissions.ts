/** Holds imports against the list: what a room imports without permission, and what the list permits without need. */
import { at, type Finding } from "./Finding.ts"
import type { Import } from "./ImportGraph.ts"
import { type Need, needOf, outsideEntries } from "./Need.ts"
import { nameOf, type Place } from "./Placement.ts"
import type { Room, RoomList } from "./RoomList.ts"

export const check = (
  list: RoomList,
  imports: ReadonlyArray<Import>,
  places: ReadonlyMap<string, Place>
): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  const needed = new Set<string>()
  const entries = outsideEntries(list)
  for (const one of imports) {
    const place = places.get(one.from)
    const room = place && list.get(place.tree)?.get(place.path)
    if (place === undefined || room === undefined) continue
    const need = needOf(one, place, places, entries)
    if (need !== undefined) needed.add(keyOf(place, need))
    const finding =
      refusal(one, place, places) ?? (need && !room[need.field].includes(need.name) && denial(one, place, need))
    if (finding) findings.push({ ...finding, where: at(one) })
  }
  const standing = new Map([...places.values()].map((place) => [nameOf(place), place]))
  return [...unlisted(list, standing.values()), ...findings, ...untrue(list, new Set(standing.keys()), needed)]
}

/** What no list can permit. */
const refusal = (
  { specifier, target }: Import,
  place: Place,
  places: ReadonlyMap<string, Place>
): Finding | undefined => {
  if (target.type === "missing")
    return { text: `${nameOf(place)} imports ${specifier}, which is not there.`, next: "Correct the path." }
  const other = target.type === "file" ? places.get(target.file) : undefined
  if (target.type === "outside" || other === undefined) return undefined
  if (packageOf(other.tree) !== packageOf(place.tree) && target.name === undefined)
    return {
      text: `${nameOf(place)} reaches into another package by a path: ${specifier}.`,
      next: "Import it by the name of its package, which says what is public."
    }
  if (place.tree === other.tree && isInternal(place.path) && !isInternal(other.path))
    return {
      text: `${nameOf(place)} imports the public ${other.path}: ${specifier}. What is internal never does.`,
      next: "Move what both need into internal/."
    }
  return undefined
}

const isInternal = (path: string): boolean => path.split("/").includes("internal")

/** `apps/server` of `apps/server/src`, and of a file in it. */
export const packageOf = (path: string): string => path.split("/").slice(0, 2).join("/")

const denial = ({ specifier }: Import, place: Place, { field, name }: Need): Finding => ({
  text: `${nameOf(place)} imports ${name}, which rooms.json does not permit: ${specifier}.`,
  next:
    field === "uses"
      ? `Leave that module to the rooms that list it, or add "${name}" to "uses" of "${place.path}".`
      : `Move what both need into a room that both may import, or add "${name}" to "imports" of "${place.path}".`
})

const unlisted = (list: RoomList, standing: Iterable<Place>): ReadonlyArray<Finding> =>
  [...standing]
    .filter(({ path, tree }) => !list.get(tree)?.has(path))
    .map((place) => ({
      text: `${nameOf(place)} is not in rooms.json.`,
      next: `Add it, with a sentence and what it may import. "npm run rooms -- --draft" prints the list with it.`
    }))

/** Entries of the list that say what is not so. */
const untrue = (list: RoomList, standing: ReadonlySet<string>, needed: ReadonlySet<string>): ReadonlyArray<Finding> =>
  [...list].flatMap(([tree, rooms]) =>
    [...rooms].flatMap(([path, room]) => {
      const name = nameOf({ tree, path })
      if (!standing.has(name))
        return [{ text: `rooms.json lists ${name}, where no file is.`, next: "Take it out of the list." }]
      const silent = { text: `rooms.json does not say what ${name} holds.`, next: `Write one sentence into "holds".` }
      return [...(room.holds.trim() === "" ? [silent] : []), ...unneeded({ tree, path }, room, needed)]
    })
  )

const unneeded = (
  place: Pick<Place, "path" | "tree">,
  room: Room,
  needed: ReadonlySet<string>
): ReadonlyArray<Finding> =>
  (["imports", "uses"] as const).flatMap((field) =>
    room[field]
      .filter((name) => !needed.has(keyOf(place, { field, name })))
      .map((name) => ({
        text: `rooms.json permits ${nameOf(place)} to import ${name}, and no file there does.`,
        next: `Take "${name}" out of its "${field}".`
      }))
  )

const keyOf = ({ path, tree }: Pick<Place, "path" | "tree">, { field, name }: Need): string =>
  JSON.stringify([tree, path, field, name])
