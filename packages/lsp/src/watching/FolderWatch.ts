/**
 * Watches folders of the disk, and reports what was created, changed and deleted in them. Each folder is watched by itself, so
 * that those which nobody asks for cost nothing: `node_modules`, `.git`, and what git ignores. Links are not followed.
 */
import { isWithin } from "@signalbox/contracts/Paths"
import * as IgnoredByGit from "@signalbox/process/IgnoredByGit"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { basename, join } from "node:path"
import { settled } from "../Settled.ts"
import type { FileEvent } from "./FileEvent.ts"
import * as Look from "./Look.ts"
import * as WatchedFolder from "./WatchedFolder.ts"

/** A folder that somebody wants to hear of. `isDeep`: also of folders in it. It may itself be one that is left out otherwise. */
export interface Base {
  readonly folder: string
  readonly isDeep: boolean
}

export interface Options {
  /** Folders of the workspace. Repositories around them have no say in what is ignored. */
  readonly roots: () => ReadonlyArray<string>
  /** Whether a base is within these folders also behind links. */
  readonly isInside: (folder: string) => Effect.Effect<boolean>
  /** Most folders that are watched. Default: 4096. */
  readonly mostFolders?: number
  readonly onChanged: (events: ReadonlyArray<FileEvent>) => Effect.Effect<void>
  /** Some changes are not noticed: why, in sentences. Undefined when all are. */
  readonly onLimited: (words: string | undefined) => void
  /** Changes were lost: why, in sentences. */
  readonly onLost: (words: string) => void
}

export interface FolderWatch {
  /** Watches these folders from soon on, and no others. */
  readonly follow: (bases: ReadonlyArray<Base>) => void
}

/** Most names in folders that are watched. */
const mostNames = 200_000
/** Most changes that are reported at once. */
const mostChanges = 4096
/** The system keeps that many signs at most until they are read, and drops further ones without a word. */
const mostSigns = 16_384

/** Silence that ends a batch of changes, in milliseconds, and the longest time that a batch is waited for. */
const silence = 50
const longest = 500

/** How often it is looked for bases that are not there. */
const betweenLooks = "2 seconds"

/** Folders that are only watched if they are a base, or in one. */
const leftOut: ReadonlySet<string> = new Set([".git", "node_modules"])

interface Step extends Base {
  /** Git is not asked: the base itself is ignored. */
  readonly takesIgnored: boolean
}

