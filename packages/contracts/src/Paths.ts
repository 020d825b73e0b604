/** Paths as text. Nothing here looks at a disk: links are not followed. */

/** An absolute path without `.` and `..`, resolved against `cwd`. */
export const resolvePath = (path: string, cwd: string): string => {
  const separated = path.replaceAll("\\", "/")
  const absolute = isAbsolute(separated) ? separated : `${cwd.replaceAll("\\", "/")}/${separated}`
  const drive = /^[A-Za-z]:/.exec(absolute)?.[0] ?? ""
  const parts: Array<string> = []
  for (const part of absolute.slice(drive.length).split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  return `${drive}/${parts.join("/")}`
}

const isAbsolute = (path: string): boolean => path.startsWith("/") || /^[A-Za-z]:\//.test(path)

/** Whether a path lies in a folder, by its text. */
export const isInside = (path: string, folder: string): boolean => {
  const inner = resolvePath(path, folder)
  const outer = resolvePath(folder, folder)
  return inner === outer || inner.startsWith(outer === "/" ? "/" : `${outer}/`)
}

/** As short as it can be said from `folder`: relative inside it, else unchanged. */
export const shownPath = (path: string, folder: string): string => {
  if (!isAbsolute(path.replaceAll("\\", "/"))) return path
  const outer = resolvePath(folder, folder)
  const inner = resolvePath(path, folder)
  return outer !== "/" && inner.startsWith(`${outer}/`) ? inner.slice(outer.length + 1) : path
}

/** Whether its text alone does not say where it leads: from a home folder, a variable or an address on. */
export const mayLeadAnywhere = (path: string): boolean => /^~|\$|^[a-z][a-z0-9+.-]+:/i.test(path)

export const outside = "Outside the project"
const maybeOutside = "Maybe outside the project"

/** Where a path leads, as far as its text says. `mark` warns where that is not, or maybe not, in the folder. */
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
