// No native element completes what is written in a text area, so this list is built of roles.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react"
import styles from "./Picker.module.css"
import { placeAbove } from "../design/placeAbove.ts"
import { RevealedProse } from "../text/Revealed.tsx"

export interface Completion {
  readonly key: string
  readonly label: ReactNode
  readonly description?: string
  /** Puts it into the text. */
  readonly complete: () => void
}

/** What may be meant. The focus stays in the composer, whose active descendant is one of these. */
export const CompletionList = (props: {
  readonly id: string
  readonly label: string
  readonly completions: ReadonlyArray<Completion>
  readonly active: number
  readonly anchor: RefObject<HTMLElement | null>
  readonly onActivate: (index: number) => void
}) => {
  const { active, anchor, completions, id, label, onActivate } = props
  const floating = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const list = floating.current
    if (list === null || anchor.current === null) return
    if (!list.matches(":popover-open")) list.showPopover()
    placeAbove(list, anchor.current)
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" })
  })
  return (
    <div ref={floating} popover="manual" className={styles["floating"]}>
      <div id={id} className={styles["list"]} role="listbox" aria-label={label}>
        {completions.map(({ complete, description, key, label }, index) => (
          <div
            key={key}
            id={`${id}-${index}`}
            className={styles["choice"]}
            role="option"
            aria-selected={index === active}
            data-active={index === active ? "" : undefined}
            onPointerMove={() => onActivate(index)}
            // The composer keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={complete}
          >
            <span />
            <span>{label}</span>
            {description !== undefined && description !== "" && (
              <span className={styles["description"]}>
                <RevealedProse text={description} />
              </span>
            )}
          </div>
        ))}
      </div>
    </div>
  )
}
