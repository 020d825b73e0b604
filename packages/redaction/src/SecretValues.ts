/** Which values of an environment are secret, and in which forms programs print them. */
import { existsSync } from "node:fs"
import * as Redaction from "./Redaction.ts"
import { longestWord, shortest, type Wanted } from "./ValueSearch.ts"

export type Environment = Readonly<Record<string, string | undefined>>

/** A part of a name says that its value is secret. `AUTHOR` does not; nor do `PATH`, `PWD` and `OLDPWD`, which are folders. */
const secretName =
  /key|token|secret|passw|passphrase|credential|auth(?!ors?(?:[_-]|$))|pwd(?:[_-]|$)|dsn(?:[_-]|$)|pass\d{0,4}(?:[_-]|$)|(?:^|[_-])(?:pass|pat|pin|jwt|cookies?)(?:[_-]|$)/i
const folderName = /^(?:OLD)?PWD$/i
/** Names whose values are passwords of people, which may be made of digits only. */
const passwordName = /pass|pwd|(?:^|[_-])pin(?:[_-]|$)|secret/i
const longestName = 256

/** What settings say, and what is no secret under any name. */
const settingWord =
  /^(?:true|false|none|null|auto|always|never|default|enabled?|disabled?|prefer|force|prompt|basic|bearer|oauth2?|token|required?|optional|local|system|file|keychain|keyring|plain|login)$/i

/** Longer values are no secrets but files; their first characters are looked for. */
const longest = 16_384

/** The values of an environment that must not turn up in what a program says. */
export const ofEnvironment = (env: Environment): ReadonlyArray<string> => {
  const values = Object.entries(env).flatMap(([name, value = ""]) => [
    ...(isSecretName(name) && isSecretValue(name, value) ? [value] : []),
    ...passwordsIn(name, value)
  ])
  return [...new Set(values)]
}

/** What stands in an argument vector behind a flag that says that it is secret: `--token abc`, `--token=abc`. */
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
  // `MAX_TOKENS=4096` is a number.
  return !/^\d+$/.test(value.slice(0, longest)) || value.length >= 16 || passwordName.test(name)
}

/** A path opens nothing by itself. A key in base64 may begin like one. */
const isPath = (value: string): boolean => {
  if (!/^~?\//.test(value)) return false
  if (value.length > 4096 || value.includes("\n")) return false
  if (value.startsWith("~") || existsSync(value)) return true
  const [first = ""] = value.slice(1).split("/", 1)
  return (first !== "" && value.length > first.length + 1 && existsSync(`/${first}`)) || /\.[a-z]{1,8}\d?$/i.test(value)
}

/** Passwords within a value, whatever its name: in addresses (`postgres://user:password@host`), and `password=…` in lists. */
const passwordsIn = (name: string, value: string): ReadonlyArray<string> => {
  if (value.length > longest) return []
  const found: Array<string> = []
  const add = (text: string) => {
    if (text.length >= shortest && !settingWord.test(text)) found.push(text, decoded(text))
  }
  for (const [address, login = ""] of value.matchAll(/:\/\/([^\s/"'\\<>]{1,4096})@/g)) {
    const colon = login.indexOf(":")
    if (colon !== -1) add(login.slice(colon + 1))
    // `https://key@host`: there the name of the user is the key.
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

/** How these values may be printed. Values that are shorter than {@link shortest} stand anywhere, and are not looked for. */
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
      // A part of base64 is no word. It is looked for where it is long enough not to stand anywhere.
      for (const form of inBase64(part)) if (form.length >= shortestInBase64) add(form)
    }
  }
  return [...wanted.values()]
}

const shortestInBase64 = 6

/** A key in several lines is printed line by line. */
const linesOf = (value: string): ReadonlyArray<string> =>
  value.includes("\n")
    ? value.split(/\r?\n/).filter((line) => line.length > longestWord && !line.startsWith("-----"))
    : []

/** The ways in which a value is written: as text, in JSON of several writers, in JSON within JSON, and in addresses. */
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

/** Base64 in both alphabets, behind any number of other bytes. What the neighbours decide is left out at both ends. */
const inBase64 = (value: string): ReadonlyArray<string> => {
  const bytes = Buffer.from(value)
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64")
    const from = before === 0 ? 0 : before + 1
    const standard = encoded.slice(from, Math.floor(((before + bytes.length) * 8) / 6))
    return [standard, standard.replaceAll("+", "-").replaceAll("/", "_")]
  })
}
