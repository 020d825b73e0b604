/** What must never reach a disk: variables and headers handed to other programs, logins, tokens. By method, by key, by flag, by form. */
import * as Predicate from "effect/Predicate"

export const redacted = "[redacted]"

/** Methods whose parameters are secret as a whole. */
const secretMethods: ReadonlySet<string> = new Set(["authenticate", "auth/login"])

/** Members whose values are secret wherever they stand. `env` and `headers` keep their names. */
const secretKey =
  /^(?:(?:proxy-)?authorization|cookies?|set-cookie|password|passwd|passphrase|(?:client_?)?secret|credentials?|.*(?:token|api_?-?key|secret_?key|private_?key))$/i
const listKey = /^(?:env|headers)$/i
/** Parts of addresses that stand for a login. */
const secretQuery = /([?&](?:challenge|uuid|code|state|sig|signature|[a-z_-]*token|[a-z_-]*key)=)[^&"'\s\\]+/gi
/** `https://user:password@host`; the `git` of `ssh://git@host` opens nothing. */
const userinfo = /(\b[a-z][a-z0-9+.-]*:\/\/)(?!git@)[^\s/"'@\\<>]+@/gi
/** As it stands in commands, in files and in JSON within text. */
const authorization =
  /(\b(?:proxy-)?authorization\b\\*["']?\s*[:=]\s*\\*["']?(?:(?:bearer|basic|token)\s+)?)[^\s"'\\,;}]{8,}/gi
const bearer = /(\bbearer\s+)[a-z0-9._~+/=-]{12,}/gi
/** Keys that say themselves what they are: by their issuers' beginnings, and tokens of the form JWT. */
const knownForms =
  /\b(?:sk-[A-Za-z0-9_-]{20,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{10,}|crsr_\w{16,}|AKIA[0-9A-Z]{16}|AIza[\w-]{35}|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,})/g

/**
 * A quick look at a line of JSON: without a match there is nothing in it that the rules here would change. Quick, because
 * lines may be megabytes long and nearly all of them hold nothing.
 */
const suspicious =
  /"(?:env|headers)"|authorization|cookie|passw|passphrase|secret|credential|token|key["=]|:\/\/[^\s/"]*@|[?&](?:challenge|uuid|code|state|sig|signature)=|bearer |(?:sk-|gh[pousr]_|_pat_|glpat-|xox|crsr_|AKIA|AIza|eyJ)/i

const secretFlag = /^(?:-H|--header|--.*(?:key|token|secret|password))$/i
const secretName = /key|token|secret|password|credential|auth/i

/** A message as it may be written. `line` is the same message as it came. */
export const message = (value: unknown, line: string): string => {
  const secret = Predicate.isObject(value) && typeof value["method"] === "string" && secretMethods.has(value["method"])
  if (secret) return JSON.stringify({ ...value, params: redacted })
  return suspicious.test(line) ? text(JSON.stringify(value, replacer)) : line
}

/** A piece of a text, as `String.slice` takes it. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Each with what it keeps of a match, before and behind the secret. */
const forms: ReadonlyArray<{ readonly pattern: RegExp; readonly keeps: boolean; readonly behind: number }> = [
  { pattern: secretQuery, keeps: true, behind: 0 },
  { pattern: userinfo, keeps: true, behind: 1 },
  { pattern: authorization, keeps: true, behind: 0 },
  { pattern: bearer, keeps: true, behind: 0 },
  { pattern: knownForms, keeps: false, behind: 0 }
]

/** Where logins stand in a text: in addresses, in headers, and keys of a known form; in order, none touching another. */
export const spansIn = (value: string, secrets: ReadonlyArray<string> = []): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  for (const { behind, keeps, pattern } of forms)
    for (const { 0: whole, 1: before = "", index } of value.matchAll(pattern))
      spans.push({ start: index + (keeps ? before.length : 0), end: index + whole.length - behind })
  for (const secret of secrets)
    for (let at = value.indexOf(secret); at !== -1; at = value.indexOf(secret, at + secret.length))
      spans.push({ start: at, end: at + secret.length })
  return joined(spans)
}

const joined = (spans: Array<Span>): ReadonlyArray<Span> => {
  const apart: Array<Span> = []
  for (const span of spans.sort((one, other) => one.start - other.start)) {
    const last = apart.at(-1)
    if (last !== undefined && span.start <= last.end)
      apart[apart.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
    else apart.push(span)
  }
  return apart
}

/** Text with the logins in it taken out. */
export const text = (value: string): string => {
  let rest = ""
  let at = 0
  for (const { end, start } of spansIn(value)) {
    rest += `${value.slice(at, start)}${redacted}`
    at = end
  }
  return rest + value.slice(at)
}

/** An argument vector with the values of secret flags taken out. */
export const argv = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.map((arg, index) => {
    if (secretFlag.test(args[index - 1] ?? "")) return redacted
    const assigned = /^(--[^=]+)=/.exec(arg)?.[1]
    return assigned !== undefined && secretFlag.test(assigned) ? `${assigned}=${redacted}` : text(arg)
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

/** Text without these values. */
export const hide = (secrets: ReadonlyArray<string>, text: string): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, redacted), text)

/** JSON without these values. It stays JSON, wherever in it they stood. */
export const without = (secrets: ReadonlyArray<string>, json: string): string => {
  if (!secrets.some((secret) => json.includes(secret))) return json
  const value: unknown = JSON.parse(json)
  return JSON.stringify(withoutIn(secrets, value))
}

const withoutIn = (secrets: ReadonlyArray<string>, value: unknown): unknown => {
  if (typeof value === "string") return hide(secrets, value)
  if (typeof value === "number") return secrets.some((secret) => String(value).includes(secret)) ? redacted : value
  if (Array.isArray(value)) return value.map((item: unknown) => withoutIn(secrets, item))
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [hide(secrets, key), withoutIn(secrets, member)])
  )
}

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
