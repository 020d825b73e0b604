/** What the chaos proxy is asked to do to a conversation. JSON, checked: a schedule that is not understood would test nothing. */
import { isList, isObject, type Json, type JsonObject, listIn, parseJson, textIn } from "../Json.ts"

/** The direction as seen from the proxy: requests and notifications of the client, and what its agent says. */
export type Direction = "toAgent" | "toClient"

/** Things that can befall a line. */
export const faults = [
  /** Waits, and all that is behind it waits too. */
  "delay",
  /** Is written in pieces, cut at any byte. */
  "split",
  /** Is kept back and written together with the next. */
  "join",
  "drop",
  "duplicate",
  /** Is written with wrong or missing bytes, so that it is no JSON any more. */
  "garble",
  /** Changes places with the next. ACP promises order, so never unless it is asked for. */
  "reorder",
  /** Has a line before it that is no JSON. */
  "noise",
  /** Comes with a flood on standard error. */
  "stderr"
] as const
export type Fault = (typeof faults)[number]

export interface Rates {
  /** How likely each is for a line, from 0 to 1. What is not named never happens. */
  readonly chances: Readonly<Partial<Record<Fault, number>>>
  /** Milliseconds of a delay: the least and the most. */
  readonly delayMs: readonly [number, number]
  /** Methods that may be dropped, duplicated, garbled or reordered; absent: every line may. Answers have no method. */
  readonly only: ReadonlySet<string> | undefined
}

/** What is done once, when its line comes by. */
export const actions = [
  /** SIGKILL for the agent. */
  "kill-agent",
  /** SIGKILL for the proxy itself: the agent is left behind. */
  "kill-proxy",
  /** SIGKILL for a process that the agent started. */
  "kill-grandchild",
  /** The agent's input ends. */
  "close-input",
  /** The client sees the end of output; the agent goes on. */
  "close-output",
  /** Nothing moves in this direction any more. */
  "stall"
] as const
export type Action = (typeof actions)[number]

/** The nth line that fits, counted from 1. Without `method` and `answers` every line does. */
export interface Moment {
  readonly direction: Direction
  readonly nth: number
  readonly method: string | undefined
  /** The answer to a request of this method. */
  readonly answers: string | undefined
  readonly when: "before" | "after"
  readonly do: Action
}

export interface Schedule {
  readonly toAgent: Rates
  readonly toClient: Rates
  readonly moments: ReadonlyArray<Moment>
}

export class ScheduleInvalid extends Error {}

/** @param text JSON, as `packages/stand-in-agents/README.md` describes it. Throws `ScheduleInvalid`. */
export const parse = (text: string): Schedule => {
  const schedule = parseJson(text)
  if (!isObject(schedule)) throw new ScheduleInvalid("A schedule is a JSON object.")
  known(schedule, ["toAgent", "toClient", "moments"], "a schedule")
  return {
    toAgent: rates(schedule["toAgent"] ?? {}),
    toClient: rates(schedule["toClient"] ?? {}),
    moments: listIn(schedule, "moments").map(moment)
  }
}

const rates = (value: Json): Rates => {
  if (!isObject(value)) throw new ScheduleInvalid("The rates of a direction are an object.")
  known(value, [...faults, "delayMs", "only"], "a direction")
  const chances = faults.flatMap((fault) => {
    const chance = value[fault]
    if (chance === undefined) return []
    if (typeof chance !== "number" || !(chance >= 0 && chance <= 1))
      throw new ScheduleInvalid(`${fault} is a chance from 0 to 1, not ${JSON.stringify(chance)}.`)
    return [[fault, chance] as const]
  })
  return { chances: Object.fromEntries(chances), delayMs: delay(value["delayMs"]), only: methods(value["only"]) }
}

const delay = (value: Json | undefined): readonly [number, number] => {
  if (value === undefined) return [1, 20]
  const [least, most] = isList(value) ? value : []
  if (typeof least !== "number" || typeof most !== "number" || !(least >= 0 && least <= most))
    throw new ScheduleInvalid("delayMs is the least and the most, such as [1, 20].")
  return [least, most]
}

const methods = (value: Json | undefined): ReadonlySet<string> | undefined => {
  if (value === undefined) return undefined
  const names = isList(value) ? value.filter((name) => typeof name === "string") : []
  if (names.length === 0) throw new ScheduleInvalid('only is a list of methods, such as ["session/update"].')
  return new Set(names)
}

const moment = (value: Json): Moment => {
  if (!isObject(value)) throw new ScheduleInvalid("A moment is an object.")
  known(value, ["direction", "nth", "method", "answers", "when", "do"], "a moment")
  const direction = textIn(value, "direction")
  const action = actions.find((name) => name === value["do"])
  const when = textIn(value, "when") ?? "after"
  const nth = value["nth"] ?? 1
  if (direction !== "toAgent" && direction !== "toClient")
    throw new ScheduleInvalid('The direction of a moment is "toAgent" or "toClient".')
  if (action === undefined) throw new ScheduleInvalid(`What is to be done is one of ${actions.join(", ")}.`)
  if (when !== "before" && when !== "after") throw new ScheduleInvalid('when is "before" or "after".')
  if (typeof nth !== "number" || !Number.isInteger(nth) || nth < 1) throw new ScheduleInvalid("nth counts from 1.")
  return { direction, nth, method: textIn(value, "method"), answers: textIn(value, "answers"), when, do: action }
}

const known = (object: JsonObject, names: ReadonlyArray<string>, what: string): void => {
  const unknown = Object.keys(object).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new ScheduleInvalid(`“${unknown}” is no part of ${what}; that has ${names.join(", ")}.`)
}
