/**
 * Checks the entries of an archive before any of them is written. Neither a name nor a link may lead out of the folder
 * that it is unpacked into. Pure.
 */

export interface ArchiveEntry {
  readonly path: string
  readonly type: "file" | "folder" | "symlink" | "hardlink" | "other"
  /** The target of a link. */
  readonly target?: string
  /** The unpacked size in bytes. */
  readonly size: number
}

/** What an archive may hold. */
export interface Limits {
  readonly entries: number
  /** The sum of all sizes. */
  readonly bytes: number
}

/** The limits of programs that people install. */
export const limits: Limits = { entries: 200_000, bytes: 4 * 1024 * 1024 * 1024 }

/** Why the archive must not be unpacked, in one sentence. Undefined if it may. */
export const refusal = (
  entries: ReadonlyArray<ArchiveEntry>,
  { bytes, entries: most } = limits
): string | undefined => {
  if (entries.length > most) return `It holds more than ${most} files.`
  if (entries.reduce((sum, { size }) => sum + size, 0) > bytes)
    return `Unpacked it is larger than ${bytes / 1024 ** 3} GiB.`
  const links = new Set(entries.flatMap(({ path, type }) => (type === "symlink" ? [keyOf(path)] : [])))
  for (const entry of entries) {
    const reason = wrong(entry, links)
    if (reason !== undefined) return `${JSON.stringify(entry.path)} in it ${reason}.`
  }
  return undefined
}

const wrong = ({ path, target = "", type }: ArchiveEntry, links: ReadonlySet<string>): string | undefined => {
  if (type === "other") return "is neither a file nor a folder nor a link"
  if (leaves(path)) return "would lie outside of its folder"
  // An entry behind a link lies in another place than its path says, and so do the targets of its own links.
  const steps = stepsOf(path)
  if (steps.some((_, index) => index > 0 && links.has(keyOf(steps.slice(0, index).join("/")))))
    return "lies behind a link"
  if (type === "hardlink" && leaves(target)) return "is a link that leads outside"
  if (type === "symlink" && leads(steps.length - 1, target)) return "is a link that leads outside"
  return undefined
}

const leaves = (path: string): boolean =>
  path === "" || path.includes("\0") || path.includes("\\") || path.startsWith("/") || stepsOf(path).includes("..")

/**
 * Whether a link's target leads outside. `depth`: the depth of the link's folder. `..` is allowed only at the
 * beginning: behind a name, which may be a link, it may start anywhere.
 */
const leads = (depth: number, target: string): boolean => {
  if (target === "" || target.includes("\0") || target.includes("\\") || target.startsWith("/")) return true
  const steps = stepsOf(target)
  const down = steps.findIndex((step) => step !== "..")
  const ups = down === -1 ? steps.length : down
  return ups > depth || steps.slice(ups).includes("..")
}

const stepsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((step) => step !== "" && step !== ".")

/**
 * A path in the form that all file systems agree on. Some treat names with another case or Unicode composition as
 * equal.
 */
const keyOf = (path: string): string => stepsOf(path).join("/").normalize("NFC").toLowerCase()
