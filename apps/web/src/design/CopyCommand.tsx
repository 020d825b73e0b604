import { IconButton } from "./Button.tsx"
import styles from "./CopyCommand.module.css"
import { useCopy } from "./useCopy.ts"

/** A command for people to run themselves: shown whole, copied by a button, never run by us. */
export const CopyCommand = ({ command }: { readonly command: string }) => {
  const { copied, copy } = useCopy()
  return (
    <span className={styles["command"]}>
      <code>{command}</code>
      <IconButton icon="copy" label={`Copy ${command}`} onClick={() => copy(command)} />
      <output className={copied === undefined ? "unseen" : styles["done"]}>{copied}</output>
    </span>
  )
}
