/**
 * The agent's own options, and *Reject and say why*, which sends a prompt. None weighs more than another, and Enter takes none.
 */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import { Button } from "../design/Button.tsx"
import { Revealed } from "../text/Revealed.tsx"
import styles from "./ApprovalCard.module.css"
import { optionEffect } from "./approvalWords.ts"

export const ApprovalOptions = (props: {
  readonly request: Extract<AgentRequest, { readonly type: "approval" }>
  readonly agent: string
  readonly ready: boolean
  /** The option that is on its way. */
  readonly taken: string | undefined
  readonly canExplain: boolean
  /** The person comes back from explaining, and is put where they left. */
  readonly isBack: boolean
  /** Takes the option at a place. The place behind the last option explains a rejection. */
  readonly choose: (index: number) => void
}) => {
  const { agent, canExplain, choose, isBack, ready, request, taken } = props
  const { options } = request
  return (
    <>
      <div className={styles["row"]}>
        <fieldset className={styles["options"]} aria-label={`Answers offered by ${agent}`}>
          {options.map((option, index) => (
            <Button
              key={option.optionId}
              tall
              needs="approve"
              inert={!ready}
              data-taken={taken === option.optionId || undefined}
              className={styles["option"]}
              onClick={() => choose(index)}
              onKeyDown={neverByEnter}
              {...(index < 9 && { "aria-keyshortcuts": String(index + 1) })}
            >
              <span className={styles["name"]}>
                <Revealed text={option.name} />
              </span>
              {index < 9 && <kbd aria-hidden="true">{index + 1}</kbd>}
            </Button>
          ))}
        </fieldset>
        {canExplain && (
          <Button
            tall
            bare
            needs="operate"
            inert={!ready}
            // eslint-disable-next-line jsx-a11y/no-autofocus -- the focus was here before
            autoFocus={isBack}
            onClick={() => choose(options.length)}
            {...(options.length < 9 && { "aria-keyshortcuts": String(options.length + 1) })}
          >
            Reject and say why… {options.length < 9 && <kbd aria-hidden="true">{options.length + 1}</kbd>}
          </Button>
        )}
      </div>
      {options.length === 0 && <p>{agent} offers no answer. Stopping the turn withdraws the request.</p>}
      <p className={styles["hint"]}>
        {options
          .flatMap((option) => optionEffect(agent, option) ?? [])
          .concat(options.length === 0 ? [] : ["Enter answers nothing."])
          .join(" ")}
      </p>
    </>
  )
}

/** Space and the digits answer; Enter is pressed by habit. */
const neverByEnter = (event: React.KeyboardEvent) => {
  if (event.key === "Enter") event.preventDefault()
}
