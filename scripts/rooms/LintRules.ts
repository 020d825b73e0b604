/**
 * Writes the list of rooms as lint rules, so that an editor shows a forbidden import while it is written. The rules know only what the
 * text of an import says; `Permissions` has the last word.
 */
import { posix } from "node:path"
import { fits, usesOf } from "./Need.ts"
import { packageOf } from "./Permissions.ts"
import { nameOf, type Place } from "./Placement.ts"
import type { Room, RoomList } from "./RoomList.ts"
import { isCode, type Workspace } from "./Workspace.ts"

/** `.oxlintrc.json` extends it. */
export const file = ".oxlintrc.rooms.json"

export const print = (list: RoomList, workspace: Workspace, places: ReadonlyMap<string, Place>): string => {
  const overrides = stations(list, workspace, places).map(({ depth, files, place, room }) => {
    const group = [...own(place, depth, list), ...permitted(room, place, depth, list), ...modules(room, list)]
    const self = workspace.packages.find(({ folder }) => folder === packageOf(place.tree))?.name
    if (self !== undefined) group.push(...allowed(self))
    const message = `${nameOf(place)} may import ${[...room.imports, ...room.uses].join(", ") || "nothing"}: see rooms.json.`
    return { files: [files], rules: { "no-restricted-imports": ["error", { patterns: [{ group, message }] }] } }
  })
  const lines = overrides.map((override) => `    ${JSON.stringify(override)}`).join(",\n")
  return `{\n  "overrides": [\n${lines}\n  ]\n}\n`
}

/** Files that lie equally deep in one room. */
interface Station {
  readonly place: Place
  readonly room: Room
  readonly files: string
  /** How many folders of the room are above them. */
  readonly depth: number
}

const stations = (list: RoomList, { trees }: Workspace, places: ReadonlyMap<string, Place>): ReadonlyArray<Station> => {
  const found = new Map<string, Station>()
  for (const code of [...trees.values()].flat().filter(isCode)) {
    const place = places.get(code)
    const room = place && list.get(place.tree)?.get(place.path)
    if (place === undefined || room === undefined) continue
    const name = nameOf(place)
    const isFolder = !isLevel(name) && !isOneFile(name)
    const depth = isFolder ? code.slice(name.length + 1).split("/").length - 1 : 0
    const files = isFolder ? `${name}/${"*/".repeat(depth)}*` : name
    found.set(files, { place, room, files, depth })
  }
  // A rule for one file comes behind the rule for its level.
  return [...found.values()].sort((one, other) => order(one).localeCompare(order(other), "en"))
}

const order = ({ files, place }: Station): string => `${place.path.endsWith("*") ? 0 : 1} ${files}`

const folderOf = ({ path, tree }: Place, depth: number): string =>
  posix.join(
    tree,
    isLevel(path) || isOneFile(path) ? posix.dirname(path) : path,
    ...Array.from({ length: depth }, () => "x")
  )

const isLevel = (path: string): boolean => posix.basename(path) === "*"
const isOneFile = (path: string): boolean => posix.basename(path) !== "*" && isCode(path)

/** Everything is forbidden but the room itself. */
const own = (place: Place, depth: number, list: RoomList): ReadonlyArray<string> => {
  if (isLevel(place.path)) return ["**", ...level(place.tree, place.path, folderOf(place, 0), list)]
  if (isOneFile(place.path)) return ["**"]
  return depth === 0 ? ["**", "!./**"] : ["**", "!./**", "!../**", `${"../".repeat(depth + 1)}**`]
}

/** The files of a level but for those with an entry of their own. */
const level = (tree: string, path: string, folder: string, list: RoomList): ReadonlyArray<string> => {
  const above = posix.join(tree, posix.dirname(path))
  const others = [...(list.get(tree)?.keys() ?? [])].filter(
    (room) => room !== path && isOneFile(room) && posix.dirname(room) === posix.dirname(path)
  )
  return [`!${relative(folder, above)}/*`, ...others.map((room) => relative(folder, posix.join(tree, room)))]
}

const permitted = (room: Room, place: Place, depth: number, list: RoomList): ReadonlyArray<string> => {
  const folder = folderOf(place, depth)
  // Files with an entry of their own come last: a level takes them out.
  const levelsFirst = [...room.imports].sort((one, other) => Number(isLevel(other)) - Number(isLevel(one)))
  return levelsFirst.flatMap((name) => {
    const found = find(name, place.tree, list)
    if (found === undefined) return allowed(name)
    if (isLevel(found.path)) return level(found.tree, found.path, folder, list)
    const path = relative(folder, posix.join(found.tree, found.path))
    if (isOneFile(found.path)) return [`!${path}`]
    const door = list.get(found.tree)?.get(found.path)?.door ?? ["**"]
    return door.map((file) => `!${path}/${file}`)
  })
}

/** The room that a name in `imports` means. */
const find = (
  name: string,
  tree: string,
  list: RoomList
): { readonly tree: string; readonly path: string } | undefined => {
  if (list.get(tree)?.has(name)) return { tree, path: name }
  for (const [other, rooms] of list)
    if (name.startsWith(`${other}/`) && rooms.has(name.slice(other.length + 1)))
      return { tree: other, path: name.slice(other.length + 1) }
  return undefined
}

/** Modules from outside: short entries first, since the longest one that fits counts. */
const modules = ({ uses }: Room, list: RoomList): ReadonlyArray<string> =>
  [...new Set(usesOf(list))]
    .filter((entry) => uses.some((mine) => fits(entry, mine)))
    .sort((one, other) => one.length - other.length || one.localeCompare(other, "en"))
    .flatMap((entry) => (uses.includes(entry) ? allowed(entry) : [entry, `${entry}/**`]))

const allowed = (name: string): ReadonlyArray<string> => [`!${name}`, `!${name}/**`]

const relative = (folder: string, path: string): string => {
  const found = posix.relative(folder, path)
  return found === "" ? "." : found.startsWith(".") ? found : `./${found}`
}
