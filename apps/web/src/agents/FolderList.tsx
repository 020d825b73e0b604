import type { KeyboardEvent } from "react"
import { Icon } from "../design/Icon.tsx"
import { Revealed } from "../text/Revealed.tsx"
import styles from "./StartDialog.module.css"
import type { Folder } from "./useFolder.ts"

interface Steps {
  /** Chooses a folder by its path. */
  readonly open: (path: string) => void
  readonly onArrow: (event: KeyboardEvent) => void
}

/** The folders in a folder, and the one around it. Those of an earlier path (`looking`) take no press. */
export const FolderList = (props: Steps & { readonly folder: Folder | undefined; readonly looking: boolean }) => {
  const { folder, looking, onArrow, open } = props
  const listing = folder?.listing
  const around = folder?.exists === true && listing ? listing.parent : null
  const folders = (listing?.folders ?? []).filter(({ name }) =>
    name.toLowerCase().startsWith((folder?.prefix ?? "").toLowerCase())
  )
  return (
    <div className={styles["folders"]}>
      {folder?.exists === false && (
        <p className={styles["note"]}>
          {folder.reason === undefined ? "There is no such folder." : `This can’t be used: ${folder.reason}`}
        </p>
      )}
      {folder?.exists && folders.length === 0 && <p className={styles["note"]}>No folders in here.</p>}
      {/* Folders of an earlier path lead where nobody meant to go. */}
      <ul aria-label="Folders" inert={looking}>
        {around !== null && <Row name=".." label="The folder around it" path={around} open={open} onArrow={onArrow} />}
        {folders.map(({ git, name, path }) => (
          <Row key={path} name={name} path={path} git={git} open={open} onArrow={onArrow} />
        ))}
      </ul>
    </div>
  )
}

const Row = (
  props: Steps & {
    readonly name: string
    readonly path: string
    readonly label?: string
    readonly git?: boolean
  }
) => (
  <li>
    <button
      type="button"
      className={styles["folder"]}
      aria-label={props.label}
      data-stop=""
      onClick={() => props.open(props.path)}
      onKeyDown={props.onArrow}
    >
      <Icon name="folder" />
      <span className={props.name.startsWith(".") ? `cut ${styles["hidden"]}` : "cut"}>
        <Revealed text={props.name} />
      </span>
      {props.git && <span className="tag">git</span>}
    </button>
  </li>
)
