/** Decides about an answer to a request. The reason of a rejection becomes a prompt in the same step, so that it can't be lost. */
import type { ThreadCommand } from "@signalbox/contracts/Command"
import type { Problem } from "@signalbox/contracts/Problem"
import type { OrchestrationEvent } from "@signalbox/contracts/ThreadEvent"
import type { OpenRequest, ThreadHead } from "@signalbox/contracts/ThreadView"
import * as Result from "effect/Result"
import * as AnswerCheck from "./AnswerCheck.ts"
import { type Decision, type Facts, refuse } from "./Decision.ts"
import * as Interjection from "./Interjection.ts"
import * as TurnQueue from "./TurnQueue.ts"

type Respond = Extract<ThreadCommand, { readonly type: "request.respond" }>

export const respond = (head: ThreadHead, command: Respond, facts: Facts): Decision => {
  const { requestId, response } = command
  const open = head.requests.find(({ request }) => request.requestId === requestId)
  if (open === undefined || open.answered)
    return refuse(
      "request-closed",
      "Your answer was not taken.",
      open === undefined
        ? "Its request was answered, cancelled or expired before the answer arrived. Other requests are not touched."
        : "Another answer to its request was taken first."
    )
  const reason = AnswerCheck.mismatch(open.request, response, facts.patternTest())
  if (reason !== undefined) return refuse("option-unknown", AnswerCheck.unfitting, reason)
  if (AnswerCheck.isOutdated(open.request, response))
    return refuse("request-changed", AnswerCheck.outdated.title, AnswerCheck.outdated.cause)
  const answered: OrchestrationEvent = {
    type: "request.answered",
    threadId: facts.threadId,
    at: facts.now,
    requestId,
    response,
    ...(facts.client !== undefined && { client: facts.client })
  }
  return Result.map(passedOn(head, open, command, facts), (prompts) => [answered, ...prompts])
}

/** The prompt that carries the reason to the agent, before all others that wait. */
const passedOn = (
  head: ThreadHead,
  { request }: OpenRequest,
  { response, turnId }: Respond,
  { now, threadId, turnKnown }: Facts
): Result.Result<ReadonlyArray<OrchestrationEvent>, Problem> => {
  if (response.type !== "option" || response.reason === undefined) return Result.succeed([])
  const { optionId, reason } = response
  const option = request.type === "approval" ? request.options.find((one) => one.optionId === optionId) : undefined
  if (option?.kind.startsWith("reject_") !== true)
    return refuse("command-invalid", "This answer can't have a reason.", "A reason goes with a rejection only.")
  if (turnId === undefined || turnKnown || head.turns.some((turn) => turn.turnId === turnId))
    return refuse(
      "command-invalid",
      "The reason has no turn of its own.",
      turnId === undefined ? "The command names none." : `The turn ${turnId} was started before.`
    )
  const common = { threadId, at: now, turnId }
  const prompt = [{ type: "text", text: reason }] as const
  if (Interjection.isTaken(head)) return Result.succeed([{ type: "turn.queued", ...common, prompt, steer: true }])
  const next = TurnQueue.waiting(head).find(({ steer }) => !steer)
  return Result.succeed([
    { type: "turn.queued", ...common, prompt },
    ...(next === undefined ? [] : [{ type: "turn.moved" as const, ...common, before: next.turnId }])
  ])
}
