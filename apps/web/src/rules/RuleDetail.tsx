/** One rule: when, where, who, until and why, where it stands, and what it did lately. */
import type { ListedRule } from "@signalbox/contracts/Rules"
import { Button } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { count as counted, figure } from "../words/figures.ts"
import { clock } from "../words/time.ts"
import { EffectTag } from "./RulesTable.tsx"
import styles from "./Rules.module.css"
import { plainPath, stateWords, untilWords } from "./ruleWords.ts"
import { type Counts, useLatest } from "./useRules.ts"

export const RuleDetail = ({
  counts,
  listed,
  onRemove
}: {
  readonly listed: ListedRule
  readonly counts: Counts
  /** Undefined where the page does not change the file. */
  readonly onRemove: (() => void) | undefined
}) => {
  const { ref, rule, state, warnings, what, where } = listed
  const did = counts.of(listed)
  const latest = useLatest(ref.id)
  return (
    <>
      <section>
        <h2>
          <EffectTag effect={rule.effect} /> Rule {ref.number}
          <span className={styles["side"]}>{ref.source === "user" ? "your own" : "of the project"}</span>
        </h2>
        <dl className={styles["facts"]}>
          <dt>When</dt>
          <dd>
            <Revealed text={what} />
          </dd>
          <dt>Where</dt>
          <dd>
            <Revealed text={where} />
          </dd>
          <dt>Who</dt>
          <dd>
            <Revealed text={rule.match.agent === undefined ? "every agent" : `the agent ${rule.match.agent}`} />
          </dd>
          <dt>Until</dt>
          <dd>{untilWords(rule)}</dd>
          {rule.why !== undefined && (
            <>
              <dt>Why</dt>
              <dd>
                <Revealed text={rule.why} />
              </dd>
            </>
          )}
          <dt>Stands in</dt>
          <dd>
            <code>{`${plainPath(ref.file)}:${ref.line}`}</code>
          </dd>
          <dt>State</dt>
          <dd>{stateWords[state]}</dd>
        </dl>
        {warnings.map((warning) => (
          <p key={warning} className={styles["warning"]}>
            <Lamp status="waiting" /> <Revealed text={`${warning}.`} />
          </p>
        ))}
        {onRemove && (
          <p className={styles["acts"]}>
            <Button needs="admin" onClick={onRemove}>
              Remove the rule
            </Button>
          </p>
        )}
      </section>
      <section>
        <h2>
          Effect lately <span className={styles["side"]}>30 days</span>
        </h2>
        {counts.refusal !== undefined ? (
          <p className="quiet">{counts.refusal}</p>
        ) : did === undefined ? (
          <p className="quiet">It matched no request.</p>
        ) : (
          <dl className={styles["facts"]}>
            <dt>Allowed</dt>
            <dd>{counted(did.allowed, "request")}</dd>
            <dt>Denied</dt>
            <dd>{counted(did.denied, "request")}</dd>
            <dt>Asked</dt>
            <dd>You were asked {did.asked === 1 ? "once" : `${figure(did.asked)} times`}</dd>
          </dl>
        )}
      </section>
      {latest.length > 0 && (
        <section>
          <h2>Last requests</h2>
          <ul className={styles["hits"]}>
            {latest.map(({ decision }) => (
              <li key={decision.sequence}>
                <time>{clock(decision.at).slice(0, 5)}</time>
                <code>
                  <Revealed text={decision.title.slice(0, 300)} />
                </code>
                <span className="meta">
                  {decision.effect === "allow" ? "allowed" : decision.effect === "deny" ? "rejected" : decision.outcome}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {rule.examples !== undefined && rule.examples.length > 0 && (
        <section>
          <h2>
            Examples <span className={styles["side"]}>tried by signalbox rules test</span>
          </h2>
          <ul className={styles["hits"]}>
            {rule.examples.map((example) => (
              <li key={JSON.stringify(example)}>
                <EffectTag effect={example.effect} />
                <code>
                  <Revealed text={example.command ?? `${example.kind ?? "edit"} ${example.path ?? ""}`} />
                </code>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
