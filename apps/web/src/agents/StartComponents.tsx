import type { ProviderRef } from "@signalbox/contracts/Provider"
import type { ReactNode } from "react"
import { ComponentList } from "../threads/ComponentList.tsx"
import { chosenOf } from "../threads/componentWords.ts"
import { useComponents } from "../threads/useComponents.ts"
import styles from "./StartDialog.module.css"

/** Chooses the components of a thread before it starts. Nothing is drawn where the settings name none. */
const StartComponents = (props: {
  readonly provider: ProviderRef
  /** Undefined: as the settings say. */
  readonly chosen: ReadonlyArray<string> | undefined
  readonly choose: (names: ReadonlyArray<string>) => void
}): ReactNode => {
  const { choose, chosen, provider } = props
  const { known = [] } = useComponents(provider.id)
  if (known.length === 0) return null
  const names = chosenOf(chosen === undefined ? {} : { components: chosen }, known)
  return (
    <details className={styles["more"]}>
      <summary>Components: {names.length === 0 ? "none" : names.join(", ")}</summary>
      <ComponentList known={known} chosen={names} choose={choose} />
    </details>
  )
}
export default StartComponents
