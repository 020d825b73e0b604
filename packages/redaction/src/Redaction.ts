/**
 * Removes secrets that can be recognised by their form: variables and headers for other programs, logins, tokens. It
 * looks at methods, keys, flags and known forms. {@link ./Secrets.ts} finds the values of an environment.
 *
 * Lines are foreign text of up to 32 MB. So every quantifier here is bounded, and a loop reads what may be long. For an
 * unbounded quantifier, V8 keeps a stack entry for each character, and throws when there are too many.
 */
import * as Predicate from "effect/Predicate"
import type { Span } from "./Spans.ts"
import * as Spans from "./Spans.ts"

export const redacted = Spans.redacted

/** Methods whose parameters are secret as a whole. */
const secretMethods: ReadonlySet<string> = new Set(["authenticate", "auth/login"])

/** Members with secret values, anywhere in a message. `env` and `headers` keep the names of their entries. */
const secretKey =
  /^(?:(?:proxy-)?authorization|cookies?|set-cookie|password|passwd|passphrase|(?:client_?)?secret|credentials?)$/i
const secretKeyEnd = /(?:token|api_?-?key|secret_?key|private_?key)$/i
const listKey = /^(?:env|headers)$/i
/** Longer keys are not examined. */
const longestKey = 256

/**
 * A quick test of a line of JSON. Without a match, the rules here would change nothing in it. Lines may be megabytes
 * long, and nearly all of them hold no secret. Few writers escape slashes or printable characters, which may be a part
 * of what is looked for.
 */
const suspicious =
  /"(?:env|headers)"|authorization|cookie|passw|passphrase|secret|credential|token|key["=]|:\/\/[^\s/"]{0,4096}@|[?&](?:challenge|uuid|code|state|sig|signature)=|bearer |(?:sk-|gh[pousr]_|_pat_|glpat-|xox|crsr_|AKIA|AIza|eyJ)|\\(?:\/|u00[2-7][0-9a-f])/i

const secretFlag = /^(?:-H|--header)$/i
const secretFlagEnd = /(?:key|token|secret|password)$/i

/** A message as JSON without secrets. `line`: the message as it was received. */
export const message = (value: unknown, line: string): string => {
  const secret = Predicate.isObject(value) && typeof value["method"] === "string" && secretMethods.has(value["method"])
  if (secret) return JSON.stringify({ ...value, params: redacted })
  if (!suspicious.test(line)) return line
  const json = rewritten(value)
  return json === undefined ? JSON.stringify(text(line)) : text(json)
}

/** The message with redacted members. Undefined if it is nested too deep for that; then it is kept as a text. */
const rewritten = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value, replacer)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Whether a character belongs to a secret. `others` decides for all characters beyond ASCII. */
type Characters = (code: number) => boolean

const charactersOf = (inside: RegExp, others: boolean): Characters => {
  const table = Array.from({ length: 128 }, (_, code) => inside.test(String.fromCharCode(code)))
  return (code) => table[code] ?? others
}

/** The form of a secret: its beginning, and the characters that follow. */
interface Form {
  /** The beginning. A global pattern with bounded quantifiers. */
  readonly head: RegExp
  readonly body: Characters
  /**
   * The secret parts of a match, if there are any. The head begins at `start`, the body at `from`; the match ends at
   * `end`.
   */
  readonly spanOf: (value: string, start: number, from: number, end: number) => ReadonlyArray<Span>
}

/** Keeps the head and redacts the body, if the body is long enough. */
const behindHead =
  (least: number): Form["spanOf"] =>
  (_, __, from, end) =>
    end - from >= least ? [{ start: from, end }] : []

/** Redacts the head too, for keys of a known form. */
const withHead =
  (least: number): Form["spanOf"] =>
  (_, start, from, end) =>
    end - from >= least ? [{ start, end }] : []

/** The login of `https://user:password@host`: everything before the last `@`. */
const userinfo: Form["spanOf"] = (value, _, from, end) => {
  const length = value.slice(from, end).lastIndexOf("@")
  return length > 0 && length <= longestUserinfo ? [{ start: from, end: from + length }] : []
}
const longestUserinfo = 4096

/** A JSON Web Token: three parts between dots, the first two of them JSON in base64. */
const jsonWebToken: Form["spanOf"] = (value, start, _, end) => {
  const run = value.slice(start, end)
  const spans: Array<Span> = []
  /**
   * `header`: the start of a header in the previous part. `pair`: the start of a header with the previous part as its
   * payload. -1: none.
   */
  let header = -1
  let pair = -1
  for (let from = 0; from <= run.length;) {
    const dot = run.indexOf(".", from)
    const to = dot === -1 ? run.length : dot
    if (pair !== -1 && to - from >= 8) spans.push({ start: start + pair, end: start + to })
    pair = header !== -1 && to - from >= leastOfJson && run.startsWith("eyJ", from) ? header : -1
    const json = run.slice(from, to).indexOf("eyJ")
    header = json !== -1 && to - from - json >= leastOfJson ? from + json : -1
    from = to + 1
  }
  return spans
}
const leastOfJson = 11

