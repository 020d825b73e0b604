/** Paths as text. Nothing here looks at a disk: links are not followed. */

/** An absolute path without `.` and `..`, resolved against `cwd`. */
export const resolvePath = (path: string, cwd: string): string => resolved(slashed(path), slashed(cwd))

const resolved = (path: string, cwd: string): string => {
  const absolute = isAbsolute(path) ? path : `${cwd}/${path}`
  const drive = /^[A-Za-z]:/.exec(absolute)?.[0] ?? ""
  const parts: Array<string> = []
  for (const part of absolute.slice(drive.length).split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  return `${drive}/${parts.join("/")}`
}

const slashed = (path: string): string => path.replaceAll("\\", "/")

const isAbsolute = (path: string): boolean => path.startsWith("/") || /^[A-Za-z]:\//.test(path)

/**
 * Whether `path` is `folder` or lies below it. Both are absolute, with no `.`, no `..` and no link in them. Letters count with their
 * case. Every part of Signalbox asks here, the parts that guard files included.
 */
export const isWithin = (folder: string, path: string): boolean => {
  const inside = folder.endsWith("/") ? folder : `${folder}/`
  return path === folder || path.startsWith(inside) || `${path}/` === inside
}

/**
 * Whether a path lies in a folder, by its text. A backslash separates on some systems and is a letter of a name on others. In a folder
 * that begins with `/` a path has to lie inside in both readings.
 */
const isInside = (path: string, folder: string): boolean =>
  isWithin(resolvePath(folder, folder), resolvePath(path, folder)) &&
  (!folder.startsWith("/") || isWithin(resolved(folder, folder), resolved(path, folder)))

/** The shortest form of a path as seen from `folder`: relative inside it, else unchanged. */
export const shownPath = (path: string, folder: string): string => {
  if (!isAbsolute(slashed(path))) return path
  const outer = resolvePath(folder, folder)
  const inner = resolvePath(path, folder)
  return outer !== "/" && inner !== outer && isInside(path, folder) ? inner.slice(outer.length + 1) : path
}

/** Whether its text alone does not say where it leads: from a home folder, a variable or an address on. */
export const mayLeadAnywhere = (path: string): boolean => /^~|\$|^[a-z][a-z0-9+.-]+:/i.test(path)

export const outside = "Outside the project"
const maybeOutside = "Maybe outside the project"

/** The place that a path leads to, as far as its text says. `mark` warns if that is not, or maybe not, in the folder. */
export interface Place {
  readonly mark?: typeof outside | typeof maybeOutside
  /** Without `..`, where it is written with some. */
  readonly resolved?: string
}

/** The page and the command line mark the paths of a request by this. */
export const placeOf = (path: string, folder: string): Place => {
  if (mayLeadAnywhere(path)) return { mark: maybeOutside }
  const resolved = resolvePath(path, folder)
  return {
    ...(!isInside(path, folder) && { mark: outside }),
    ...(resolved !== path && path.includes("..") && { resolved })
  }
}
