// No native element lists choices with descriptions in named groups, so this one is built of roles.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */
import type { SettingChoice, SettingGroup } from "@signalbox/contracts/SessionSetting"
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react"
import { Lamp } from "../design/Lamp.tsx"
import styles from "./Picker.module.css"

/** From this many choices on, there is a field to find one. */
const manyChoices = 12

/** How far a key moves in a list; undefined for keys that don't. */
const stepOf = (key: string, length: number): number | undefined => {
  switch (key) {
    case "ArrowDown":
      return 1
    case "ArrowUp":
      return -1
    case "PageDown":
      return 8
    case "PageUp":
      return -8
    case "Home":
      return -length
    case "End":
      return length
    default:
      return undefined
  }
}

const countOf = (groups: ReadonlyArray<SettingGroup>): number =>
  groups.reduce((sum, { choices }) => sum + choices.length, 0)

/** Whether every word of the query stands in what is known about a choice. */
const isMeant = (query: string, group: SettingGroup, choice: SettingChoice): boolean => {
  const known = [choice.name, choice.value, choice.description ?? "", group.name ?? ""].join(" ").toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => known.includes(word))
}

/** A list of choices: arrows move, Enter picks, letters find. It may change while it is open; the focus stays. */
export const ChoiceList = (props: {
  readonly id: string
  readonly label: string
  readonly groups: ReadonlyArray<SettingGroup>
  readonly value: string | undefined
  readonly onPick: (value: string) => void
  readonly onLeave: () => void
}) => {
  const { groups, id, label, onLeave, onPick, value } = props
  const focused = useRef<HTMLElement>(null)
  const [query, setQuery] = useState("")
  const [active, setActive] = useState(value)

  // Settled when it opens: a field that came or went with the choices would take the focus with it.
  const [searchable] = useState(countOf(groups) >= manyChoices)
  const offered = groups
    .map((group, place) => ({
      ...group,
      place,
      choices: group.choices.filter((choice) => isMeant(query.trim(), group, choice))
    }))
    .filter(({ choices }) => choices.length > 0)
  const choices = offered.flatMap((group) => group.choices)
  const activeAt = choices.findIndex((choice) => choice.value === active)
  // What was pointed at may be gone; then the chosen one is nearest to it.
  const at = activeAt >= 0 ? activeAt : Math.max(0, query === "" ? choices.findIndex((it) => it.value === value) : 0)
  const activeId = choices.length === 0 ? undefined : `${id}-${at}`

  useLayoutEffect(() => focused.current?.focus(), [])
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" })
  }, [activeId])

  const onKeyDown = (event: KeyboardEvent) => {
    // In the field, Home and End belong to the text.
    const inText = searchable && (event.key === "Home" || event.key === "End")
    const step = inText ? undefined : stepOf(event.key, choices.length)
    const chosen = choices[at]
    if (step !== undefined) {
      event.preventDefault()
      setActive(choices[Math.max(0, Math.min(choices.length - 1, at + step))]?.value)
    } else if ((event.key === "Enter" || (event.key === " " && !searchable)) && chosen) {
      event.preventDefault()
      onPick(chosen.value)
    } else if (event.key === "Tab") {
      event.preventDefault()
      onLeave()
    } else if (!searchable && /^\S$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const initial = event.key.toLowerCase()
      const next = [...choices.slice(at + 1), ...choices.slice(0, at + 1)].find(({ name }) =>
        name.toLowerCase().startsWith(initial)
      )
      event.preventDefault()
      if (next) setActive(next.value)
    }
  }

  return (
    <>
      {searchable && (
        <input
          ref={(input) => {
            focused.current = input
          }}
          className={`field ${styles["filter"]}`}
          type="text"
          role="combobox"
          aria-label={`Find: ${label}`}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={activeId}
          placeholder="Find"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setActive(undefined)
          }}
          onKeyDown={onKeyDown}
        />
      )}
      <div
        ref={(list) => {
          if (!searchable) focused.current = list
        }}
        id={id}
        className={styles["list"]}
        role="listbox"
        aria-label={label}
        tabIndex={searchable ? -1 : 0}
        aria-activedescendant={searchable ? undefined : activeId}
        onKeyDown={searchable ? undefined : onKeyDown}
      >
        {choices.length === 0 && (
          <p className={styles["none"]}>
            {query.trim() === "" ? "Nothing is offered here now." : "Nothing has that name."}
          </p>
        )}
        {offered.map((group) => (
          <div key={group.place} className={styles["group"]} role="group" aria-label={group.name}>
            {group.name !== undefined && <div className={styles["groupName"]}>{group.name}</div>}
            {group.choices.map((choice) => {
              const place = choices.indexOf(choice)
              return (
                <div
                  key={place}
                  id={`${id}-${place}`}
                  className={styles["choice"]}
                  role="option"
                  aria-selected={choice.value === value}
                  data-active={place === at ? "" : undefined}
                  onPointerMove={() => setActive(choice.value)}
                  onClick={() => onPick(choice.value)}
                >
                  {choice.value === value ? <Lamp status="completed" /> : <span />}
                  <span>{choice.name}</span>
                  {choice.description !== undefined && choice.description !== "" && (
                    <span className={styles["description"]}>{choice.description}</span>
                  )}
                </div>
              )
            })}
          </div>
        ))}
      </div>
    </>
  )
}
