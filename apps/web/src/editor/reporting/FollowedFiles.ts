/** The open files whose texts the server knows: each from the moment its tab is there until it is closed. */
import type { Extension } from "@codemirror/state"
import { type EditedFile, type EditorAccess, isFree } from "./access.ts"
import type { Reportable, Reporter } from "./Reporter.ts"

export interface FollowedFile extends Reportable {
  readonly file: EditedFile
}

export interface FollowedFiles {
  readonly get: (path: string) => FollowedFile | undefined
  readonly all: () => Iterable<FollowedFile>
  /** The one on the screen. */
  readonly shown: () => FollowedFile | undefined
  /** Looks at all files again: something that decides about them has changed. */
  readonly look: () => void
  readonly stop: () => void
}

/** The callbacks that run when something happens to a file. */
export interface Follower {
  /** Makes the extension that the editor of a file gets. */
  readonly extension: (path: string) => Extension
  /** Whether the agent of the thread edits it. */
  readonly isPaused?: (path: string) => boolean
  /** People may not change it now. `isExtended`: it may show something. */
  readonly onHeld?: (one: FollowedFile, isExtended: boolean) => void
  /** People may change it again. */
  readonly onFree?: (one: FollowedFile) => void
  /** Its state has changed. */
  readonly onLook: (one: FollowedFile) => void
}

interface Followed {
  readonly one: FollowedFile
  readonly look: () => void
  readonly leave: () => void
}

export const make = (editor: EditorAccess, reporter: Reporter, follower: Follower): FollowedFiles => {
  const followed = new Map<string, Followed>()

  const follow = (path: string): Followed => {
    const file = editor.file(path)
    const one: FollowedFile = {
      path,
      file,
      text: () => {
        const { holder, text } = file.state.get()
        return text === "here" && holder !== "elsewhere" ? file.buffer() : undefined
      }
    }
    let isExtended = false
    let wasSaving = false
    let wasFree = false
    const look = () => {
      const now = file.state.get()
      if (now.text === "here" && file.buffer() !== undefined && !isExtended) {
        isExtended = true
        editor.extend(file, follower.extension(path))
      }
      if (wasSaving && !now.saving && !now.unsaved && now.failed === undefined) reporter.saved(one)
      wasSaving = now.saving
      const free = isFree(now) && follower.isPaused?.(path) !== true
      if (!free) follower.onHeld?.(one, isExtended)
      const isNews = free && !wasFree
      if (isNews) follower.onFree?.(one)
      reporter.look(one, isNews)
      wasFree = free
      follower.onLook(one)
    }
    const unsubscribe = file.state.subscribe(look)
    return {
      one,
      look,
      leave: () => {
        unsubscribe()
        reporter.remove(one)
        followed.delete(path)
        if (isExtended) editor.extend(file, [])
      }
    }
  }

  const followTabs = () => {
    const paths = editor.tabs.get()
    for (const { leave, one } of followed.values()) if (!paths.includes(one.path)) leave()
    for (const path of paths) {
      if (followed.has(path)) continue
      const known = follow(path)
      followed.set(path, known)
      reporter.add(known.one)
      known.look()
    }
  }
  const stopTabs = editor.tabs.subscribe(followTabs)
  followTabs()
  const all = () => [...followed.values()].map(({ one }) => one)

  return {
    get: (path) => followed.get(path)?.one,
    all,
    shown: () => all().find(({ file }) => file.buffer()?.view !== undefined),
    look: () => {
      for (const { look } of followed.values()) look()
    },
    stop: () => {
      stopTabs()
      for (const { leave } of followed.values()) leave()
    }
  }
}
