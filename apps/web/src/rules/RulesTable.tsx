/** Rules of a file, a row each: what it does, what it matches, and what it did. */
import type { ListedRule } from "@signalbox/contracts/Rules"
import { serverNow } from "../connection/link.ts"
import { Lamp } from "../design/Lamp.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { figure } from "../words/figures.ts"
import { shortDay } from "../words/time.ts"
import styles from "./Rules.module.css"
import { keyOf, stateWords } from "./ruleWords.ts"
import type { Counts } from "./useRules.ts"

export const EffectTag = ({ effect }: { readonly effect: ListedRule["rule"]["effect"] }) => (
  <span className={`tag ${styles["effect"]}`} data-effect={effect}>
    {effect}
  </span>
)

export const RulesTable = ({
  counts,
  current,
  label,
  onPick,
  rules
}: {
  readonly label: string
  readonly rules: ReadonlyArray<ListedRule>
  readonly counts: Counts
  readonly current: ListedRule | undefined
  readonly onPick: (rule: ListedRule) => void
}) => (
  <div className={`${styles["box"]} card`}>
    <table className={styles["table"]} aria-label={label}>
      <thead>
        <tr>
          <th data-number="">No.</th>
          <th>Effect</th>
          <th>Rule</th>
          <th className="wide-only">Where</th>
          <th data-number="">Matched</th>
          <th data-number="" className="wide-only">
            Last
          </th>
        </tr>
      </thead>
      <tbody>
        {rules.map((listed) => {
          const { ref, rule, state, warnings, what, where } = listed
          const count = counts.of(listed)
          const matched = count && count.allowed + count.denied + count.asked
          return (
            <tr
              key={keyOf(listed)}
              data-current={listed === current || undefined}
              data-idle={state !== "in-force" || undefined}
            >
              <td data-number="">{ref.number}</td>
              <td>
                <EffectTag effect={rule.effect} />
              </td>
              <td>
                <button
                  type="button"
                  className={styles["pick"]}
                  aria-current={listed === current || undefined}
                  onClick={() => onPick(listed)}
                >
                  <Revealed text={what} />
                </button>
                {state !== "in-force" && <span className={styles["note"]}>{stateWords[state]}</span>}
                {warnings.map((warning) => (
                  <span key={warning} className={styles["warning"]}>
                    <Lamp status="waiting" /> <Revealed text={`${warning}.`} />
                  </span>
                ))}
              </td>
              <td className={`${styles["where"]} wide-only`}>
                <Revealed text={where} />
              </td>
              <td data-number="">{figure(matched ?? 0)}</td>
              <td data-number="" className="wide-only">
                {count ? shortDay(count.lastAt, serverNow()) : "never"}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  </div>
)
