/** Finds the secret values of an environment, and the forms in which programs print them. */
import { existsSync } from "node:fs"
import * as Redaction from "./Redaction.ts"
import { longestWord, shortest, type Wanted } from "./ValueSearch.ts"

export type Environment = Readonly<Record<string, string | undefined>>

/** Parts of names of secret values. `AUTHOR` does not match; nor do `PATH`, `PWD` and `OLDPWD`, which are folders. */
const secretName =
  /key|token|secret|passw|passphrase|credential|auth(?!ors?(?:[_-]|$))|pwd(?:[_-]|$)|dsn(?:[_-]|$)|pass\d{0,4}(?:[_-]|$)|(?:^|[_-])(?:pass|pat|pin|jwt|cookies?)(?:[_-]|$)/i
const folderName = /^(?:OLD)?PWD$/i
/** Names of passwords that people choose, which may consist of digits only. */
const passwordName = /pass|pwd|(?:^|[_-])pin(?:[_-]|$)|secret/i
const longestName = 256

/** Words of settings, which are never secret. */
const settingWord =
  /^(?:true|false|none|null|auto|always|never|default|enabled?|disabled?|prefer|force|prompt|basic|bearer|oauth2?|token|required?|optional|local|system|file|keychain|keyring|plain|login)$/i

/** A longer value is a file rather than a secret. Only its first characters are searched for. */
const longest = 16_384

/** The values of an environment that must not appear in what a program writes. */
export const ofEnvironment = (env: Environment): ReadonlyArray<string> => {
  const values = Object.entries(env).flatMap(([name, value = ""]) => [
    ...(isSecretName(name) && isSecretValue(name, value) ? [value] : []),
    ...passwordsIn(name, value)
  ])
  return [...new Set(values)]
}

/** The values of secret flags in an argument vector: `--token abc`, `--token=abc`. */
export const ofArguments = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  Redaction.argv(args).flatMap((shown, index) => {
    const arg = args[index] ?? ""
    if (shown === arg || !shown.endsWith(Redaction.redacted)) return []
    const value = arg.slice(shown.length - Redaction.redacted.length)
    return settingWord.test(value) ? [] : [value]
  })

const isSecretName = (name: string): boolean =>
  !folderName.test(name) && secretName.test(name.length > longestName ? name.slice(-longestName) : name)

const isSecretValue = (name: string, value: string): boolean => {
  if (value.length < shortest || settingWord.test(value) || isPath(value)) return false
  // Short numbers are no secrets, as in `MAX_TOKENS=4096`.
  return !/^\d+$/.test(value.slice(0, longest)) || value.length >= 16 || passwordName.test(name)
}

/** Whether a value is a path, which is no secret. A key in base64 may begin like a path. */
const isPath = (value: string): boolean => {
  if (!/^~?\//.test(value)) return false
  if (value.length > 4096 || value.includes("\n")) return false
  if (value.startsWith("~") || existsSync(value)) return true
  const [first = ""] = value.slice(1).split("/", 1)
  return (first !== "" && value.length > first.length + 1 && existsSync(`/${first}`)) || /\.[a-z]{1,8}\d?$/i.test(value)
}

/**
 * Passwords inside a value of any name: in addresses (`postgres://user:password@host`), and as `password=…` in lists.
 */
const passwordsIn = (name: string, value: string): ReadonlyArray<string> => {
  if (value.length > longest) return []
  const found: Array<string> = []
  const add = (text: string) => {
    if (text.length >= shortest && !settingWord.test(text)) found.push(text, decoded(text))
  }
  for (const [address, login = ""] of value.matchAll(/:\/\/([^\s/"'\\<>]{1,4096})@/g)) {
    const colon = login.indexOf(":")
    if (colon !== -1) add(login.slice(colon + 1))
    // In `https://key@host`, the user name is the key.
    else if (isSecretName(name) && address !== "://git@") add(login)
  }
  for (const [, password = ""] of value.matchAll(
    /\b(?:password|passwd|pwd|secret|accountkey|sharedaccesskey)=([^\s;&"']{1,4096})/gi
  ))
    add(password)
  return found
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/**
 * The forms in which these values may be printed. Values shorter than {@link shortest} occur everywhere, so they are
 * not searched for.
 */
export const formsOf = (values: ReadonlyArray<string>): ReadonlyArray<Wanted> => {
  const wanted = new Map<string, Wanted>()
  const add = (text: string, word = false) => {
    if (text.length >= shortest && (!wanted.has(text) || !word)) wanted.set(text, { text, word })
  }
  for (const whole of values) {
    const value = whole.slice(0, longest)
    for (const part of new Set([value, value.trim(), ...linesOf(value)])) {
      const isShort = part.length <= longestWord
      for (const form of writtenAs(part)) add(form, isShort && form.length <= longestWord)
      // A part of base64 has no word boundaries. It is searched for only if it is too long to occur by chance.
      for (const form of inBase64(part)) if (form.length >= shortestInBase64) add(form)
    }
  }
  return [...wanted.values()]
}

const shortestInBase64 = 6

/** The lines of a value: a key of several lines is printed line by line. */
const linesOf = (value: string): ReadonlyArray<string> =>
  value.includes("\n")
    ? value.split(/\r?\n/).filter((line) => line.length > longestWord && !line.startsWith("-----"))
    : []

/** The spellings of a value: as text, in JSON of several writers, in JSON within JSON, and in addresses. */
const writtenAs = (value: string): ReadonlyArray<string> => {
  const json = inJson(value)
  const percent = encodeURIComponent(value.toWellFormed())
  return [
    value,
    json,
    inJson(json),
    json.replaceAll("/", "\\/"),
    json.replace(/[<>&\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`),
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll("%20", "+")
  ]
}

const inJson = (value: string): string => JSON.stringify(value).slice(1, -1)

/**
 * A value in base64, in both alphabets and at each of the three offsets. Characters that depend on neighbouring bytes
 * are left out at both ends.
 */
const inBase64 = (value: string): ReadonlyArray<string> => {
  const bytes = Buffer.from(value)
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64")
    const from = before === 0 ? 0 : before + 1
    const standard = encoded.slice(from, Math.floor(((before + bytes.length) * 8) / 6))
    return [standard, standard.replaceAll("+", "-").replaceAll("/", "_")]
  })
}
