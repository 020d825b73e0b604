import type { ThreadId } from "@signalbox/contracts/Ids"
import { useEffect, useRef, useState } from "react"
import { problemOf } from "../connection/commands.ts"
import { exportThread } from "../connection/record.ts"
import { byteSize } from "../words/figures.ts"

type Exporting =
  | { readonly state: "idle"; readonly said?: string }
  | { readonly state: "reading"; readonly said?: string }

/** A name that every file system takes. */
const fileName = (title: string, threadId: ThreadId): string => {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 60)
  return `${words === "" ? "thread" : words}-${threadId.slice(0, 8)}.jsonl`
}

const download = (file: Blob, name: string): void => {
  const address = URL.createObjectURL(file)
  const anchor = document.createElement("a")
  anchor.href = address
  anchor.download = name
  anchor.click()
  // The browser has taken hold of it when the click has been dealt with.
  setTimeout(() => URL.revokeObjectURL(address), 0)
}

/** Reads the whole thread and hands it to the browser as a download. `save` resolves with whether that worked. */
export const useExport = (threadId: ThreadId, title: string) => {
  const [exporting, setExporting] = useState<Exporting>({ state: "idle" })
  const gone = useRef<AbortController>(null)
  useEffect(() => () => gone.current?.abort(), [])
  const save = async (): Promise<boolean> => {
    gone.current = new AbortController()
    setExporting({ state: "reading" })
    try {
      const file = await exportThread(threadId, gone.current.signal)
      download(file, fileName(title, threadId))
      setExporting({ state: "idle", said: `saved, ${byteSize(file.size)}` })
      return true
    } catch (error) {
      setExporting({ state: "idle", said: `not exported: ${problemOf(error).cause}` })
      return false
    }
  }
  return { ...exporting, save }
}
