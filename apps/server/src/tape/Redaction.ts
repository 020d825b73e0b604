/** What must never reach a disk: variables and headers handed to other programs, logins, tokens. By method, by key, by flag. */
import * as Predicate from "effect/Predicate"

export const redacted = "[redacted]"

/** Methods whose parameters are secret as a whole. */
const secretMethods: ReadonlySet<string> = new Set(["authenticate", "auth/login"])

/** Members whose values are secret wherever they stand. `env` and `headers` keep their names. */
const secretKey = /^(?:authorization|cookie|set-cookie|password|passwd|secret|.*(?:token|api_?-?key|secret_?key))$/i
const listKey = /^(?:env|headers)$/i
/** Parts of addresses that stand for a login. */
const secretQuery = /([?&](?:challenge|uuid|code|state|[a-z_]*token|[a-z_]*key)=)[^&"'\s\\]+/gi
const secretFlag = /^(?:-H|--header|--.*(?:key|token|secret|password))$/i
const secretName = /key|token|secret|password|credential|auth/i

/** A message as it may be written. */
export const message = (value: unknown): string => {
  const whole =
    Predicate.isObject(value) && typeof value["method"] === "string" && secretMethods.has(value["method"])
      ? { ...value, params: redacted }
      : value
  return text(JSON.stringify(whole, replacer))
}

/** Text with the logins in its addresses taken out. */
export const text = (value: string): string => value.replace(secretQuery, `$1${redacted}`)

/** An argument vector with the values of secret flags taken out. */
export const argv = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.map((arg, index) => {
    if (secretFlag.test(args[index - 1] ?? "")) return redacted
    const assigned = /^(--[^=]+)=/.exec(arg)?.[1]
    return assigned !== undefined && secretFlag.test(assigned) ? `${assigned}=${redacted}` : arg
  })

/**
 * The values of an environment that must not turn up in what a program says, as they stand in text and in JSON. Short ones are words
 * that stand anywhere, and paths (`SSH_AUTH_SOCK`) open nothing by themselves.
 */
export const secretValues = (env: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> => {
  const values = Object.entries(env).flatMap(([name, value]) =>
    secretName.test(name) && value !== undefined && value.length >= 8 && !value.startsWith("/") ? [value] : []
  )
  return [...new Set(values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]))]
}

/** A line without these values. */
export const without = (secrets: ReadonlyArray<string>, line: string): string =>
  secrets.reduce((rest, secret) => (rest.includes(secret) ? rest.replaceAll(secret, redacted) : rest), line)

const replacer = (key: string, value: unknown): unknown => {
  if (listKey.test(key)) return withoutValues(value)
  return secretKey.test(key) && (typeof value === "string" || Predicate.isObject(value)) ? redacted : value
}

/** `[{ name, value }]` and `{ name: value }` keep their names. */
const withoutValues = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.map((item: unknown) =>
      Predicate.isObject(item) && !Array.isArray(item) ? { name: item["name"], value: redacted } : redacted
    )
  }
  if (!Predicate.isObject(value)) return value === undefined || value === null ? value : redacted
  return Object.fromEntries(Object.keys(value).map((name) => [name, redacted]))
}
