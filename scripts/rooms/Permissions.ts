/** Holds imports against the list: what a room imports without permission, and what the list permits without need. */
import { at, type Finding } from "./Finding.ts"
import type { Import } from "./ImportGraph.ts"
import { asker, fields, type Need } from "./Need.ts"
import { nameOf, type Place } from "./Placement.ts"
import type { Room, RoomList } from "./RoomList.ts"

export const check = (
  list: RoomList,
  imports: ReadonlyArray<Import>,
  places: ReadonlyMap<string, Place>
): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  const needed = new Set<string>()
  const needsOf = asker(list, places)
  for (const one of imports) {
    const place = places.get(one.from)
    if (place === undefined || roomAt(list, place) === undefined) continue
    const needs = needsOf(one)
    for (const need of needs) needed.add(keyOf(need))
    const unmet = needs.find(({ field, name, place }) => !roomAt(list, place)?.[field]?.includes(name))
    const finding = refusal(one, place, places) ?? (unmet && denial(one, place, unmet))
    if (finding) findings.push({ ...finding, where: at(one) })
  }
  const standing = new Map([...places.values()].map((place) => [nameOf(place), place]))
  return [...unlisted(list, standing.values()), ...findings, ...untrue(list, new Set(standing.keys()), needed)]
}

const roomAt = (list: RoomList, { path, tree }: Place): Room | undefined => list.get(tree)?.get(path)

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

const denial = ({ specifier }: Import, { path, tree }: Place, { field, name, place }: Need): Finding => {
  const importer = nameOf({ path, tree })
  switch (field) {
    case "imports":
      return {
        text: `${importer} imports ${name}, which rooms.json does not permit: ${specifier}.`,
        next: `Move what both need into a room that both may import, or add "${name}" to "imports" of "${path}".`
      }
    case "uses":
      return {
        text: `${importer} imports ${name}, which rooms.json does not permit: ${specifier}.`,
        next: `Leave that module to the rooms that list it, or add "${name}" to "uses" of "${path}".`
      }
    case "door":
      return {
        text: `${importer} imports ${specifier}, which is not a door of ${nameOf(place)}.`,
        next: `Import what its door has, or add "${name}" to "door" of "${place.path}".`
      }
  }
}

const unlisted = (list: RoomList, standing: Iterable<Place>): ReadonlyArray<Finding> =>
  [...standing]
    .filter(({ path, tree }) => !list.get(tree)?.has(path))
    .map((place) => ({
      text: `${nameOf(place)} is not in rooms.json.`,
      next: `Add it, with a sentence and what it may import. "npm run rooms -- --draft --write" does all but the sentence.`
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

const unneeded = (place: Place, room: Room, needed: ReadonlySet<string>): ReadonlyArray<Finding> =>
  fields.flatMap((field) =>
    (room[field] ?? [])
      .filter((name) => !needed.has(keyOf({ place, field, name })))
      .map((name) => ({
        text:
          field === "door"
            ? `rooms.json has ${name} in the door of ${nameOf(place)}, and no other room imports it.`
            : `rooms.json permits ${nameOf(place)} to import ${name}, and no file there does.`,
        next: `Take "${name}" out of its "${field}".`
      }))
  )

const keyOf = ({ field, name, place }: Need): string => JSON.stringify([place.tree, place.path, field, name])