/** Nothing is watched before `follow`, and after the scope has closed. */
export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<FolderWatch, never, Scope.Scope> {
  const { isInside, mostFolders = 4096, onChanged, onLimited, onLost, roots } = options
  const folders = new Map<string, WatchedFolder.WatchedFolder>()
  let bases: ReadonlyArray<Base> = []
  let isCast = true
  /** The bases that are watched now. */
  let steps: ReadonlyArray<Step> = []
  let changed = new Set<string>()
  let signs = 0
  /** Bases that could not be watched when they were found, and their numbers. */
  const tried = new Map<string, number>()
  let isOver = false
  /** Why some folders are not watched. */
  let full = 0
  let refusal: string | undefined
  let told: string | undefined
  const wake = Latch.makeUnsafe(false)

  const onChange = (path: string) => {
    signs += 1
    if (changed.size <= mostChanges) changed.add(path)
    wake.openUnsafe()
  }

  const missing = () => steps.filter(({ folder }) => !folders.has(folder))

  const names = () => {
    let count = 0
    for (const { entries } of folders.values()) count += entries.size
    return count
  }

  /** Watches a folder, if there is room. */
  const opened = (path: string) =>
    Effect.promise(async () => {
      const left = mostNames - names()
      const opening =
        folders.size >= mostFolders || left <= 0
          ? ({ type: "full" } as const)
          : await WatchedFolder.open(path, left, onChange)
      if (opening.type === "full") full += 1
      if (opening.type === "refused") refusal = opening.why
      if (opening.type !== "open") return undefined
      if (isOver) {
        opening.folder.close()
        return undefined
      }
      folders.set(path, opening.folder)
      return opening.folder
    })

  const withoutIgnored = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
    const asked = steps.filter(({ folder, takesIgnored }) => !takesIgnored && !folders.has(folder))
    if (asked.length === 0) return steps
    const ignored = yield* IgnoredByGit.check(
      asked.map(({ folder }) => folder),
      roots()
    )
    return steps.filter(({ folder, takesIgnored }) => takesIgnored || ignored.get(folder) !== "yes")
  })

  /** Watches folders and those in them, level by level, so that the deepest ones are left out. Returns all of them. */
  const walk = Effect.fnUntraced(function* (starts: ReadonlyArray<Step>, onFound: (event: FileEvent) => void) {
    const reached = new Map<string, boolean>()
    let level = starts
    while (level.length > 0) {
      const below: Array<Step> = []
      for (const { folder, isDeep, takesIgnored } of level) {
        if (reached.get(folder) === true || (reached.has(folder) && !isDeep)) continue
        const known = folders.get(folder)
        const { entries = new Map<string, WatchedFolder.EntryKind>() } = known ?? (yield* opened(folder)) ?? {}
        reached.set(folder, isDeep)
        for (const [name, kind] of entries) {
          const path = join(folder, name)
          if (known === undefined) onFound({ path, kind: "created" })
          if (isDeep && kind === "folder" && !leftOut.has(name)) below.push({ folder: path, isDeep, takesIgnored })
        }
      }
      level = yield* withoutIgnored(below)
    }
    return reached
  })

  const limitWords = (): string | undefined => {
    if (refusal !== undefined)
      return `The system does not watch all of its folders: ${refusal}. It does not hear of changes in the others: raise the limit, and turn it off and on again.`
    if (full === 0) return undefined
    return `${folders.size} of its folders are watched, which is as many as may be. It does not hear of changes in the others: let git ignore what is made or fetched.`
  }

  const showLimits = () => {
    const words = limitWords()
    if (words === told) return
    told = words
    onLimited(words)
  }

  const close = (path: string) => {
    folders.get(path)?.close()
    folders.delete(path)
    tried.delete(path)
  }

  /** Bases that are there and not watched, and were not tried yet. Where they come from may be watched by nobody. */
  const found = Effect.gen(function* () {
    const paths: Array<string> = []
    for (const { folder } of missing()) {
      const ino = yield* Effect.promise(() => WatchedFolder.inoOf(folder))
      if (ino === undefined) tried.delete(folder)
      if (ino === undefined || tried.get(folder) === ino) continue
      tried.set(folder, ino)
      if (yield* isInside(folder)) paths.push(folder)
    }
    return paths
  })

  /** Bases that have gone with a folder around them: the system says so about that folder only. */
  const gone = Effect.gen(function* () {
    const paths: Array<string> = []
    for (const { folder } of steps) {
      const known = folders.get(folder)
      if (known !== undefined && (yield* Effect.promise(() => WatchedFolder.inoOf(folder))) !== known.ino)
        paths.push(folder)
    }
    return paths
  })

  /** Completes when something may have changed. */
  const woken = Effect.gen(function* () {
    while (missing().length > 0) {
      if (Option.isSome(yield* Effect.timeoutOption(wake.await, betweenLooks))) return
      for (const path of yield* found) onChange(path)
    }
    yield* wake.await
  })

  /** Watches what is wanted now. */
  const cast = Effect.gen(function* () {
    isCast = true
    full = 0
    refusal = undefined
    const wanted: Array<Base> = []
    for (const base of bases) if (yield* isInside(base.folder)) wanted.push(base)
    const ignored = yield* IgnoredByGit.check(
      wanted.map(({ folder }) => folder),
      roots()
    )
    steps = wanted.map((base) => ({ ...base, takesIgnored: ignored.get(base.folder) === "yes" }))
    const reached = yield* walk(steps, () => {})
    for (const path of folders.keys()) if (!reached.has(path)) close(path)
    showLimits()
  })

  /** How a folder that is new is watched: as a base, or since it is in one. */
  const stepsTo = (folder: string): ReadonlyArray<Step> =>
    steps.flatMap((base) => {
      if (base.folder === folder) return [base]
      const isIn = base.isDeep && isWithin(base.folder, folder) && !leftOut.has(basename(folder))
      return isIn ? [{ ...base, folder }] : []
    })

  const tell = Effect.gen(function* () {
    const hasLost = changed.size > mostChanges || signs >= mostSigns
    // What the system has dropped is found by what is in the folders now.
    const paths = hasLost ? new Set([...changed, ...folders.keys()]) : changed
    changed = new Set()
    signs = 0
    const events: Array<FileEvent> = []
    let found = 0
    const onFound = (event: FileEvent) => {
      found += 1
      if (events.length < mostChanges) events.push(event)
    }
    const before = folders.size
    const fresh = yield* Look.at({ paths, folders, mostNames, close, onFound })
    if (folders.size < before) for (const path of yield* gone) onChange(path)
    yield* walk(yield* withoutIgnored(fresh.flatMap(stepsTo)), onFound)
    showLimits()
    if (events.length > 0) yield* onChanged(events)
    if (hasLost || found > events.length)
      onLost(
        `So much has changed at once that it got only ${events.length} of the changes. Turn it off and on again, so that it reads its project anew.`
      )
  })

  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      isOver = true
      for (const path of folders.keys()) close(path)
    })
  )
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.gen(function* () {
        yield* woken
        yield* settled({ count: () => signs, silence, longest })
        wake.closeUnsafe()
        if (!isCast) yield* cast
        if (changed.size > 0) yield* tell
      })
    )
  )
  return {
    follow: (wanted) => {
      bases = wanted
      isCast = false
      wake.openUnsafe()
    }
  }
})
