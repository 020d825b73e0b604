/** How many of the agent's suggestions were accepted today. */
import type { SuggestionsToday } from "@signalbox/contracts/Suggestions"
import styles from "./Suggestions.module.css"

export const Today = ({ figures: { accepted, dismissed, unused } }: { readonly figures: SuggestionsToday }) => {
  const all = accepted + dismissed + unused
  if (all === 0) return null
  const why = `Since midnight UTC, in all pages and editors: ${accepted} accepted, ${dismissed} dismissed, ${unused} not used.`
  return (
    <span className={`${styles["today"] ?? ""} wide-only`} title={why}>
      <span>
        {accepted} of {all} accepted today
      </span>
    </span>
  )
}
