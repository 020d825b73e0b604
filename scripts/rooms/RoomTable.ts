/** Writes the list of rooms as the tables of ARCHITECTURE.md, between two markers. */
import type { RoomList, Rooms } from "./RoomList.ts"

export const document = "ARCHITECTURE.md"

const begin = "<!-- rooms: written by `npm run rooms -- --write` from rooms.json -->"
const end = "<!-- /rooms -->"

/** The document with the tables of this list; nothing where it has no markers. */
export const insert = (text: string, list: RoomList): string | undefined => {
  const from = text.indexOf(begin)
  const to = text.indexOf(end, from)
  if (from === -1 || to === -1) return undefined
  return `${text.slice(0, from + begin.length)}\n\n${tables(list)}\n\n${text.slice(to)}`
}

export const missing = `It needs the lines "${begin}" and "${end}" where the tables are to stand.`

const tables = (list: RoomList): string =>
  [...list].map(([tree, rooms]) => `### \`${tree}\`\n\n${table(rooms)}`).join("\n\n")

const table = (rooms: Rooms): string =>
  [
    "| Room | Holds | May import | Uses |",
    "|---|---|---|---|",
    ...[...rooms].map(
      ([path, { door, holds, imports, uses }]) =>
        `| \`${path}\` | ${cell(holds)}${door ? ` Its door: ${names(door)}.` : ""} | ${names(imports)} | ${names(uses)} |`
    )
  ].join("\n")

const names = (all: ReadonlyArray<string>): string =>
  all.length === 0 ? "–" : all.map((name) => `\`${name}\``).join(", ")

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")
