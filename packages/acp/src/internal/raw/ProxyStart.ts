/** How a conductor initializes a proxy, in each dialect, and what the proxy's answer must keep. */
import { RpcError } from "../rpc/JsonRpc.ts"
import * as JsonText from "./JsonText.ts"
import * as ProxyDialect from "./ProxyDialect.ts"
import * as RawMessage from "./RawMessage.ts"
import type { RawAnswer, Said } from "./RawMessage.ts"

/** The members of a text that holds an object; none if it holds another value. */
const membersOf = (text: string | undefined): JsonText.Members =>
  (text === undefined ? undefined : JsonText.members(text)) ?? new Map()

/** The place of the oldest dialect's flag: `_meta.proxy`, or `_meta.symposium.proxy` (sacp 1). */
type Place = "meta" | "symposium"

/** How a conductor initialized a proxy. */
export interface ProxyStart {
  readonly dialect: ProxyDialect.ProxyDialect
  /** The parameters to pass on, as JSON text. They are without the flag: the successor may be an agent. */
  readonly params: string | undefined
  /** The answer as the conductor expects it. */
  readonly answered: (answer: RawAnswer) => RawAnswer
}

/** The text of an object, with a change to the members at a place in its `_meta`. */
const withChange = (text: string, place: Place, change: (members: JsonText.Members) => void): string => {
  const whole = membersOf(text)
  const meta = membersOf(whole.get("_meta"))
  if (place === "meta") change(meta)
  else {
    const symposium = membersOf(meta.get("symposium"))
    change(symposium)
    meta.set("symposium", JsonText.object(symposium))
  }
  whole.set("_meta", JsonText.object(meta))
  return JsonText.object(whole)
}

const withFlag = (text: string, place: Place): string =>
  withChange(text, place, (members) => {
    if (place === "symposium" && !members.has("version")) members.set("version", '"1.0"')
    members.set("proxy", "true")
  })

const withoutFlag = (text: string, place: Place): string =>
  withChange(text, place, (members) => members.delete("proxy"))

const placesOf = (text: string): ReadonlyArray<Place> => {
  const meta = membersOf(membersOf(text).get("_meta"))
  const places: Array<Place> = []
  if (meta.get("proxy") === "true") places.push("meta")
  if (membersOf(meta.get("symposium")).get("proxy") === "true") places.push("symposium")
  return places
}

/** Whether the answer of a component repeats the flag: then it is a proxy of the oldest dialect. */
export const isFlagged = (result: string): boolean => placesOf(result).length > 0

/** The parameters of `initialize` with the flag in both places, for a proxy of the oldest dialect. */
export const withFlags = (params: string): string => withFlag(withFlag(params, "meta"), "symposium")

/** The result of a proxy of the oldest dialect, without the flags. */
export const withoutFlags = (result: string): string => placesOf(result).reduce(withoutFlag, result)

/** Reads the request that initializes a proxy; undefined if it is another request, or an agent's `initialize`. */
export const of = ({ method, params, side }: Said): ProxyStart | undefined => {
  if (side !== "client") return undefined
  const dialect = ProxyDialect.ofInitialize(method)
  if (dialect !== undefined) return { dialect, params, answered: (answer) => answer }
  return method === "initialize" && params !== undefined ? flagged(params) : undefined
}

const flagged = (params: string): ProxyStart | undefined => {
  const places = placesOf(params)
  if (places.length === 0) return undefined
  return {
    dialect: "meta",
    params: withoutFlags(params),
    answered: (answer) =>
      "result" in answer && answer.result.startsWith("{") ? { result: places.reduce(withFlag, answer.result) } : answer
  }
}

/** The `protocolVersion` in a request or an answer of `initialize`; undefined if there is none. */
export const versionIn = (text: string | undefined): number | undefined => {
  const version = membersOf(text).get("protocolVersion")
  return version === undefined ? undefined : Number(version)
}

/**
 * The answer of a proxy to its initialization. A proxy builds it from its successor's and keeps the version (ACP, InitializeProxyRequest
 * and InitializeProxyResponse). Any other success is an error instead: the chain behind the proxy would not be what it says.
 *
 * @param successor the successor's answer, undefined while there is none
 */
export const checked = (answer: RawAnswer, successor: RawAnswer | undefined): RawAnswer => {
  if ("error" in answer) return answer
  if (successor === undefined || "error" in successor)
    return RawMessage.failed(RpcError.internal("The proxy answered initialize without its successor's answer"))
  const [ours, theirs] = [versionIn(answer.result), versionIn(successor.result)]
  return Object.is(ours, theirs)
    ? answer
    : RawMessage.failed(RpcError.internal(`The proxy changed protocolVersion from ${theirs} to ${ours}`))
}
