import { useStore } from "../browser/Store.ts"
import { Icon } from "../design/Icon.tsx"
import styles from "./Chat.module.css"
import { tell } from "./host.ts"
import { offers } from "./hostState.ts"

/** What the editor has open, each with a button that adds it to the prompt. */
export const OfferChips = () => {
  const those = useStore(offers)
  if (those.length === 0) return null
  return (
    <fieldset className={styles["chips"]} aria-label="Add from the editor">
      {those.map(({ label, type }) => (
        <button key={type} type="button" className={styles["chip"]} onClick={() => tell({ type: "take", offer: type })}>
          <Icon name="plus" />
          <span className="cut">{label}</span>
        </button>
      ))}
    </fieldset>
  )
}
