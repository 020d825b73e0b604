/** Paths as text. Nothing here reads a disk, so links are not followed. */

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
 * Whether `path` is `folder` or below it. Both must be absolute, without `.`, `..` and links. Case matters. All parts
 * of Signalbox use this function, including those that guard files.
 */
export const isWithin = (folder: string, path: string): boolean => {
  const inside = folder.endsWith("/") ? folder : `${folder}/`
  return path === folder || path.startsWith(inside) || `${path}/` === inside
}

/**
 * Whether a path leads elsewhere than it says. A folder that is behind a link itself is no news. All paths are absolute, without `.` and `..`.
 *
 * @param root the folder without links
 */
export const leadsElsewhere = (said: string, leadsTo: string, folder: string, root: string): boolean =>
  leadsTo !== said && !(isWithin(folder, said) && leadsTo === root + said.slice(folder.length))

/**
 * Whether a path is in a folder, by its text. A backslash separates on some systems, and is a letter on others. In a
 * folder that begins with `/`, a path must be inside in both readings.
 */
const isInside = (path: string, folder: string): boolean =>
  isWithin(resolvePath(folder, folder), resolvePath(path, folder)) &&
  (!folder.startsWith("/") || isWithin(resolved(folder, folder), resolved(path, folder)))

/** The shortest form of a path: relative within `folder`, otherwise unchanged. */
export const shownPath = (path: string, folder: string): string => {
  if (!isAbsolute(slashed(path))) return path
  const outer = resolvePath(folder, folder)
  const inner = resolvePath(path, folder)
  return outer !== "/" && inner !== outer && isInside(path, folder) ? inner.slice(outer.length + 1) : path
}

/** Whether the text alone does not show the path's target: it begins with a home folder, a variable or an address. */
export const mayLeadAnywhere = (path: string): boolean => /^~|\$|^[a-z][a-z0-9+.-]+:/i.test(path)

export const outside = "Outside the project"
const maybeOutside = "Maybe outside the project"

/** The target of a path, as far as its text shows it. `mark` warns if it is outside of the folder, or may be. */
export interface Place {
  readonly mark?: typeof outside | typeof maybeOutside
  /** The path without `..`, if it contains some. */
  readonly resolved?: string
}

/** The place of a request's path. The page and the command line mark paths by it. */
export const placeOf = (path: string, folder: string): Place => {
  if (mayLeadAnywhere(path)) return { mark: maybeOutside }
  const resolved = resolvePath(path, folder)
  return {
    ...(!isInside(path, folder) && { mark: outside }),
    ...(resolved !== path && path.includes("..") && { resolved })
  }
}

/** A path from a folder, as far as its text shows it. Undefined if it is the folder, or may lead out of it. */
export const pathWithin = (path: string, cwd: string): string | undefined => {
  if (path === "" || mayLeadAnywhere(path) || placeOf(path, cwd).mark !== undefined) return undefined
  const shown = shownPath(resolvePath(path, cwd), cwd)
  return shown.startsWith("/") ? undefined : shown
}
