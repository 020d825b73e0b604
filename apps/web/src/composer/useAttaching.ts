import type { ThreadId } from "@signalbox/contracts/Ids"
import { type ClipboardEvent, type DragEvent, useState } from "react"
import { announce } from "../shell/announcer.ts"
import { attach, largestPrompt, NotAttached } from "./attachments.ts"
import { changeDraft, type Draft } from "./drafts.ts"
import { byteSize } from "../transcript/figures.ts"

export interface Attaching {
  /** Why the last files did not go along. */
  readonly refused: string | undefined
  /** Files hang over the composer. */
  readonly over: boolean
  readonly add: (files: ReadonlyArray<File>) => void
  readonly remove: (id: string) => void
  readonly handlers: {
    readonly onPaste: (event: ClipboardEvent) => void
    readonly onDragOver: (event: DragEvent) => void
    readonly onDragLeave: (event: DragEvent) => void
    readonly onDrop: (event: DragEvent) => void
  }
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes("Files")

/** Files that come by paste, by drop or by the button. */
export const useAttaching = (threadId: ThreadId, draft: Draft): Attaching => {
  const [refused, setRefused] = useState<string>()
  const [over, setOver] = useState(false)
  const add = (files: ReadonlyArray<File>) => {
    setRefused(undefined)
    void Promise.allSettled(files.map(attach)).then((results) => {
      const attached = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []))
      const reasons = results.flatMap((result) =>
        result.status === "rejected" && result.reason instanceof NotAttached ? [result.reason.message] : []
      )
      changeDraft(threadId, ({ attachments }) => {
        const all = [...attachments, ...attached]
        if (all.reduce((sum, { bytes }) => sum + bytes, 0) <= largestPrompt) return { attachments: all }
        reasons.push(`Together they would have more than ${byteSize(largestPrompt)}.`)
        return {}
      })
      if (reasons.length > 0) setRefused(reasons.join(" "))
      else announce(`${attached.map(({ name }) => name).join(", ")} attached.`)
    })
  }
  return {
    refused,
    over,
    add,
    remove: (id) => {
      setRefused(undefined)
      changeDraft(threadId, { attachments: draft.attachments.filter((attachment) => attachment.id !== id) })
    },
    handlers: {
      onPaste: (event) => {
        const files = [...event.clipboardData.files]
        // What was copied from a page of text is there as a picture, too; the text is what was meant.
        if (files.length === 0 || event.clipboardData.types.includes("text/plain")) return
        event.preventDefault()
        add(files)
      },
      onDragOver: (event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: (event) => {
        if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return
        setOver(false)
      },
      onDrop: (event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        add([...event.dataTransfer.files])
      }
    }
  }
}
