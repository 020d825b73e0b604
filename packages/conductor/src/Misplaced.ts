/** Methods of the proxy protocol where they may not stand: whoever sends them there would speak for another. */
import { ErrorCode } from "@signalbox/acp/JsonRpc"
import * as ProxyDialect from "@signalbox/acp/ProxyDialect"
import * as RawMessage from "@signalbox/acp/RawMessage"
import * as SenderError from "./SenderError.ts"

/** Whether a method passes between a conductor and its proxies only. */
export const is = (method: string): boolean =>
  ProxyDialect.ofInitialize(method) !== undefined || ProxyDialect.ofEnvelope(method) !== undefined

/**
 * The answer to a request with such a method: -32600, as the reference conductor answers.
 *
 * @param component the name of the component that sent it; undefined if none did
 */
export const answer = (method: string, component: string | undefined): RawMessage.RawAnswer => {
  const error: RawMessage.Refusal = {
    code: ErrorCode.InvalidRequest,
    message: `${method} passes only between a conductor and the proxies that it has initialized`
  }
  return RawMessage.failed(component === undefined ? error : SenderError.to(component)(error))
}