const letters = charactersOf(/[A-Za-z0-9]/, false)
const wordLetters = charactersOf(/\w/, false)
const wordsAndHyphens = charactersOf(/[\w-]/, false)

const forms: ReadonlyArray<Form> = [
  // Parameters of addresses that work like a password.
  {
    head: /[?&](?:challenge|uuid|code|state|sig|signature|[a-z_-]{0,64}token|[a-z_-]{0,64}key)=/gi,
    body: charactersOf(/[^&"'\s\\]/, true),
    spanOf: behindHead(1)
  },
  // The user `git` of `ssh://git@host` is no secret.
  { head: /(?<=[a-z0-9+.-]):\/\/(?!git@)/gi, body: charactersOf(/[^\s/"'\\<>]/, true), spanOf: userinfo },
  // The Authorization header in commands, in files and in JSON within text.
  {
    head: /\b(?:proxy-)?authorization\b\\{0,8}["']?\s{0,64}[:=]\s{0,64}\\{0,8}["']?(?:(?:bearer|basic|token)\s{1,64})?/gi,
    body: charactersOf(/[^\s"'\\,;}]/, true),
    spanOf: behindHead(8)
  },
  { head: /\bbearer\s{1,64}/gi, body: charactersOf(/[A-Za-z0-9._~+/=-]/, false), spanOf: behindHead(12) },
  // Keys that are recognised by their issuer's prefix, and JSON Web Tokens.
  { head: /\bsk-/g, body: wordsAndHyphens, spanOf: withHead(20) },
  { head: /\bgh[pousr]_/g, body: letters, spanOf: withHead(20) },
  { head: /\bgithub_pat_/g, body: wordLetters, spanOf: withHead(20) },
  { head: /\bglpat-/g, body: wordsAndHyphens, spanOf: withHead(20) },
  { head: /\bxox[abprs]-/g, body: wordsAndHyphens, spanOf: withHead(10) },
  { head: /\bcrsr_/g, body: wordLetters, spanOf: withHead(16) },
  { head: /\bAKIA/g, body: charactersOf(/[0-9A-Z]/, false), spanOf: withHead(16) },
  { head: /\bAIza/g, body: wordsAndHyphens, spanOf: withHead(35) },
  { head: /\beyJ/g, body: charactersOf(/[\w.-]/, false), spanOf: jsonWebToken }
]

/**
 * The places of credentials in a text: in addresses, in headers, and keys of a known form. They are in order, and none
 * touches another.
 */
export const spansIn = (value: string, onStep?: () => void): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  for (const { body, head, spanOf } of forms) {
    head.lastIndex = 0
    for (let found = head.exec(value); found !== null; found = head.exec(value)) {
      const from = head.lastIndex
      let end = from
      while (end < value.length && body(value.charCodeAt(end))) {
        onStep?.()
        end += 1
      }
      for (const span of spanOf(value, found.index, from, end)) spans.push(span)
      // A match that begins inside this one would end at the same place, so the search goes on behind it.
      head.lastIndex = end
    }
  }
  return Spans.joined(spans)
}

/** The text without the credentials in it. */
export const text = (value: string): string => Spans.without(value, spansIn(value))

/** An argument vector without the values of secret flags. */
export const argv = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.map((arg, index) => {
    if (isSecretFlag(args[index - 1] ?? "")) return redacted
    const equals = arg.startsWith("--") ? arg.indexOf("=") : -1
    return equals > 2 && isSecretFlag(arg.slice(0, equals)) ? `${arg.slice(0, equals)}=${redacted}` : text(arg)
  })

const isSecretFlag = (flag: string): boolean =>
  secretFlag.test(flag) || (flag.startsWith("--") && secretFlagEnd.test(flag))

const isSecretKey = (key: string): boolean =>
  key.length <= longestKey && (secretKey.test(key) || secretKeyEnd.test(key))

const replacer = (key: string, value: unknown): unknown => {
  if (listKey.test(key)) return withoutValues(value)
  return isSecretKey(key) && (typeof value === "string" || Predicate.isObject(value)) ? redacted : value
}

/** Redacts the values of `[{ name, value }]` and `{ name: value }`, and keeps the names. */
const withoutValues = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.map((item: unknown) =>
      Predicate.isObject(item) && !Array.isArray(item) ? { name: item["name"], value: redacted } : redacted
    )
  }
  if (!Predicate.isObject(value)) return value === undefined || value === null ? value : redacted
  return Object.fromEntries(Object.keys(value).map((name) => [name, redacted]))
}
