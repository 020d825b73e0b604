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
const rules: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bdemo\b/i, "demo"],
  [/\bask me (?:several|many|multiple|more)\b/i, "ask multi"],
  [/\bask me\b/i, "ask"],
  [/\bmake (?:a|the|your) plan\b/i, "plan"],
  [/\bto-?dos?(?: list)?\b/i, "todos"],
  [/\b(?:delegate|sub-?agent)\b/i, "task"],
  [/\b(?:draw|paint|generate an image)\b/i, "image"],
  [/\bfetch (https?:\/\/\S*[\w/])/i, "fetch url="],
  [/\b(?:run|execute):? `([^`]+)`/i, "shell cmd="],
  [/^(?:run|execute):? (.+)$/im, "shell cmd="],
  [new RegExp(`\\b(?:grep|search(?: for)?):? ${words}`, "i"), "grep pattern="],
  [new RegExp(`\\bfind files like ${words}`, "i"), "glob pattern="],
  [/\bfind (?:all )?files\b/i, "glob"],
  [new RegExp(`\\b(?:create|write):? ${file}`, "i"), "newfile path="],
  [new RegExp(`\\b(?:edit|change|update):? ${file}`, "i"), "edit path="],
  [new RegExp(`\\b(?:delete|remove):? ${file}`, "i"), "delete path="],
  [new RegExp(`\\b(?:read|show|open):? ${file}`, "i"), "read path="]
]

/** @returns a script with its arguments; a prompt of one or two words that starts with a script's name is one, too. */
export const keywordScript = (text: string, isScript: (name: string) => boolean): string | undefined => {
  const short = /^([\w-]+)(?: \S+)?$/.exec(text.trim())
  if (short !== null && isScript(short[1] ?? "")) return text.trim()
  for (const [pattern, script] of rules) {
    const match = pattern.exec(text)
    if (match === null) continue
    const argument = match.slice(1).find((group) => group !== undefined)
    return argument === undefined ? script : `${script}${quoted(argument.trim())}`
  }
  return undefined
}

const quoted = (text: string): string => (text.includes('"') ? `'${text}'` : `"${text}"`)
