// No native element completes what is written in a text area, so this list is built of roles.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */
import type { AgentCommand } from "@signalbox/contracts/ThreadView"
import { type RefObject, useLayoutEffect, useRef } from "react"
import styles from "./Picker.module.css"
import { placeAbove } from "./placeAbove.ts"

type Command = typeof AgentCommand.Type

/** The commands that may be meant. The focus stays in the composer, whose active descendant is one of these. */
export const CommandList = (props: {
  readonly id: string
  readonly commands: ReadonlyArray<Command>
  readonly active: number
  readonly anchor: RefObject<HTMLElement | null>
  readonly onActivate: (index: number) => void
  readonly onPick: (command: Command) => void
}) => {
  const { active, anchor, commands, id, onActivate, onPick } = props
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
      <div id={id} className={styles["list"]} role="listbox" aria-label="Commands">
        {commands.map((command, index) => (
          <div
            key={command.name}
            id={`${id}-${index}`}
            className={styles["choice"]}
            role="option"
            aria-selected={index === active}
            data-active={index === active ? "" : undefined}
            onPointerMove={() => onActivate(index)}
            // The composer keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onPick(command)}
          >
            <span />
            <span>
              <code>/{command.name}</code> {command.hint !== undefined && <span className="meta">{command.hint}</span>}
            </span>
            {command.description !== "" && <span className={styles["description"]}>{command.description}</span>}
          </div>
        ))}
      </div>
    </div>
  )
}
