/** The mounts of a sandbox, and the arguments that make bubblewrap do them. Pure: what exists is known by now. */
import { isWithin } from "@signalbox/contracts/Paths"

/** A path that shows something else in the sandbox. */
export interface Hidden {
  readonly path: string
  readonly kind: "folder" | "file"
}

/** What the sandbox shows. All paths are absolute, exist, and are no links, unless something else is said. */
export interface Layers {
  /** Folders that begin empty. */
  readonly temporary: ReadonlyArray<string>
  /** What stays readable in a temporary or a hidden folder, since the program needs it. */
  readonly visible: ReadonlyArray<string>
  /** Links to make in temporary folders. `path` may be a link outside of the sandbox, too. */
  readonly links: ReadonlyArray<{ readonly path: string; readonly to: string }>
  readonly writable: ReadonlyArray<string>
  /** What stays read-only in a writable folder. Neither it nor a folder around it can be renamed. */
  readonly guarded: ReadonlyArray<string>
  readonly hidden: ReadonlyArray<Hidden>
  /** What people have named: it counts in a hidden or guarded folder, too. */
  readonly named: { readonly readable: ReadonlyArray<string>; readonly writable: ReadonlyArray<string> }
  /** An empty file, which stands for hidden files. */
  readonly empty: string
}

/** Undefined values remove a variable. */
export type Environment = Readonly<Record<string, string | undefined>>

export interface Box {
  readonly layers: Layers
  /** Whether it has the network of the machine. */
  readonly network: boolean
  /** Files that are shown at another path. */
  readonly shown: ReadonlyArray<{ readonly path: string; readonly at: string }>
  readonly environment: Environment
  readonly cwd: string
}

const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

/**
 * What every sandbox has. Without `--disable-userns` a program in it could be root of a namespace of its own.
 * Root could change the kernel by `/proc/sys`, for which it needs no capability.
 */
const walls: ReadonlyArray<string> = words(`
  --unshare-user --disable-userns --unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup-try
  --die-with-parent --cap-drop ALL --ro-bind / / --dev /dev --proc /proc
  --ro-bind /proc/sys /proc/sys

`)

const wallsFor = (network: boolean): ReadonlyArray<string> => [...walls, ...(network ? [] : ["--unshare-net"])]

/** The arguments of a sandbox that only tries whether there can be one. */
export const trial: ReadonlyArray<string> = wallsFor(false)

/** The arguments of bubblewrap before the program. A later mount covers an earlier one. */
export const argumentsOf = ({ cwd, environment, layers, network, shown }: Box): ReadonlyArray<string> => [
  ...wallsFor(network),
  ...layers.temporary.flatMap((path) => ["--tmpfs", path]),
  ...layers.links.flatMap(({ path, to }) => ["--symlink", to, path]),
  ...shownIn(layers.temporary, layers.visible),
  ...placed(layers).flatMap(({ path, write }) => [write ? "--bind" : "--ro-bind", path, path]),
  ...covers(layers),
  ...shown.flatMap(({ at, path }) => ["--ro-bind", path, at]),
  ...Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? ["--unsetenv", name] : ["--setenv", name, value]
  ),
  "--chdir",
  cwd
]

const depthOf = (path: string): number => path.split("/").filter((part) => part !== "").length

const byDepth = (one: string, other: string): number => depthOf(one) - depthOf(other)

const isBelow = (folders: ReadonlyArray<string>, path: string): boolean =>
  folders.some((folder) => isWithin(folder, path))

const shownIn = (folders: ReadonlyArray<string>, paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.flatMap((path) => (isBelow(folders, path) ? ["--ro-bind", path, path] : []))

interface Placed {
  readonly path: string
  readonly write: boolean
}

/** Writable and guarded paths, from the outside to the inside. Where both name one path, what is more exact counts. */
const placed = (layers: Layers): ReadonlyArray<Placed> => {
  const { guarded, hidden, named, writable } = layers
  const modes = new Map<string, boolean>()
  for (const path of writable) modes.set(path, true)
  for (const path of guarded) modes.set(path, false)
  for (const path of named.writable) modes.set(path, true)
  for (const path of [...guarded, ...hidden.map(({ path }) => path)])
    for (const around of foldersAround(path, modes)) modes.set(around, true)
  return [...modes].toSorted(([one], [other]) => byDepth(one, other)).map(([path, write]) => ({ path, write }))
}

/**
 * The folders between a path and the writable folder around it. Each becomes a mount, which can't be renamed: another
 * one could take the place of the guarded path.
 */
const foldersAround = (path: string, modes: ReadonlyMap<string, boolean>): ReadonlyArray<string> => {
  const between: Array<string> = []
  for (let folder = above(path); ; folder = above(folder)) {
    const write = modes.get(folder)
    if (write !== undefined) return write ? between : []
    if (folder === "/") return []
    between.push(folder)
  }
}

const above = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf("/")))

/** Hides paths, and shows again what the program or its people need of them. */
const covers = ({ empty, hidden, named, visible }: Layers): ReadonlyArray<string> => {
  const folders = hidden.flatMap(({ kind, path }) => (kind === "folder" ? [path] : []))
  const outermost = hidden.filter(({ path }) => !folders.some((folder) => folder !== path && isWithin(folder, path)))
  const again = [
    ...[...visible, ...named.readable].map((path) => ({ path, write: false })),
    ...named.writable.map((path) => ({ path, write: true }))
  ].filter(({ path }) => outermost.some((one) => isWithin(one.path, path)))
  const emptied = outermost.filter(({ path }) => !again.some((one) => one.path === path))
  return [
    ...emptied.flatMap(({ kind, path }) => (kind === "folder" ? ["--tmpfs", path] : ["--ro-bind", empty, path])),
    ...again
      .toSorted((one, other) => byDepth(one.path, other.path))
      .flatMap(({ path, write }) => [write ? "--bind" : "--ro-bind", path, path]),
    ...emptied.flatMap(({ kind, path }) => (kind === "folder" ? ["--remount-ro", path] : []))
  ]
}
