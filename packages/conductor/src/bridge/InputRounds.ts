/**
 * Requests whose server needs input of the client before it can answer. In MCP 2026-07-28 its answer holds questions, and the request is sent
 * again with their answers. A client of classic MCP gets the questions as requests, and knows nothing of the rounds.
 */
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Effect from "effect/Effect"
import * as Translation from "./Translation.ts"

/** Rounds of one request: the official SDK's number. */
const mostRounds = 10

/** Questions that the client has at once. */
const mostAsked = 8

/** How long to wait where the server asks for nothing but another attempt. */
const pause = "250 millis"

/** What a server wants before it answers. */
interface Wanted {
  readonly questions: ReadonlyArray<readonly [key: string, question: McpOverAcp.JsonObject]>
  readonly requestState: unknown
}

const wantedIn = (outcome: McpOverAcp.Outcome): Wanted | undefined => {
  const { inputRequests, requestState, resultType } = McpOverAcp.objectOf("result" in outcome && outcome.result)
  if (resultType !== "input_required") return undefined
  const questions = Object.entries(McpOverAcp.objectOf(inputRequests)).map(
    ([key, question]) => [key, McpOverAcp.objectOf(question)] as const
  )
  return questions.length === 0 && requestState === undefined ? undefined : { questions, requestState }
}

const endless = Translation.failed(RpcError.internal(`The server still asks for input after ${mostRounds} rounds`))

const unanswered = (method: string, { code, message }: { readonly code: number; readonly message: string }) =>
  Translation.failed({ code, message: `The server asks for ${method}. ${message}`, data: undefined })

/**
 * Sends a request until its server has answered it.
 *
 * @param ask asks the client; a question that it does not answer ends the request with its error
 */
export const run = (
  call: (params: McpOverAcp.JsonObject) => Effect.Effect<McpOverAcp.Outcome>,
  ask: (method: string, params: McpOverAcp.JsonObject) => Effect.Effect<McpOverAcp.Outcome>,
  params: McpOverAcp.JsonObject
): Effect.Effect<McpOverAcp.Outcome> => {
  const answersTo = ({ questions, requestState }: Wanted) =>
    Effect.forEach(
      questions,
      ([key, question]) => {
        const method = String(question["method"])
        return Effect.flatMap(ask(method, McpOverAcp.objectOf(question["params"])), (outcome) =>
          "error" in outcome
            ? Effect.fail(unanswered(method, outcome.error))
            : Effect.succeed([key, outcome.result] as const)
        )
      },
      { concurrency: mostAsked }
    ).pipe(
      Effect.map((answers) => ({
        ...params,
        ...(answers.length > 0 && { inputResponses: Object.fromEntries(answers) }),
        ...(requestState !== undefined && { requestState })
      })),
      Effect.tap(() => (questions.length === 0 ? Effect.sleep(pause) : Effect.void))
    )

  const attempt = (sent: McpOverAcp.JsonObject, round: number): Effect.Effect<McpOverAcp.Outcome, McpOverAcp.Outcome> =>
    Effect.flatMap(call(sent), (outcome) => {
      const wanted = wantedIn(outcome)
      if (wanted === undefined) return Effect.succeed(outcome)
      if (round > mostRounds) return Effect.succeed(endless)
      return Effect.flatMap(answersTo(wanted), (next) => attempt(next, round + 1))
    })

  return attempt(params, 1).pipe(Effect.catch((unanswered) => Effect.succeed(unanswered)))
}
