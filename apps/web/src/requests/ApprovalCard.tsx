/** An approval, always in the same order: what will run, where, what can't be read, the agent's words, the agent's own options. */
import { type AgentRequest, optionOf } from "@signalbox/contracts/AgentRequest"
import { changedWords } from "@signalbox/contracts/ApprovalWords"
import * as Paths from "@signalbox/contracts/Paths"
import { inputOf } from "@signalbox/contracts/ToolReading"
import { useRef, useState } from "react"
import { Button } from "../design/Button.tsx"
import { Lamp, StateWord } from "../design/Lamp.tsx"
import { Raw } from "../transcript/Raw.tsx"
import { Revealed, RevealedProse } from "../text/Revealed.tsx"
import styles from "./ApprovalCard.module.css"
import { approvalTitle, optionEffect } from "./approvalWords.ts"
import { AnswerState, CardFrame, CardPart } from "./CardFrame.tsx"
import { useAnswer, type Respond } from "./useAnswer.ts"
import { useDigits } from "./useDigits.ts"
import { WhatWillHappen } from "./WhatWillHappen.tsx"
import { WhyAsked } from "./WhyAsked.tsx"

export const ApprovalCard = (props: {
  readonly request: Extract<AgentRequest, { readonly type: "approval" }>
  readonly answered: boolean
  readonly agent: string
  readonly cwd: string
  readonly respond: Respond
}) => {
  const { agent, cwd, request } = props
  const card = useRef<HTMLElement>(null)
  const answering = useAnswer(request.requestId, props.answered, props.respond)
  const [taken, setTaken] = useState<string>()
  const choose = (index: number) => {
    const option = request.options[index]
    if (option === undefined || !answering.ready) return
    setTaken(option.optionId)
    answering.answer(optionOf(request, option.optionId))
  }
  useDigits(card, choose)
  return (
    <CardFrame
      ref={card}
      loud
      title={approvalTitle(agent, request.tool)}
      at={request.at}
      foot={<AsSent request={request} />}
      answers={
        <>
          <fieldset className={styles["options"]} aria-label={`Answers offered by ${agent}`}>
            {request.options.map((option, index) => (
              <Button
                key={option.optionId}
                tall
                inert={!answering.ready}
                data-taken={(answering.onItsWay && taken === option.optionId) || undefined}
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
          {request.options.length === 0 && <p>{agent} offers no answer. Stopping the turn withdraws the request.</p>}
          <p className={styles["hint"]}>
            {request.options
              .flatMap((option) => optionEffect(agent, option) ?? [])
              .concat(request.options.length === 0 ? [] : ["Enter answers nothing."])
              .join(" ")}
          </p>
          <AnswerState answering={answering} />
        </>
      }
    >
      {request.revision !== undefined && request.revision > 0 && <Changed request={request} agent={agent} />}
      <WhatWillHappen tool={request.tool} judgement={request.judgement} agent={agent} cwd={cwd} />
      {request.links !== undefined && <Links links={request.links} />}
      {request.judgement !== undefined && <WhyAsked judgement={request.judgement} />}
      <AgentWords agent={agent} said={[request.tool.title, request.reason, ...inputOf(request.tool).words]} />
    </CardFrame>
  )
}

/** Space and the digits answer; Enter is pressed by habit. */
const neverByEnter = (event: React.KeyboardEvent) => {
  if (event.key === "Enter") event.preventDefault()
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
  <CardPart>
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
        <div className={styles["raw"]}>
          <Raw json={json} label="The request as it was asked" />
        </div>
      )}
    </CardPart>
  )
}
