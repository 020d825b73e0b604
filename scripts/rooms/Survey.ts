/** Looks over a repository: its list of rooms, and how its files import each other. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Cycles from "./Cycles.ts"
import { at, type Finding } from "./Finding.ts"
import { edgesOf, type Import, importsOf } from "./ImportGraph.ts"
import * as LintRules from "./LintRules.ts"
import * as Permissions from "./Permissions.ts"
import { nameOf, type Place, placesOf } from "./Placement.ts"
import * as RoomList from "./RoomList.ts"
import * as RoomTable from "./RoomTable.ts"
import * as Workspace from "./Workspace.ts"

export interface Survey {
  readonly root: string
  readonly list: RoomList.RoomList
  readonly workspace: Workspace.Workspace
  readonly imports: ReadonlyArray<Import>
  readonly places: ReadonlyMap<string, Place>
}

const listFile = "rooms.json"

/** @throws Error where the list or a file cannot be read. */
export const make = (root: string): Survey => {
  const list = existsSync(join(root, listFile))
    ? RoomList.parse(readFileSync(join(root, listFile), "utf8"))
    : new Map<string, RoomList.Rooms>()
  const workspace = Workspace.read(root, list.keys())
  return { root, list, workspace, imports: importsOf(workspace), places: placesOf(workspace, list) }
}

export const findings = (survey: Survey): ReadonlyArray<Finding> => [
  ...cycles(survey),
  ...Permissions.check(survey.list, survey.imports, survey.places),
  ...outdated(survey)
]

const cycles = ({ imports, places }: Survey): ReadonlyArray<Finding> => {
  const edges = edgesOf(imports)
  const roomOf = (file: string) => {
    const place = places.get(file)
    return place === undefined ? file : nameOf(place)
  }
  const files = Cycles.find(edges, (file) => file)
  const rooms = Cycles.find(edges, roomOf)
  const packages = Cycles.find(edges, Permissions.packageOf)
  return [
    ...files.map((cycle) => told("files", cycle, "Move what both need, often a type, into a file of its own.")),
    ...rooms.map((cycle) => told("rooms", cycle, "Move what both need into the lower room, or into one below both.")),
    ...packages.map((cycle) => told("packages", cycle, "Move what both need into the lower package."))
  ]
}

const told = (what: string, { hops }: Cycles.Cycle, next: string): Finding => ({
  text: `A cycle of ${what}: ${[...hops.map(({ from }) => from), hops[0]?.from].join(" → ")}`,
  evidence: hops.map(({ edge }) => `${at(edge)} imports ${edge.to}`),
  next
})

const outdated = ({ list, places, root, workspace }: Survey): ReadonlyArray<Finding> =>
  generated(root, list, workspace, places).flatMap(({ file, text, why }): ReadonlyArray<Finding> => {
    if (text === undefined) return [{ where: file, text: "The tables of rooms cannot be written.", next: why }]
    if (read(root, file) === text) return []
    return [{ where: file, text: "It is not what rooms.json says.", next: 'Run "npm run rooms -- --write".' }]
  })

/** Puts another list in the place of the one that is there. */
export const writeList = (root: string, list: RoomList.RoomList): void =>
  writeFileSync(join(root, listFile), RoomList.print(list))

/** Writes what is generated from the list. */
export const write = ({ list, places, root, workspace }: Survey): void => {
  for (const { file, text } of generated(root, list, workspace, places))
    if (text !== undefined && read(root, file) !== text) writeFileSync(join(root, file), text)
}

interface Generated {
  readonly file: string
  readonly text: string | undefined
  /** What is to be done where it cannot be written. */
  readonly why: string
}

const generated = (
  root: string,
  list: RoomList.RoomList,
  workspace: Workspace.Workspace,
  places: ReadonlyMap<string, Place>
): ReadonlyArray<Generated> => [
  {
    file: RoomTable.document,
    text: RoomTable.insert(read(root, RoomTable.document), list),
    why: RoomTable.missing
  },
  { file: LintRules.file, text: LintRules.print(list, workspace, places), why: "" }
]

const read = (root: string, file: string): string =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : ""
