/** Follows the links of folders that patterns begin with. Many patterns begin in the same folders, so each folder is looked at once. */
import { lstatSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"

interface Real {
  readonly path: string
  readonly exists: boolean
}

/** A follower is for one request: links may be changed before the next one. Of a path that is not there, the folders that are there are followed. */
export const follower = (): ((path: string) => string) => {
  const known = new Map<string, Real>()
  const real = (path: string): Real => {
    const found = known.get(path) ?? look(path)
    known.set(path, found)
    return found
  }
  const look = (path: string): Real => {
    const above = dirname(path)
    if (above === path) return { path, exists: true }
    const folder = real(above)
    const plain = join(folder.path, path.slice(above.length))
    if (!folder.exists) return { path: plain, exists: false }
    try {
      const there = lstatSync(plain, { throwIfNoEntry: false })
      if (there?.isSymbolicLink() === true) return { path: realpathSync(plain), exists: true }
      return { path: plain, exists: there !== undefined }
    } catch {
      return { path: plain, exists: false }
    }
  }
  return (path) => real(path).path
}
