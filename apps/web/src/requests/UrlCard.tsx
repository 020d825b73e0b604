/** An address that the agent wants opened. People open it themselves, in their browser: nothing of Signalbox ever fetches it. */
import { openAddress } from "../browser/surroundings.ts"
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import { addressFacts } from "@signalbox/contracts/Elicitation"
import { useRef } from "react"
import { Button } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { useCopy } from "../design/useCopy.ts"
import { Revealed } from "../text/Revealed.tsx"
import { AnswerState, CardFrame, CardPart } from "./CardFrame.tsx"
import { addressTitle } from "../words/formWords.ts"
import styles from "./UrlCard.module.css"
import { useAnswer, type Respond } from "./useAnswer.ts"

export const UrlCard = (props: {
  readonly request: Extract<AgentRequest, { readonly type: "url" }>
  readonly answered: boolean
  readonly agent: string
  readonly respond: Respond
}) => {
  const { agent, request } = props
  const { url } = request
  const card = useRef<HTMLElement>(null)
  const answering = useAnswer(request.requestId, props.answered, props.respond)
  const { copied, copy } = useCopy()
  const facts = addressFacts(url)
  const open = () => {
    openAddress(url)
    answering.answer({ type: "accept" })
  }
  return (
    <CardFrame
      ref={card}
      title={addressTitle(agent, request)}
      at={request.at}
      answers={
        <>
          <div className={styles["acts"]}>
            {facts !== undefined && (
              <Button tall needs="approve" inert={!answering.ready} onClick={open}>
                Open {facts.host}
              </Button>
            )}
            <Button
              tall
              bare
              needs="approve"
              inert={!answering.ready}
              onClick={() => answering.answer({ type: "reject" })}
            >
              Decline
            </Button>
            <Button tall bare icon="copy" onClick={() => copy(url)}>
              Copy the address
            </Button>
            {copied !== undefined && <output className="meta">{copied}</output>}
          </div>
          <p className={styles["hint"]}>
            It opens in a new tab of your browser. {agent} is told that you opened it, and not what you do there.
          </p>
          <AnswerState answering={answering} />
        </>
      }
    >
      <CardPart>
        <p className={styles["host"]}>{facts?.host ?? "This is no address that a browser opens."}</p>
        <pre className={`well ${styles["url"] ?? ""}`}>
          <Revealed text={url} />
        </pre>
        {facts?.warnings.map((warning) => (
          <p key={warning} className={styles["warning"]}>
            <Lamp status="waiting" /> <span>{warning}</span>
          </p>
        ))}
      </CardPart>
      <CardPart>
        <p className={styles["says"]} dir="auto">
          {agent} says: “<Revealed output text={request.message} />”
        </p>
      </CardPart>
    </CardFrame>
  )
}
