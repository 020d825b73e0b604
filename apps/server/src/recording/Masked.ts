/** Blacks out secrets in what is recorded. All texts keep their length and their lines, so that positions stay true. */
import type { Secrets } from "@signalbox/redaction/Secrets"
import * as Predicate from "effect/Predicate"

/** The line of JSON for a value, without the secrets in its texts. */
export const json = (value: unknown, secrets: Pick<Secrets, "spansIn">): string => {
  const line = JSON.stringify(value)
  return secrets.spansIn(line).length === 0 ? line : JSON.stringify(masked(value, secrets))
}

const masked = (value: unknown, secrets: Pick<Secrets, "spansIn">): unknown => {
  if (typeof value === "string") return text(value, secrets)
  if (Array.isArray(value)) return value.map((item) => masked(item, secrets))
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member, secrets)]))
}

const text = (whole: string, { spansIn }: Pick<Secrets, "spansIn">): string => {
  let shown = ""
  let from = 0
  for (const { end, start } of spansIn(whole)) {
    shown += whole.slice(from, start) + whole.slice(start, end).replaceAll(/[^\r\n]/g, "•")
    from = end
  }
  return shown + whole.slice(from)
}
