/** A plan that the agent wants accepted before it goes on. */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import { useId, useRef, useState } from "react"
import { Button } from "../design/Button.tsx"
import { Markdown } from "../markdown/Markdown.tsx"
import { PlanSteps } from "../transcript/PlanEntryLine.tsx"
import { saysMore } from "../words/planWords.ts"
import { AnswerState, CardFrame, CardPart } from "./CardFrame.tsx"
import styles from "./PlanCard.module.css"
import { useAnswer, type Respond } from "./useAnswer.ts"

/** A plan of more lines than this is folded when there is something shorter that says what it is about. */
const longPlan = 16

export const PlanCard = (props: {
  readonly request: Extract<AgentRequest, { readonly type: "plan" }>
  readonly answered: boolean
  readonly agent: string
  readonly respond: Respond
}) => {
  const { agent, request } = props
  const card = useRef<HTMLElement>(null)
  const answering = useAnswer(request.requestId, props.answered, props.respond)
  const short = request.overview !== undefined || request.entries.length > 0
  const [whole, setWhole] = useState(!(short && request.plan.split("\n").length > longPlan))
  const more = saysMore(request)
  const [rejecting, setRejecting] = useState(false)
  const [reason, setReason] = useState("")
  const reject = () => answering.answer({ type: "reject", ...(reason.trim() !== "" && { reason: reason.trim() }) })
  return (
    <CardFrame
      ref={card}
      title={`${agent} proposes a plan`}
      at={request.at}
      answers={
        <>
          {rejecting && <Reason agent={agent} reason={reason} onReason={setReason} />}
          <div className={styles["acts"]}>
            {rejecting ? (
              <>
                <Button tall needs="approve" inert={!answering.ready} onClick={reject}>
                  Reject
                </Button>
                <Button tall bare onClick={() => setRejecting(false)}>
                  Back
                </Button>
              </>
            ) : (
              <>
                <Button
                  tall
                  needs="approve"
                  inert={!answering.ready}
                  onClick={() => answering.answer({ type: "accept" })}
                >
                  Accept
                </Button>
                <Button tall needs="approve" inert={!answering.ready} onClick={() => setRejecting(true)}>
                  Reject…
                </Button>
              </>
            )}
            {more && (
              <Button tall bare aria-expanded={whole} onClick={() => setWhole(!whole)}>
                {whole ? "Fold the plan" : "Read in full"}
              </Button>
            )}
          </div>
          <p className={styles["hint"]}>
            Accepting tells {agent} that you agree; it decides whether it goes on at once or ends the turn. Rejecting
            tells it that you don’t, with your reason. Signalbox changes nothing by itself.
          </p>
          <AnswerState answering={answering} />
        </>
      }
    >
      <CardPart>
        {request.name !== undefined && (
          <h3 className={styles["name"]} dir="auto">
            {request.name}
          </h3>
        )}
        {request.overview !== undefined && <p dir="auto">{request.overview}</p>}
        {request.entries.length > 0 && <PlanSteps plan={request.entries} />}
      </CardPart>
      {whole && more && (
        <CardPart>
          <Markdown text={request.plan} />
        </CardPart>
      )}
    </CardFrame>
  )
}

const Reason = (props: {
  readonly agent: string
  readonly reason: string
  readonly onReason: (reason: string) => void
}) => {
  const id = useId()
  return (
    <div className={styles["reason"]}>
      <label htmlFor={id}>Why, in words that {props.agent} will read. You may leave it empty.</label>
      <textarea
        id={id}
        className="field"
        rows={3}
        // The person has just asked to write here.
        // eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        value={props.reason}
        onChange={(event) => props.onReason(event.target.value)}
      />
    </div>
  )
}
