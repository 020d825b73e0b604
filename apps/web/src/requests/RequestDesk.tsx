/** What the agent waits for: the oldest request in full, the others in a line each. Only Signalbox speaks here. */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import type { OpenRequest, ThreadView } from "@signalbox/contracts/ThreadView"
import { useState } from "react"
import { Lamp } from "../design/Lamp.tsx"
import { PartGuard } from "../design/PartGuard.tsx"
import { clock } from "../words/time.ts"
import { count } from "../words/figures.ts"
import { approvalTitle } from "./approvalWords.ts"
import { addressTitle, formTitle } from "../words/formWords.ts"
import { reasonWay } from "./RejectReason.tsx"
import { RequestCard } from "./RequestCard.tsx"
import { RequestGuard } from "./RequestGuard.tsx"
import styles from "./RequestDesk.module.css"
import type { Respond } from "./useAnswer.ts"

export const RequestDesk = ({
  respond,
  stop,
  view
}: {
  readonly view: ThreadView
  readonly respond: Respond
  /** Stops the turn that runs. */
  readonly stop: (() => void) | undefined
}) => {
  const [picked, setPicked] = useState<string>()
  const shown = toShow(view.requests, picked)
  if (shown === undefined) return null
  const others = view.requests.filter((open) => open !== shown)
  return (
    <section className={styles["desk"]} aria-label="Requests">
      <RequestGuard key={cardKey(shown.request)} request={shown.request} agent={view.provider.name} stop={stop}>
        <RequestCard
          open={shown}
          agent={view.provider.name}
          cwd={view.cwd}
          respond={respond}
          reasonWay={reasonWay(view)}
          threadId={view.threadId}
        />
      </RequestGuard>
      {others.length > 0 && (
        <div className={styles["others"]}>
          <h3>{count(others.length, "more request", "more requests")}</h3>
          <ul>
            {others.map(({ answered, request }) => (
              <li key={request.requestId}>
                <button type="button" onClick={() => setPicked(request.requestId)}>
                  <Lamp status={answered ? "sent" : "waiting"} />
                  <span className="cut grow">
                    <PartGuard what="This request" source={request}>
                      <RequestTitle agent={view.provider.name} request={request} />
                    </PartGuard>
                  </span>
                  <span className="meta">{answered ? "answer on its way" : clock(request.at)}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

/** What changed is a card of its own: nothing that was begun with the one before counts, and it is inert again at first. */
const cardKey = (request: AgentRequest): string =>
  request.type === "approval" ? `${request.requestId}:${request.revision ?? 0}` : request.requestId

/** The picked one, else the oldest without an answer, else the oldest. */
const toShow = (requests: ReadonlyArray<OpenRequest>, picked: string | undefined): OpenRequest | undefined =>
  requests.find(({ answered, request }) => request.requestId === picked && !answered) ??
  requests.find(({ answered }) => !answered) ??
  requests[0]

const RequestTitle = ({ agent, request }: { readonly agent: string; readonly request: AgentRequest }) => {
  switch (request.type) {
    case "approval":
      return approvalTitle(agent, request.tool)
    case "question":
      return `${agent} asks`
    case "plan":
      return `${agent} proposes a plan`
    case "form":
      return formTitle(agent, request)
    case "url":
      return addressTitle(agent, request)
  }
}
