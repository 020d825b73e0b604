import { Args } from "./Args.ts"

/** A file name: it has a dot or a slash in it, or stands in quotes. */
const file = "(?:[`'\"]([^`'\"]+)[`'\"]|([^\\s`'\"]*[./][^\\s`'\"]*[\\w/]))"
const words = "(?:[`'\"]([^`'\"]+)[`'\"]|(\\S+))"

/**
 * What a person may type, and the script that it starts. The first match counts; case does not.
 *
 * - read README.md · show notes.txt · open src/a.ts
 * - run `npm test` · run npm test · execute `ls`
 * - edit notes.txt · change notes.txt · create out.txt · write out.txt · delete out.txt
 * - grep spike · search for "two words" · find files · find files like `*.ts`
 * - fetch https://example.com
 * - ask me · ask me several things · make a plan · todos · delegate (a sub-agent) · draw a picture · demo
 */
const rules: ReadonlyArray<readonly [pattern: RegExp, script: string, argument?: string]> = [
  [/\bdemo\b/i, "demo"],
  [/\bask me (?:several|many|multiple|more)\b/i, "ask multi"],
  [/\bask me\b/i, "ask"],
  [/\bmake (?:a|the|your) plan\b/i, "plan"],
  [/\bfetch (https?:\/\/\S*[\w/])/i, "fetch", "url"],
  [/\b(?:run|execute):? `([^`]+)`/i, "shell", "cmd"],
  [/^(?:run|execute):? (.+)$/im, "shell", "cmd"],
  [new RegExp(`\\b(?:grep|search(?: for)?):? ${words}`, "i"), "grep", "pattern"],
  [new RegExp(`\\bfind files like ${words}`, "i"), "glob", "pattern"],
  [/\bfind (?:all )?files\b/i, "glob"],
  [new RegExp(`\\b(?:create|write):? ${file}`, "i"), "newfile", "path"],
  [new RegExp(`\\b(?:edit|change|update):? ${file}`, "i"), "edit", "path"],
  [new RegExp(`\\b(?:delete|remove):? ${file}`, "i"), "delete", "path"],
  [new RegExp(`\\b(?:read|show|open):? ${file}`, "i"), "read", "path"],
  [/\bto-?dos?(?: list)?\b/i, "todos"],
  [/\b(?:delegate|sub-?agent)\b/i, "task"],
  [/\b(?:draw|paint|generate an image)\b/i, "image"]
]

/** A script's name and nothing else, or with arguments that nobody would write by chance. */
const plainCall = /^([\w-]+)(?: [\w-]+=\S+)*$|^(ask) multi$|^(task) bg$|^(mode) (?:agent|plan|ask)$/

export interface Call {
  readonly name: string
  readonly args: Args
}

/** Reads a script's name and what follows it. */
export const parseCall = (text: string): Call => {
  const [, name = "", rest = ""] = /^\s*([\w-]*)(.*)$/s.exec(text) ?? []
  return { name, args: new Args(rest) }
}

/** @returns the script that the text asks for, if it does. */
export const keywordCall = (text: string, isScript: (name: string) => boolean): Call | undefined => {
  const [, ...names] = plainCall.exec(text.trim()) ?? []
  if (names.some((name) => name !== undefined && isScript(name))) return parseCall(text)
  for (const [pattern, script, argument] of rules) {
    const match = pattern.exec(text)
    if (match === null) continue
    const value = match.slice(1).find((group) => group !== undefined)
    const { name, args } = parseCall(script)
    return { name, args: argument === undefined || value === undefined ? args : args.with(argument, value.trim()) }
  }
  return undefined
}
