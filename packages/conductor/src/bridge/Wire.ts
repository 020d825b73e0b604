/** Lines of JSON-RPC between the bridge and a client of MCP. */
import * as ExactJson from "@signalbox/acp/ExactJson"
import type { McpNotification } from "@signalbox/acp/McpCaller"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as RawMessage from "@signalbox/acp/RawMessage"

/** @param id as JSON text */
export const answer = (id: string, outcome: McpOverAcp.Outcome): string =>
  RawMessage.write(
    {
      _tag: "Response",
      id,
      answer:
        "error" in outcome
          ? { error: JSON.stringify(outcome.error) }
          : { result: JSON.stringify(outcome.result ?? null) }
    },
    "proxy"
  )

/** What a client is sent beside answers: a notification, or a request if it has an id. */
export interface Said extends McpNotification {
  readonly id?: string
}

/** Brings something to a client. */
export type Say = (said: Said) => void

export const said = ({ id, method, params }: Said): string => JSON.stringify({ jsonrpc: "2.0", id, method, params })

/** An answer to what was no request. */
export const problem = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } })

/** The members of parameters that stand there as text. */
export const paramsOf = (text: string | undefined): McpOverAcp.JsonObject =>
  McpOverAcp.objectOf(text === undefined ? undefined : ExactJson.parse(text))
