/** The edge between the transcript and the editor, which pointers and keys move. */
// A separator that can be moved is a control, and there is no native element for it.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */
import type { KeyboardEvent, PointerEvent } from "react"
import styles from "./EditorRoom.module.css"
import { defaults, lay, narrowest, widest, widthOf } from "./layout.ts"

const step = 16
const largeStep = 96

/** `width`: that of the transcript, in pixels. Its parent stands beside the transcript, and shares its place with it. */
export const Divider = ({ width }: { readonly width: number }) => {
  const move = (edge: HTMLElement, wanted: number) => {
    const room = edge.parentElement?.parentElement?.clientWidth
    lay({ transcript: widthOf(wanted, room) })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = event.shiftKey ? largeStep : step
    const wanted = { ArrowLeft: width - by, ArrowRight: width + by, Home: narrowest, End: widest }[event.key]
    if (wanted === undefined) return
    event.preventDefault()
    move(event.currentTarget, wanted)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const edge = event.currentTarget
    const both = edge.parentElement?.parentElement
    if (both && edge.hasPointerCapture(event.pointerId)) move(edge, event.clientX - both.getBoundingClientRect().left)
  }
  return (
    <div
      className={styles["divider"]}
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the transcript"
      aria-valuenow={width}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      aria-valuetext={`${width} pixels`}
      tabIndex={0}
      title="Drag, or press the arrow keys. Press twice for the usual width."
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onDoubleClick={() => lay({ transcript: defaults.transcript })}
    />
  )
}
