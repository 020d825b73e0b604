/** A file with unsaved text is to be closed: what becomes of that text is chosen first. */
import { useEffect } from "react"
import { useStore } from "../browser/Store.ts"
import { Button } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { Bar } from "./Bar.tsx"
import { isEditable } from "./documentState.ts"
import { nameOf } from "./FileTabs.tsx"
import type { OpenDocument } from "./OpenDocument.ts"

export const CloseUnsaved = (props: {
  readonly document: OpenDocument
  readonly onClose: () => void
  readonly onStay: () => void
}) => {
  const { document, onClose, onStay } = props
  const state = useStore(document.state)
  const { unsaved } = state
  useEffect(() => {
    if (!unsaved) onClose()
    // It closes when the text is on the disk.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [unsaved])
  return (
    <Bar
      lamp={<Lamp status="waiting" />}
      title={`${nameOf(document.path)} has unsaved text.`}
      text="Closed without saving, that text is gone."
    >
      {isEditable(state) && state.conflict === undefined && (
        <Button onClick={() => document.save()}>Save and close</Button>
      )}
      <Button onClick={onClose}>Close without saving</Button>
      <Button onClick={onStay}>Keep it open</Button>
    </Bar>
  )
}
