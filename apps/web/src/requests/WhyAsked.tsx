/** `Why was I asked?`: each part of the request with its verdict and its rule, then the permission profile of the agent. */
import type { Judgement } from "@signalbox/contracts/Judgement"
import type { PermissionProfile } from "@signalbox/contracts/Provider"
import { useId, useRef, useState } from "react"
import { useIntoView } from "../design/useIntoView.ts"
import { Revealed } from "../text/Revealed.tsx"
import { RuleReference } from "../text/RuleReference.tsx"
import { count } from "../words/figures.ts"
import { profileNames, profileWords } from "../words/profile.ts"
import { CardPart } from "./CardFrame.tsx"
import styles from "./WhyAsked.module.css"

export const WhyAsked = (props: { readonly judgement: Judgement; readonly profile: PermissionProfile | undefined }) => {
  const { judgement, profile } = props
  const [open, setOpen] = useState(false)
  const id = useId()
  const reasons = useRef<HTMLElement>(null)
  useIntoView(reasons, open)
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
        <section ref={reasons} id={id} className={styles["opened"]} aria-label="Why was I asked?">
          <Reasons judgement={judgement} />
          {profile !== undefined && (
            <p className={styles["profile"]}>
              What no rule answers is left to the profile <b>{profileNames[profile]}</b>. {profileWords[profile]}
            </p>
          )}
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
  const isSaid = obstacles.includes(judgement.why) || parts.some(({ why }) => why === judgement.why)
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
      {!isSaid && (
        <p>
          <Revealed text={judgement.why} />
          {judgement.rule !== undefined && <RuleReference rule={judgement.rule} />}
        </p>
      )}
      {parts.length > 0 && (
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
                {rule !== undefined && <RuleReference rule={rule} />}
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
