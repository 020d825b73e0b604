/** What the ends of a chain say to each other, and what proxies make of it. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Habit } from "./Scenario.ts"

/** What a message is about: its number, who has changed it, and who has answered. The rest is weight. */
const Words = Schema.Struct({
  n: Schema.Int,
  by: Schema.Array(Schema.String),
  from: Schema.optionalKey(Schema.String),
  weight: Schema.String
})
export type Words = typeof Words.Type

/** One of these fills a connection. */
const heavy = "x".repeat(1_100_000)

/** @param size 9 is heavy, and anything else is light */
export const words = (n: number, size: number, from?: string): Words => ({
  n,
  by: [],
  ...(from !== undefined && { from }),
  weight: size === 9 ? heavy : ""
})

/** Reads what it wrote, also as parsed JSON. Anything else is a defect. */
export const read = (value: unknown): Words => Schema.decodeUnknownSync(Words)(value)

/** The number in a text of words; undefined where they are none. */
export const numberIn = (text: string | undefined): number | undefined =>
  Option.getOrUndefined(
    Option.map(Schema.decodeUnknownOption(Schema.Struct({ n: Schema.Int }))(JSON.parse(text ?? "null")), ({ n }) => n)
  )

/** The words with the name of a proxy that has changed them. */
export const changed = ({ by, ...rest }: Words, name: string): Words => {
  const { n, ...others } = rest
  return { n, by: [...by, name], ...others }
}

/** The error with which an end answers. */
export const refusal = (n: number): string => JSON.stringify({ code: -32000, message: "no", data: { n } })

/** Whether a proxy with this habit keeps a notification, or answers a request itself. */
export const isKept = (habit: Habit, n: number): boolean => habit === "drop" && n % 3 === 0
export const isAnswered = (habit: Habit, n: number): boolean => habit === "answer" && n % 3 === 0

/** The methods of what proxies intercept, and of what they don't. */
export const methodOf = (isTouched: boolean): string => (isTouched ? "_touched" : "_plain")
