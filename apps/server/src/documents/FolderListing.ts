/** What a folder of a thread holds. Nothing of the files is read, and links that lead out are named and not followed. */
import { type FolderEntry, mostEntries } from "@signalbox/contracts/FolderEntries"
import { isWithin } from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import type { Dirent } from "node:fs"
import { lstat, opendir } from "node:fs/promises"
import { join } from "node:path"
import { PathRefused, refusalOf } from "../workspace/Containment.ts"
import * as IgnoredByGit from "@signalbox/process/IgnoredByGit"
import * as OpenFolder from "../workspace/OpenFolder.ts"
import * as ProtectedPaths from "../workspace/ProtectedPaths.ts"
import type { DocumentPlace } from "./DocumentPlace.ts"

/** The most names of a folder that are looked at. A folder with more is listed in part, and not in its order. */
const mostNames = 10_000

export interface FolderListing {
  readonly entries: ReadonlyArray<FolderEntry>
  readonly isCut: boolean
}

/** Lists a folder: folders first, then by name. The folder of Git is left out. */
export const read = Effect.fn("FolderListing.read")(function* (place: DocumentPlace) {
  const { found, isCut, real } = yield* Effect.tryPromise({
    try: () => entriesOf(place),
    catch: (error) => refusalOf(place.path, error)
  })
  const ignored = yield* IgnoredByGit.check(
    found.map(({ name }) => join(real, name)),
    place.grant.roots
  )
  const listing: FolderListing = {
    entries: found.map((entry) =>
      ignored.get(join(real, entry.name)) === "yes" ? { ...entry, isIgnored: true } : entry
    ),
    isCut
  }
  return listing
})

const entriesOf = async ({ grant, path: given }: DocumentPlace) => {
  const { path: real } = await ProtectedPaths.admitted(grant, given, "read")
  const folder = await OpenFolder.open(real)
  try {
    const place = await OpenFolder.placeOf(folder.handle, real)
    if (place === undefined || !grant.roots.some((root) => isWithin(root, place)))
      throw new PathRefused({ reason: "outside", path: given, message: `${given} changed while it was opened.` })
    await ProtectedPaths.check(grant, given, place, "read")
    const { isCut, names } = await namesIn(folder)
    const found = await Promise.all(names.map((entry) => entryOf(grant, real, entry)))
    const sorted = found.toSorted(byKindAndName)
    return { real, found: sorted.slice(0, mostEntries), isCut: isCut || sorted.length > mostEntries }
  } finally {
    await folder.handle.close()
  }
}

const namesIn = async (folder: OpenFolder.OpenFolder) => {
  const names: Array<Dirent> = []
  for await (const entry of await opendir(folder.at("."), { bufferSize: 256 })) {
    if (names.length === mostNames) return { names, isCut: true }
    if (entry.name !== ".git") names.push(entry)
  }
  return { names, isCut: false }
}

const entryOf = async (grant: ProtectedPaths.Grant, folder: string, entry: Dirent): Promise<FolderEntry> => {
  const { name } = entry
  if (!entry.isSymbolicLink()) return { name, kind: kindOf(entry) }
  return { name, kind: await kindBehind(grant, join(folder, name)), isLink: true }
}

const kindOf = (found: Pick<Dirent, "isDirectory" | "isFile">): FolderEntry["kind"] =>
  found.isDirectory() ? "folder" : found.isFile() ? "file" : "other"

/** The kind of what a link leads to. `other` if it leads out, or nowhere. */
const kindBehind = async (grant: ProtectedPaths.Grant, link: string): Promise<FolderEntry["kind"]> => {
  try {
    const { path } = await ProtectedPaths.admitted(grant, link, "read")
    return kindOf(await lstat(path))
  } catch {
    return "other"
  }
}

const collator = new Intl.Collator("en", { numeric: true })

const byKindAndName = (left: FolderEntry, right: FolderEntry): number =>
  Number(right.kind === "folder") - Number(left.kind === "folder") || collator.compare(left.name, right.name)
