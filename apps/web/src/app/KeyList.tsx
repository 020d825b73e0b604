import { Fragment } from "react"
import { Dialog } from "../design/Dialog.tsx"
import { usePreferences } from "../browser/preferences.ts"
import styles from "./KeyList.module.css"
import { keyList } from "../browser/shortcuts.ts"

export const KeyList = ({ onClose }: { readonly onClose: () => void }) => {
  const { letterKeys } = usePreferences()
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className={styles["list"]}>
        {keyList.map(({ does, keys }) => (
          <Fragment key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </Fragment>
        ))}
      </dl>
      <p className={`${styles["note"]} meta`}>
        {letterKeys
          ? "Letters work when no text field has the focus. They can be switched off in the settings."
          : "Single letters are switched off in the settings; the other keys work."}
      </p>
    </Dialog>
  )
}
