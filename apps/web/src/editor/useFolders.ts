/** The open folders of a thread's tree, each followed on the disk while it is shown. */
import type { FolderFrame } from "@signalbox/contracts/FolderEntries"
import type { ThreadId } from "@signalbox/contracts/Ids"
import { useEffect, useRef, useState } from "react"
import { followFolder } from "../connection/documents.ts"
import { announce } from "../browser/announcer.ts"
import { makeStore, type Store, useStore } from "../browser/Store.ts"

/** The most folders that are open at once. The one that was opened first is closed for another. */
const mostOpen = 60

/** The open folders of each thread, as long as the page is loaded. */
const opened = new Map<ThreadId, Store<ReadonlySet<string>>>()

const openedIn = (threadId: ThreadId): Store<ReadonlySet<string>> => {
  const known = opened.get(threadId) ?? makeStore<ReadonlySet<string>>(new Set())
  opened.set(threadId, known)
  return known
}

/** The thread stays the same as long as the tree is shown. */
export const useFolders = (threadId: ThreadId) => {
  const store = openedIn(threadId)
  const open = useStore(store)
  const [frames, setFrames] = useState<ReadonlyMap<string, FolderFrame>>(new Map())
  const followed = useRef(new Map<string, AbortController>())
  // A folder within a closed one isn't shown, so it isn't followed.
  const shown = ["", ...[...open].filter((path) => isShown(path, open))].sort().join("\0")
  useEffect(() => {
    const wanted = new Set(shown.split("\0"))
    for (const [path, over] of followed.current) {
      if (wanted.has(path)) continue
      over.abort()
      followed.current.delete(path)
      setFrames((before) => new Map([...before].filter(([one]) => one !== path)))
    }
    for (const path of wanted) {
      if (followed.current.has(path)) continue
      const over = new AbortController()
      followed.current.set(path, over)
      let isNew = true
      followFolder(
        { threadId, path },
        (frame) => {
          setFrames((before) => new Map(before).set(path, frame))
          if (isNew) sayIfNothing(path, frame)
          isNew = false
        },
        over.signal
      )
    }
  }, [threadId, shown])
  useEffect(() => {
    const all = followed.current
    return () => {
      for (const over of all.values()) over.abort()
      all.clear()
    }
  }, [])
  return {
    frames,
    open,
    unfold: (paths: ReadonlyArray<string>) => {
      const before = store.get()
      const next = [...before].filter((path) => !paths.includes(path))
      if (paths.some((path) => !before.has(path))) store.set(new Set([...next, ...paths].slice(-mostOpen)))
    },
    fold: (path: string) => store.set(new Set([...store.get()].filter((one) => one !== path)))
  }
}

/** The tree shows these words in a place that isn't a row. */
const sayIfNothing = (path: string, frame: FolderFrame): void => {
  if (frame.type === "refused") announce(frame.problem.title)
  else if (frame.entries.length === 0) announce(`${path === "" ? "The folder" : path} is empty.`)
}

const isShown = (path: string, open: ReadonlySet<string>): boolean => {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
    if (!open.has(path.slice(0, at))) return false
  return true
}
