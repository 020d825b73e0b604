/** Holds imports against the list: what a room imports without permission, and what the list permits without need. */
import { type Finding, at } from "./Finding.ts"
import type { Import } from "./ImportGraph.ts"
import { nameOf, type Place } from "./Placement.ts"
import { packageName } from "./Resolver.ts"
import type { RoomList } from "./RoomList.ts"

export const check = (
  list: RoomList,
  imports: ReadonlyArray<Import>,
  places: ReadonlyMap<string, Place>
): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  const needed = new Set<string>()
  const rooms = new Map([...places.values()].map((place) => [nameOf(place), place]))
  for (const [name, { path, tree }] of rooms) {
    if (list.get(tree)?.has(path)) continue
    findings.push({
      text: `${name} is not in rooms.json.`,
      next: `Add it, with a sentence and what it may import. "npm run rooms -- --draft" prints the list with it.`
    })
  }
  const patterns = [...new Set([...list.values()].flatMap((tree) => [...tree.values()].flatMap(({ uses }) => uses)))]
  for (const one of imports) {
    const place = places.get(one.from)
    const room = place && list.get(place.tree)?.get(place.path)
    if (place === undefined || room === undefined) continue
    const found = need(one, place, places, patterns)
    if (found === undefined) continue
    needed.add(keyOf(place, found.field, found.name))
    const refused = refusal(one, place, found, places)
    if (refused !== undefined) findings.push({ ...refused, where: at(one) })
    else if (!room[found.field].includes(found.name)) findings.push({ ...denied(one, place, found), where: at(one) })
  }
  for (const [tree, entries] of list) {
    for (const [path, room] of entries) {
      const place = { tree, path, room: "" }
      const name = nameOf(place)
      if (!rooms.has(name)) {
        findings.push({ text: `rooms.json lists ${name}, where no file is.`, next: "Take it out of the list." })
        continue
      }
      if (room.holds.trim() === "")
        findings.push({ text: `rooms.json does not say what ${name} holds.`, next: `Write one sentence into "holds".` })
      for (const field of ["imports", "uses"] as const) {
        for (const permitted of room[field]) {
          if (needed.has(keyOf(place, field, permitted))) continue
          findings.push({
            text: `rooms.json permits ${name} to import ${permitted}, and no file there does.`,
            next: `Take "${permitted}" out of its "${field}".`
          })
        }
      }
    }
  }
  return findings
}

/** What the list has to name, so that a room may import this. */
export interface Need {
  readonly field: "imports" | "uses"
  readonly name: string
}

/** Nothing for an import within a room. `patterns`: all that the list has of modules from outside. */
export const need = (
  { specifier, target }: Import,
  place: Place,
  places: ReadonlyMap<string, Place>,
  patterns: ReadonlyArray<string>
): Need | undefined => {
  if (target.type === "missing") return { field: "imports", name: specifier }
  if (target.type === "outside") return { field: "uses", name: closest(target.module, patterns) }
  const other = places.get(target.file)
  if (other === undefined || nameOf(other) === nameOf(place)) return undefined
  if (other.tree === place.tree) return { field: "imports", name: other.path }
  return { field: "imports", name: target.name ?? nameOf(other) }
}

/** The longest entry that fits a module: who lists `node:sqlite` takes it out of `node:*`. */
const closest = (module: string, patterns: ReadonlyArray<string>): string =>
  patterns.filter((pattern) => fits(module, pattern)).sort((one, other) => other.length - one.length)[0] ??
  (module.startsWith("node:") ? module : packageName(module))

/** Whether an entry of `uses` means this module. */
export const fits = (module: string, pattern: string): boolean =>
  pattern.endsWith("*")
    ? module.startsWith(pattern.slice(0, -1))
    : module === pattern || module.startsWith(`${pattern}/`)

/** What no list can permit. */
const refusal = (
  { specifier, target }: Import,
  place: Place,
  { name }: Need,
  places: ReadonlyMap<string, Place>
): Finding | undefined => {
  if (target.type === "missing")
    return { text: `${nameOf(place)} imports ${specifier}, which is not there.`, next: "Correct the path." }
  if (target.type === "outside") return undefined
  const other = places.get(target.file)
  if (other === undefined) return undefined
  if (packageOf(other.tree) !== packageOf(place.tree) && target.name === undefined)
    return {
      text: `${nameOf(place)} reaches into another package by a path: ${specifier}.`,
      next: "Import it by the name of its package, which says what is public."
    }
  if (place.tree === other.tree && isInternal(place.path) && !isInternal(other.path))
    return {
      text: `${nameOf(place)} imports the public ${name}. What is internal never does.`,
      next: "Move what both need into internal/."
    }
  return undefined
}

const isInternal = (path: string): boolean => path.split("/").includes("internal")

/** `apps/server` of `apps/server/src` and of `apps/server/chaos`. */
export const packageOf = (tree: string): string => tree.split("/").slice(0, 2).join("/")

const denied = ({ specifier }: Import, place: Place, { field, name }: Need): Finding => ({
  text: `${nameOf(place)} imports ${name}, which rooms.json does not permit: ${specifier}.`,
  next:
    field === "uses"
      ? `Leave that module to the rooms that list it, or add "${name}" to "uses" of "${place.path}".`
      : `Move what both need into a room that both may import, or add "${name}" to "imports" of "${place.path}".`
})

const keyOf = ({ path, tree }: Pick<Place, "path" | "tree">, field: string, name: string): string =>
  JSON.stringify([tree, path, field, name])
