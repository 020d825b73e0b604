import type { ThreadId } from "@signalbox/contracts/Ids"
import { type ClipboardEvent, useEffect, useEffectEvent, useState } from "react"
import { announce } from "../browser/announcer.ts"
import { largestPrompt } from "@signalbox/contracts/Content"
import { attach, NotAttached } from "./attachments.ts"
import type { Draft } from "./Draft.ts"
import { changeDraft } from "./drafts.ts"
import { byteSize } from "../words/figures.ts"

export interface Attaching {
  /** Why the last files did not go along. */
  readonly refused: string | undefined
  /** Files hang over the page. */
  readonly over: boolean
  readonly add: (files: ReadonlyArray<File>) => void
  readonly remove: (id: string) => void
  /** Forgets why files were refused: the prompt that they were for is sent. */
  readonly sent: () => void
  readonly onPaste: (event: ClipboardEvent) => void
}

const filesOf = ({ dataTransfer }: DragEvent): ReadonlyArray<File> | undefined =>
  dataTransfer?.types.includes("Files") === true ? [...dataTransfer.files] : undefined

/** Files that come by paste, by a drop anywhere on the page, or by the button. */
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
  const drop = useEffectEvent((event: DragEvent) => {
    const files = filesOf(event)
    if (files === undefined) return
    // Anywhere else the browser would leave the page for the file.
    event.preventDefault()
    setOver(false)
    if (document.querySelector("dialog:modal") === null) add(files)
  })
  useEffect(() => {
    const hover = (event: DragEvent) => {
      if (filesOf(event) === undefined) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const dropped = (event: DragEvent) => drop(event)
    addEventListener("dragover", hover)
    addEventListener("dragleave", leave)
    addEventListener("drop", dropped)
    return () => {
      removeEventListener("dragover", hover)
      removeEventListener("dragleave", leave)
      removeEventListener("drop", dropped)
    }
  }, [])
  return {
    refused,
    over,
    add,
    remove: (id) => {
      setRefused(undefined)
      changeDraft(threadId, { attachments: draft.attachments.filter((attachment) => attachment.id !== id) })
    },
    sent: () => setRefused(undefined),
    onPaste: (event) => {
      const files = [...event.clipboardData.files]
      // What was copied from a page of text is there as a picture, too; the text is what was meant.
      if (files.length === 0 || event.clipboardData.types.includes("text/plain")) return
      event.preventDefault()
      add(files)
    }
  }
}
