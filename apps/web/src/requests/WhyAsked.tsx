/** `Why was I asked?`: each part of the request with its verdict and its rule, then the permission profile of the agent. */
import type { Judgement, RuleRef } from "@signalbox/contracts/Judgement"
import { useId, useState } from "react"
import { Revealed } from "../text/Revealed.tsx"
import { count } from "../words/figures.ts"
import { CardPart } from "./CardFrame.tsx"
import { rulePlace } from "./verdictWords.ts"
import styles from "./WhyAsked.module.css"

export const WhyAsked = ({ judgement }: { readonly judgement: Judgement }) => {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <CardPart>
      <button
        type="button"
        className="link"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        Why was I asked?
      </button>
      {open && (
        <section id={id} aria-label="Why was I asked?">
          <Reasons judgement={judgement} />
        </section>
      )}
    </CardPart>
  )
}

const effects = { allow: "Allowed", ask: "Asks", deny: "Denied" } as const

const Reasons = ({ judgement }: { readonly judgement: Judgement }) => {
  const { commands, obstacles = [], paths } = judgement
  const parts = [
    ...commands.map(({ text, ...verdict }) => ({ text, ...verdict })),
    ...paths.map(({ path, ...verdict }) => ({ text: path, ...verdict }))
  ]
  const asking = parts.filter(({ effect }) => effect !== "allow").length
  return (
    <div className={styles["reasons"]}>
      {obstacles.map((why) => (
        <p key={why}>
          <b>Can’t be inspected.</b> <Revealed text={why} />
        </p>
      ))}
      {parts.length > 1 && (
        <p>
          {count(asking, "part")} of {parts.length} {asking === 1 ? "is" : "are"} not allowed by a rule. The strictest
          verdict counts.
        </p>
      )}
      {parts.length > 0 ? (
        <ol className={styles["parts"]}>
          {parts.map(({ effect, rule, text, why }, index) => (
            // eslint-disable-next-line react/no-array-index-key -- parts are identified by their place
            <li key={index}>
              <code>
                <Revealed text={text} />
              </code>
              <span data-effect={effect}>{effects[effect]}</span>
              <span className={styles["why"]}>
                <Revealed text={why} />
                {rule !== undefined && <RuleOf rule={rule} />}
              </span>
            </li>
          ))}
        </ol>
      ) : (
        obstacles.length === 0 && (
          <p>
            <Revealed text={judgement.why} />
            {judgement.rule !== undefined && <RuleOf rule={judgement.rule} />}
          </p>
        )
      )}
    </div>
  )
}

/** A rule in words, and where it stands. */
const RuleOf = ({ rule }: { readonly rule: RuleRef }) => {
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
