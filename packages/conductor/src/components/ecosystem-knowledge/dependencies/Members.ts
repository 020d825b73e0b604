/** The members of a workspace: folders below its own that a manifest names by patterns such as `packages/*`. */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import * as ForeignFolder from "../../../ecosystems/ecosystem/ForeignFolder.ts"
import type { Warn } from "./Dependency.ts"

const mostMembers = 500
const mostSegments = 16

/** Whether a name matches a pattern in which each `*` stands for any text. Linear in the name for each piece. */
const matches = (pattern: string, name: string): boolean => {
  const [first = "", ...rest] = pattern.split("*")
  if (rest.length === 0) return name === pattern
  const last = rest.pop() ?? ""
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false
  const end = name.length - last.length
  let at = first.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found === -1 || found + piece.length > end) return false
    at = found + piece.length
  }
  return true
}

const foldersIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.flatMap((entry) => (entry.isDirectory() && entry.name !== "node_modules" ? [entry.name] : [])).sort()
}

/** The folders that patterns name. Each is in the workspace's folder, with links followed. */
export const of = async (root: string, patterns: unknown, warn: Warn): Promise<ReadonlyArray<string>> => {
  const found = new Set<string>()
  for (const pattern of Array.isArray(patterns) ? patterns.slice(0, mostMembers) : []) {
    if (typeof pattern !== "string" || pattern.startsWith("!")) continue
    const segments = pattern.split("/").filter((segment) => segment !== "" && segment !== ".")
    if (segments.length > mostSegments || segments.some((segment) => segment === ".." || segment.includes("**"))) {
      warn(`The workspace's pattern ${JSON.stringify(pattern.slice(0, 100))} is not followed.`)
      continue
    }
    let folders: ReadonlyArray<string> = [""]
    for (const segment of segments) {
      const next: Array<string> = []
      for (const folder of folders.slice(0, mostMembers))
        if (segment.includes("*"))
          for (const name of await foldersIn(join(root, folder))) {
            if (matches(segment, name)) next.push(join(folder, name))
          }
        else next.push(join(folder, segment))
      folders = next
    }
    for (const folder of folders) {
      const real = await ForeignFolder.follow(root, folder)
      if ("path" in real) found.add(real.path)
      if (found.size === mostMembers) return [...found]
    }
  }
  return [...found]
}
