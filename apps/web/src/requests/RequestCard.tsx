import type { ThreadId } from "@signalbox/contracts/Ids"
import type { OpenRequest } from "@signalbox/contracts/ThreadView"
import { ApprovalCard } from "./ApprovalCard.tsx"
import { FormCard } from "./FormCard.tsx"
import { PlanCard } from "./PlanCard.tsx"
import { QuestionCard } from "./QuestionCard.tsx"
import { UrlCard } from "./UrlCard.tsx"
import type { ReasonWay } from "./RejectReason.tsx"
import type { Respond } from "./useAnswer.ts"

/** One request of an agent's, in full. */
export const RequestCard = (props: {
  readonly open: Pick<OpenRequest, "request" | "answered">
  readonly agent: string
  /** The folder of the agent: paths are shown from there. */
  readonly cwd: string
  readonly respond: Respond
  /** The way of a reason to the agent, where that is known. */
  readonly reasonWay?: ReasonWay
  /** The thread of the request, where it has one. */
  readonly threadId?: ThreadId
}) => {
  const { agent, cwd, open, respond } = props
  const { answered, request } = open
  switch (request.type) {
    case "approval":
      return (
        <ApprovalCard
          request={request}
          answered={answered}
          agent={agent}
          cwd={cwd}
          respond={respond}
          reasonWay={props.reasonWay ?? "unknown"}
          threadId={props.threadId}
        />
      )
    case "question":
      return <QuestionCard request={request} answered={answered} agent={agent} respond={respond} />
    case "plan":
      return <PlanCard request={request} answered={answered} agent={agent} respond={respond} />
    case "form":
      return <FormCard request={request} answered={answered} agent={agent} respond={respond} />
    case "url":
      return <UrlCard request={request} answered={answered} agent={agent} respond={respond} />
  }
}
