/** Questions of a server to a client of classic MCP, which only a session can bring to it: sampling, forms and folders. */
import * as ExactJson from "@signalbox/acp/ExactJson"
import { ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import type * as RawMessage from "@signalbox/acp/RawMessage"
import * as Effect from "effect/Effect"
import * as Translation from "./Translation.ts"
import type * as Wire from "./Wire.ts"

export interface ClientRequests {
  /**
   * Asks the client, and returns its answer. Interruption takes the question back. What the client has not said to take is refused.
   *
   * @param say brings the question to the client; undefined if nothing can
   */
  readonly ask: (
    method: string,
    params: McpOverAcp.JsonObject,
    say: Wire.Say | undefined
  ) => Effect.Effect<McpOverAcp.Outcome>
  /**
   * Takes an answer of the client. False if nobody waits for it.
   *
   * @param id as JSON text
   */
  readonly answered: (id: string, answer: RawMessage.RawAnswer) => boolean
  /** Refuses what has no answer yet, and all that comes. */
  readonly end: () => void
}

/** What a client may be asked, and the capability by which it says so. */
const capabilityFor: ReadonlyMap<string, string> = new Map([
  ["sampling/createMessage", "sampling"],
  ["elicitation/create", "elicitation"],
  ["roots/list", "roots"]
])

const over = Translation.failed(RpcError.internal("The session has ended"))

const unheard = Translation.failed(RpcError.internal("The client does not hear the server at present"))

const unreadable = Translation.failed(RpcError.internal("The client's answer is no result and no error"))

/** @param capabilitiesOf what the client has said that it can do */
export const make = (capabilitiesOf: () => McpOverAcp.JsonObject): ClientRequests => {
  const waiting = new Map<string, (outcome: Effect.Effect<McpOverAcp.Outcome>) => void>()
  let lastNumber = 0
  let isOver = false

  return {
    ask: (method, params, say) =>
      Effect.suspend(() => {
        const capability = capabilityFor.get(method)
        if (isOver) return Effect.succeed(over)
        if (capability === undefined) return Effect.succeed(Translation.failed(RpcError.methodNotFound(method)))
        if (!McpOverAcp.isJsonObject(capabilitiesOf()[capability]))
          return Effect.succeed(
            Translation.failed({
              code: ErrorCode.MethodNotFound,
              message: `The client did not say that it takes ${method}`
            })
          )
        if (say === undefined) return Effect.succeed(unheard)
        return Effect.callback<McpOverAcp.Outcome>((resume) => {
          lastNumber += 1
          const id = `server-${lastNumber}`
          const key = JSON.stringify(id)
          waiting.set(key, resume)
          say({ id, method, params })
          return Effect.sync(() => {
            waiting.delete(key)
            say({ method: "notifications/cancelled", params: { requestId: id } })
          })
        })
      }),
    answered: (id, answer) => {
      const resume = waiting.get(id)
      waiting.delete(id)
      const outcome =
        "result" in answer
          ? { result: ExactJson.parse(answer.result) }
          : McpOverAcp.outcomeOf({ error: ExactJson.parse(answer.error) })
      resume?.(Effect.succeed(outcome ?? unreadable))
      return resume !== undefined
    },
    end: () => {
      isOver = true
      for (const resume of waiting.values()) resume(Effect.succeed(over))
      waiting.clear()
    }
  }
}
