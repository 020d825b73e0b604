/**
 * Holds proxies to the rules of initialization.
 *
 * A proxy initializes its successor before it answers, and answers with the version that its successor has chosen. It may ask for a lower
 * version than it was asked for, and not for a higher one. Source: ACP schema, `InitializeProxyRequest` and `InitializeProxyResponse`.
 */
import * as Predicate from "effect/Predicate"
import { ChainFailure } from "./ChainFailure.ts"

const versionIn = (text: string | undefined): unknown => {
  const value: unknown = text === undefined ? undefined : JSON.parse(text)
  return Predicate.isObject(value) ? value["protocolVersion"] : undefined
}

const changed = (component: string, words: string) =>
  new ChainFailure({
    reason: "VersionChanged",
    component,
    message: `${component} changed the protocol version: ${words}.`
  })

export interface ChainVersions {
  /** Notes that `from` initializes its successor with these parameters (JSON text). Returns what is wrong with it, if anything is. */
  readonly ask: (from: number, name: string | undefined, params: string | undefined) => ChainFailure | undefined
  /** Notes the result (JSON text) that the one at this position has given. */
  readonly answered: (position: number, result: string) => void
  /** What is wrong with the result (JSON text) of the proxy at this position, if anything is. */
  readonly check: (position: number, name: string | undefined, result: string) => ChainFailure | undefined
}

/** The rules for one chain. */
export const make = (): ChainVersions => {
  /** What the one at a position was asked for, and what it has answered. */
  const asked = new Map<number, unknown>()
  const chosen = new Map<number, unknown>()
  return {
    ask: (from, name, params) => {
      const version = versionIn(params)
      const before = asked.get(from)
      asked.set(from + 1, version)
      if (name === undefined || typeof before !== "number" || typeof version !== "number" || version <= before)
        return undefined
      return changed(name, `it was asked for ${before}, and asked its successor for ${version}`)
    },
    answered: (position, result) => void chosen.set(position, versionIn(result)),
    check: (position, name = "A proxy", result) => {
      if (!chosen.has(position + 1))
        return new ChainFailure({
          reason: "NotForwarded",
          component: name,
          message: `${name} answered its initialization without initializing its successor.`
        })
      const version = versionIn(result)
      const successors = chosen.get(position + 1)
      return version === successors
        ? undefined
        : changed(name, `its successor chose ${String(successors)}, and it answered ${String(version)}`)
    }
  }
}
