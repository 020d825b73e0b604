/** Opens a file by parts of its name. */
// No native element offers matches while one writes, so this list is built of roles.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */
import { type KeyboardEvent, useEffect, useId, useState } from "react"
import { useFileSearch } from "../composer/useFileSearch.ts"
import { Dialog } from "../design/Dialog.tsx"
import { useScope } from "../design/scope.ts"
import { Revealed } from "../text/Revealed.tsx"
import styles from "./EditorRoom.module.css"

const OpenFileDialog = (props: {
  readonly cwd: string
  readonly onOpen: (path: string) => void
  readonly onClose: () => void
}) => {
  const { cwd, onClose, onOpen } = props
  const [query, setQuery] = useState("")
  const [active, setActive] = useState(0)
  const id = useId()
  const outOfScope = useScope("operate")
  const found = useFileSearch(cwd, query)
  const at = Math.min(active, Math.max(0, found.length - 1))
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" })
  }, [id, at])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setActive(Math.min(at + 1, found.length - 1))
    else if (event.key === "ArrowUp") setActive(Math.max(at - 1, 0))
    else if (event.key === "Enter") {
      const file = found[at]
      if (file !== undefined) onOpen(file.path)
    } else return
    event.preventDefault()
  }
  if (outOfScope !== undefined)
    return (
      <Dialog title="Open a file" onClose={onClose}>
        <p className={styles["finder"]}>Looking for files by their names isn’t possible here. {outOfScope}</p>
      </Dialog>
    )
  return (
    <Dialog title="Open a file" onClose={onClose}>
      <div className={styles["finder"]}>
        <input
          className="field"
          type="text"
          role="combobox"
          aria-label="Name of the file"
          aria-expanded={found.length > 0}
          aria-controls={id}
          aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          data-first-focus=""
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
        />
        <div id={id} className={`${styles["found"] ?? ""} scroll`} role="listbox" aria-label="Files">
          {found.map(({ path }, index) => (
            <div
              key={path}
              id={`${id}-${index}`}
              className={styles["match"]}
              role="option"
              aria-selected={index === at}
              data-active={index === at ? "" : undefined}
              onPointerMove={() => setActive(index)}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onOpen(path)}
            >
              <Revealed text={path} />
            </div>
          ))}
        </div>
        {found.length === 0 && <p className="meta">No file of the thread’s folder matches.</p>}
      </div>
    </Dialog>
  )
}

export default OpenFileDialog
