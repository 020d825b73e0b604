/**
 * Reads terminals from a tool call's `_meta`. Agents agreed on these members outside of the protocol: `terminal_info`
 * has an id and a folder. `terminal_output` and `terminal_output_delta` have the next piece of output, and
 * `terminal_exit` the exit.
 */
import { isRecord, type JsonObject } from "@signalbox/contracts/Json"
import type { Ending } from "./AgentTerminal.ts"
import { intOf, textOf } from "../../../base/Json.ts"

export type TerminalNews = {
  /** Undefined if the agent does not report it. */
  readonly terminalId: string | undefined
} & (
  | { readonly type: "info"; readonly cwd: string | undefined }
  | { readonly type: "output"; readonly data: string }
  | { readonly type: "exit"; readonly ending: Ending }
)

export interface Reading {
  /** The reports in the order of their events. */
  readonly news: ReadonlyArray<TerminalNews>
  /** Members of unknown form. */
  readonly unread: ReadonlyArray<string>
}

const nothing: Reading = { news: [], unread: [] }

export const read = (meta: JsonObject | null | undefined): Reading => {
  if (meta === null || meta === undefined) return nothing
  const news: Array<TerminalNews> = []
  const unread: Array<string> = []
  const take = (name: string, newsOf: (told: JsonObject) => News | undefined): boolean => {
    const told = meta[name]
    if (told === undefined || told === null) return false
    const made = isRecord(told) ? withId(told, newsOf(told)) : undefined
    if (made === undefined) unread.push(name)
    else news.push(made)
    return made !== undefined
  }
  take("terminal_info", (told) => ({ type: "info", cwd: textOf(told, "cwd") }))
  // An agent that sends both members repeats one piece for older clients.
  if (!take("terminal_output_delta", outputOf)) take("terminal_output", outputOf)
  take("terminal_exit", (told) => {
    const exitCode = intOf(told, "exit_code")
    const signal = signalOf(textOf(told, "signal"))
    return {
      type: "exit",
      ending: { ...(exitCode !== undefined && { exitCode }), ...(signal !== undefined && { signal }) }
    }
  })
  return news.length === 0 && unread.length === 0 ? nothing : { news, unread }
}

/** The name or number of a signal. Other text is refused, since it would show the agent's words as a fact. */
const signalOf = (told: string | undefined): string | undefined =>
  told !== undefined && told.length <= longestSignal && /^[A-Za-z0-9 +_-]+$/.test(told) ? told : undefined

const longestSignal = 32

/** Adds the id. A missing id is allowed, since the call may make it clear; an id of another type can't be matched. */
const withId = ({ terminal_id: id }: JsonObject, news: News | undefined): TerminalNews | undefined => {
  if (news === undefined) return undefined
  if (id === undefined || id === null || id === "") return { ...news, terminalId: undefined }
  return typeof id === "string" ? { ...news, terminalId: id } : undefined
}

type WithoutId<Union> = Union extends unknown ? Omit<Union, "terminalId"> : never
type News = WithoutId<TerminalNews>

const outputOf = ({ data }: JsonObject): News | undefined =>
  typeof data === "string" ? { type: "output", data } : undefined
