/** An approval, always in the same order: what will run, where, what can't be read, the agent's words, the agent's own options. */
import { type AgentRequest, optionOf } from "@signalbox/contracts/AgentRequest"
import { changedWords } from "@signalbox/contracts/ApprovalWords"
import { inText, revealAll } from "@signalbox/contracts/Invisible"
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Paths from "@signalbox/contracts/Paths"
import { inputOf } from "@signalbox/contracts/ToolReading"
import { useRef, useState } from "react"
import { Lamp, StateWord } from "../design/Lamp.tsx"
import { useScope } from "../design/scope.ts"
import { useIntoView } from "../design/useIntoView.ts"
import { Raw } from "../transcript/Raw.tsx"
import { Revealed, RevealedProse } from "../text/Revealed.tsx"
import styles from "./ApprovalCard.module.css"
import { ApprovalOptions } from "./ApprovalOptions.tsx"
import { approvalTitle } from "./approvalWords.ts"
import { AnswerState, CardFrame, CardPart } from "./CardFrame.tsx"
import { RuleOffer } from "./RuleOffer.tsx"
import { hasReason, type ReasonWay, RejectReason } from "./RejectReason.tsx"
import { useAnswer, type Respond } from "./useAnswer.ts"
import { useDigits } from "./useDigits.ts"
import { WhatWillHappen } from "./WhatWillHappen.tsx"
import { WhyAsked } from "./WhyAsked.tsx"

export const ApprovalCard = (props: {
  readonly request: Approval
  readonly answered: boolean
  readonly agent: string
  readonly cwd: string
  readonly respond: Respond
  readonly reasonWay: ReasonWay
  readonly threadId: ThreadId | undefined
}) => {
  const { agent, cwd, request } = props
  const card = useRef<HTMLElement>(null)
  const answering = useAnswer(request.requestId, props.answered, props.respond)
  const [taken, setTaken] = useState<string>()
  const rejection = request.options.find(({ kind }) => kind === "reject_once")
  const [explains, setExplains] = useState(rejection !== undefined && hasReason(request.requestId))
  const [isBack, setIsBack] = useState(false)
  const mayExplain = useScope("operate") === undefined
  const choose = (index: number) => {
    const option = request.options[index]
    if (!answering.ready) return
    if (option === undefined) {
      if (index === request.options.length && rejection !== undefined && mayExplain) setExplains(true)
      return
    }
    setTaken(option.optionId)
    answering.answer(optionOf(request, option.optionId))
  }
  useDigits(card, choose)
  const asker = request.byComponent === true ? "A component of the chain" : agent
  return (
    <CardFrame
      ref={card}
      loud
      title={approvalTitle(asker, request.tool)}
      at={request.at}
      foot={<AsSent request={request} />}
      answers={
        explains && rejection !== undefined ? (
          <>
            <RejectReason
              requestId={request.requestId}
              agent={agent}
              way={props.reasonWay}
              option={inText(revealAll(rejection.name))}
              inert={!answering.ready}
              send={(reason) => answering.answer({ ...optionOf(request, rejection.optionId), reason })}
              close={() => {
                setExplains(false)
                setIsBack(true)
              }}
            />
            <AnswerState answering={answering} />
          </>
        ) : (
          <>
            <ApprovalOptions
              request={request}
              agent={agent}
              ready={answering.ready}
              taken={answering.onItsWay ? taken : undefined}
              choose={choose}
              canExplain={rejection !== undefined}
              isBack={isBack}
            />
            <AnswerState answering={answering} />
          </>
        )
      }
      after={
        request.suggestion !== undefined &&
        !explains &&
        !answering.onItsWay && <RuleOffer offer={request.suggestion} agent={agent} threadId={props.threadId} />
      }
    >
      {request.revision !== undefined && request.revision > 0 && <Changed request={request} agent={agent} />}
      <WhatWillHappen tool={request.tool} judgement={request.judgement} agent={asker} cwd={cwd} />
      {request.links !== undefined && <Links links={request.links} />}
      {request.judgement !== undefined && <WhyAsked judgement={request.judgement} profile={request.profile} />}
      <AgentWords agent={asker} said={[request.tool.title, request.reason, ...inputOf(request.tool).words]} />
    </CardFrame>
  )
}

type Approval = Extract<AgentRequest, { readonly type: "approval" }>

const Changed = ({ agent, request }: { readonly agent: string; readonly request: Approval }) => (
  <CardPart>
    <p className={styles["changed"]} role="alert">
      <Lamp status="waiting" />
      <span>
        <b>This request changed while it was open.</b> {agent} changed {changedWords(request.changed ?? [])}. Answers to
        what it was before are not taken.
      </span>
    </p>
  </CardPart>
)

/** Paths that lead elsewhere than they say. */
const Links = ({ links }: { readonly links: NonNullable<Approval["links"]> }) => (
  <CardPart isNoted={links.some(({ outside }) => outside)}>
    {links.map(({ leadsTo, outside, path }) => (
      <p key={path} className={styles["link"]}>
        {outside && (
          <span className={styles["outside"]}>
            <Lamp status="waiting" />
            <StateWord status="waiting">{Paths.outside}</StateWord>
          </span>
        )}
        <code>
          <Revealed text={path} />
        </code>{" "}
        is a link, or below one. It leads to{" "}
        <code>
          <Revealed text={leadsTo} />
        </code>
        .
      </p>
    ))}
  </CardPart>
)

/** The one place on the desk where the agent's words are. */
const AgentWords = (props: { readonly agent: string; readonly said: ReadonlyArray<string | undefined> }) => {
  const words = [...new Set(props.said)].flatMap((text) => (text === undefined || text.trim() === "" ? [] : [text]))
  if (words.length === 0) return null
  return (
    <CardPart>
      <blockquote className={styles["says"]}>
        <span>{props.agent} says, in its own words. Not checked.</span>
        {words.map((text) => (
          <p key={text} dir="auto">
            <RevealedProse text={text} />
          </p>
        ))}
      </blockquote>
    </CardPart>
  )
}

const AsSent = ({ request }: { readonly request: Extract<AgentRequest, { readonly type: "approval" }> }) => {
  const [open, setOpen] = useState(false)
  const raw = useRef<HTMLDivElement>(null)
  useIntoView(raw, open)
  const { digest } = request
  const { rawInput, toolCallId } = request.tool
  const json = JSON.stringify({ toolCallId, options: request.options, ...(rawInput !== undefined && { rawInput }) })
  return (
    <CardPart>
      <p className={styles["foot"]}>
        {digest !== undefined && (
          <span title={digest}>
            Bound to <code>{`sha256 ${digest.slice(0, 8)}…${digest.slice(-8)}`}</code>
          </span>
        )}
        <span>session/request_permission</span>
        <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          As it was asked
        </button>
        <span className={styles["once"]}>Answered once, by one client</span>
      </p>
      {open && (
        <div ref={raw} className={styles["raw"]}>
          <Raw json={json} label="The request as it was asked" />
        </div>
      )}
    </CardPart>
  )
}
