import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import { type ReactNode, useRef } from "react"
import { Button } from "../design/Button.tsx"
import { Guard } from "../design/Guard.tsx"
import { Raw } from "../transcript/Raw.tsx"
import { CardFrame, CardPart } from "./CardFrame.tsx"

/** A request whose card can't be drawn is shown as it was sent. It can't be answered here, and the turn can be stopped. */
export const RequestGuard = (props: {
  readonly request: AgentRequest
  readonly agent: string
  readonly stop: (() => void) | undefined
  readonly children: ReactNode
}) => (
  <Guard source={props.request} renderBroken={(failure) => <BrokenRequest {...props} failure={failure} />}>
    {props.children}
  </Guard>
)

const BrokenRequest = (props: {
  readonly request: AgentRequest
  readonly agent: string
  readonly stop: (() => void) | undefined
  readonly failure: string
}) => {
  const { agent, failure, request, stop } = props
  const card = useRef<HTMLElement>(null)
  return (
    <CardFrame
      ref={card}
      title={`A request of ${agent} can’t be drawn`}
      at={request.at}
      answers={
        stop ? (
          <Button icon="stop" onClick={stop}>
            Stop the turn
          </Button>
        ) : (
          <p>No turn runs that could be stopped.</p>
        )
      }
    >
      <CardPart>
        <p>Signalbox failed to draw it: {failure}. Nothing was answered. Stopping the turn withdraws the request.</p>
        <Raw json={JSON.stringify(request)} label="The request as it was asked" />
      </CardPart>
    </CardFrame>
  )
}
