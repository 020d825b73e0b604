/** Watches the disk for the language servers that want to hear of it, as long as they run. */
import { isWithin } from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Containment from "../documents/Containment.ts"
import type { RunningServer } from "../running/RunningServer.ts"
import type { FileEvent } from "../watching/FileEvent.ts"
import * as FolderWatch from "../watching/FolderWatch.ts"
import type { Slot } from "./Slot.ts"

interface Parts {
  /** Folders of the workspace. Nothing outside of them is watched, even if a server asks for it. */
  readonly folders: () => ReadonlyArray<string>
  readonly slots: () => ReadonlyArray<Slot>
  readonly onChanged: (events: ReadonlyArray<FileEvent>) => Effect.Effect<void>
}

export interface DiskWatch {
  /** A server may want to hear of other files than before, or has ended. */
  readonly refresh: () => void
  /** Why a run does not hear of all that it wants to hear of, in sentences. */
  readonly unheard: (run: RunningServer) => string | undefined
}

/** The folder that is watched for a server. One that reaches from outside into its root is the root. */
const baseOf = ({ folder, isDeep }: FolderWatch.Base, root: string): FolderWatch.Base => ({
  folder: isDeep && isWithin(folder, root) ? root : folder,
  isDeep
})

/** Folders that servers want to hear of and that may be watched, each once. */
const basesOf = (slots: ReadonlyArray<Slot>, folders: ReadonlyArray<string>): ReadonlyArray<FolderWatch.Base> => {
  const deep = new Map<string, boolean>()
  for (const slot of slots)
    for (const watcher of slot.running()?.watchers() ?? []) {
      const { folder, isDeep } = baseOf(watcher, slot.root)
      if (folders.some((one) => isWithin(one, folder))) deep.set(folder, isDeep || deep.get(folder) === true)
    }
  return [...deep].map(([folder, isDeep]) => ({ folder, isDeep }))
}

export const make = Effect.fnUntraced(function* ({
  folders,
  onChanged,
  slots
}: Parts): Effect.fn.Return<DiskWatch, never, Scope.Scope> {
  let limits: string | undefined
  /** What runs have missed. */
  const losses = new WeakMap<RunningServer, string>()
  let before = ""

  const watching = () => slots().filter((slot) => (slot.running()?.watchers() ?? []).length > 0)

  const watch = yield* FolderWatch.make({
    roots: folders,
    isInside: (folder) => Effect.map(Effect.option(Containment.check(folders(), folder)), Option.isSome),
    onChanged,
    onLimited: (words) => {
      limits = words
      for (const slot of watching()) slot.show()
    },
    onLost: (words) => {
      for (const slot of watching()) {
        const run = slot.running()
        if (run !== undefined) losses.set(run, words)
        slot.show()
      }
    }
  })

  return {
    refresh: () => {
      const bases = basesOf(slots(), folders())
      const now = JSON.stringify(bases)
      if (now === before) return
      before = now
      watch.follow(bases)
    },
    unheard: (run) => {
      const words = [run.watchers().length === 0 ? undefined : limits, losses.get(run)]
      const said = words.filter((each) => each !== undefined)
      return said.length === 0 ? undefined : said.join(" ")
    }
  }
})
