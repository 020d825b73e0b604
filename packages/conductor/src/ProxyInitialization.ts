/** Initializes one proxy, and learns on the way which spelling of the proxy protocol it speaks. */
import { ErrorCode } from "@signalbox/acp/JsonRpc"
import * as ProxyDialect from "@signalbox/acp/ProxyDialect"
import * as ProxyStart from "@signalbox/acp/ProxyStart"
import type { RawConnection, Settled } from "@signalbox/acp/RawConnection"
import * as Predicate from "effect/Predicate"
import { ChainFailure } from "./ChainFailure.ts"

/** How an initialization ended: as the proxy answered, or because it is none. */
export type Outcome = Settled | { readonly failure: ChainFailure }

export interface ProxyInitialization {
  /** Notifies the proxy that its answer is not needed any more. The answer is still due. */
  readonly cancel: () => void
}

/**
 * The error of a component that does not know a method. It is -32601, and -32600 from those that expect their own initialization first.
 */
const unknownMethod = (settled: Settled): string | undefined => {
  if (!("error" in settled)) return undefined
  const error: unknown = JSON.parse(settled.error)
  if (!Predicate.isObject(error)) return undefined
  const { code, message } = error
  return code === ErrorCode.MethodNotFound || code === ErrorCode.InvalidRequest
    ? `${code}, ${String(message)}`
    : undefined
}

/**
 * Sends the request that initializes a proxy, newest spelling first, until one is known to it.
 *
 * @param dialects the spellings to try, in this order
 * @param params those of `initialize`, as JSON text
 * @param hasForwarded whether the proxy has initialized its successor: then it knows the spelling, and an error of it is its answer
 * @param settle gets the outcome and, if the proxy has answered, the spelling that it knows; runs once
 */
export const start = (
  name: string,
  connection: RawConnection,
  dialects: ReadonlyArray<ProxyDialect.ProxyDialect>,
  params: string | undefined,
  hasForwarded: () => boolean,
  settle: (outcome: Outcome, dialect: ProxyDialect.ProxyDialect | undefined) => void
): ProxyInitialization => {
  const refusals: Array<string> = []
  let cancel = () => {}
  let isCancelled = false

  const tryFrom = (at: number): void => {
    const dialect = dialects[at]
    if (dialect === undefined) return settle({ failure: isNoProxy(name, refusals) }, undefined)
    connection.setDialect(dialect)
    const sent = connection.request(
      {
        side: "client",
        method: ProxyDialect.initializeMethod[dialect],
        params: dialect === "meta" && params !== undefined ? ProxyStart.withFlags(params) : params
      },
      (settled) => {
        const unknown = hasForwarded() ? undefined : unknownMethod(settled)
        if (unknown !== undefined && !isCancelled) {
          refusals.push(`${spelled[dialect]} with an error (${unknown})`)
          return tryFrom(at + 1)
        }
        if ("closed" in settled) return settle(settled, undefined)
        if (dialect !== "meta" || "error" in settled) return settle(settled, dialect)
        if (!ProxyStart.isFlagged(settled.result)) {
          refusals.push(`${spelled[dialect]} without that flag`)
          return settle({ failure: isNoProxy(name, refusals) }, undefined)
        }
        settle({ result: ProxyStart.withoutFlags(settled.result) }, dialect)
      }
    )
    cancel = sent.cancel
  }

  tryFrom(0)
  return {
    cancel: () => {
      isCancelled = true
      cancel()
    }
  }
}

const isNoProxy = (name: string, refusals: ReadonlyArray<string>): ChainFailure =>
  new ChainFailure({
    reason: "NotAProxy",
    component: name,
    message: `${name} is no proxy. It answered ${refusals.join("; ")}.`
  })

const spelled: { readonly [Dialect in ProxyDialect.ProxyDialect]: string } = {
  proxy: "proxy/initialize",
  _proxy: "_proxy/initialize",
  meta: "initialize with _meta.proxy"
}
