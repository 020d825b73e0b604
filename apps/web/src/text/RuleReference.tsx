/** A rule in words, and where it stands. */
import type { RuleRef } from "@signalbox/contracts/Judgement"
import { rulePlace } from "./ruleWords.ts"
import { Revealed } from "./Revealed.tsx"
import styles from "./RuleReference.module.css"

export const RuleReference = ({ rule }: { readonly rule: RuleRef }) => {
  const place = rulePlace(rule)
  if (place === undefined) return null
  return (
    <span className={styles["rule"]}>
      <code>
        <Revealed text={rule.text} />
      </code>
      <code className={styles["place"]}>
        <Revealed text={place} />
      </code>
    </span>
  )
}
