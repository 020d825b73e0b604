import { type ReactNode, useEffect, useId, useRef } from "react"
import { IconButton } from "./Button.tsx"
import styles from "./Dialog.module.css"

/**
 * A modal dialog, open for as long as it is rendered. Esc and the cross close it; the focus then returns to where it was.
 * What carries `data-first-focus` has the focus first.
 */
export const Dialog = (props: {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    element?.querySelector<HTMLElement>("[data-first-focus]")?.focus()
    return () => element?.close()
  }, [])
  return (
    <dialog ref={dialog} className={styles["dialog"]} aria-labelledby={titleId} onClose={props.onClose}>
      <header className={styles["head"]}>
        <h2 id={titleId}>{props.title}</h2>
        <IconButton icon="x" label="Close" hint="Esc" onClick={() => dialog.current?.close()} />
      </header>
      {props.children}
    </dialog>
  )
}
