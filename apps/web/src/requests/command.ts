/**
 * Reads a shell command as parts that run in sequence or in parallel, without running or guessing anything. What it
 * can't divide safely stays one part with a reason. Every character of the command is in exactly one part or operator.
 */

export type Operator = "&&" | "||" | ";" | "|" | "|&" | "&" | "\n"

export interface CommandPart {
  /** The operator between this part and the one before it. Missing for the first. */
  readonly operator?: Operator
  /** The text as written, without surrounding blanks. */
  readonly text: string
  /** What Signalbox did not examine. */
  readonly notes: ReadonlyArray<string>
}

export interface CommandReading {
  readonly parts: ReadonlyArray<CommandPart>
  /** Why the command was not divided. */
  readonly unread?: string
}

const operators: ReadonlyArray<Operator> = ["&&", "||", "|&", ";", "|", "&", "\n"]

/** Most parts. Nobody reads a longer list. */
const mostParts = 500

/**
 * Splits at `&&`, `||`, `;`, `|`, `|&`, `&` and line breaks. Quotes, substitutions and groups stay whole (POSIX shell,
 * 2.2 to 2.9). The cost grows with the length of the command, not with the depth of nesting.
 */
export const readCommand = (command: string): CommandReading => {
  if (hasHereDocument(command))
    return whole(command, "It carries a text for the command (a here-document), so it is shown in one piece.")
  const parts: Array<CommandPart> = []
  let from = 0
  let operator: Operator | undefined
  const push = (to: number) => {
    const text = command.slice(from, to).trim()
    if (text === "") return
    parts.push({ ...(operator !== undefined && parts.length > 0 && { operator }), text, notes: notesOn(text) })
  }
  const open: Array<Closer> = []
  for (let at = 0; at < command.length;) {
    const step = stepAt(command, at, open)
    if (step === undefined) return whole(command, notClosed)
    const found = step === at && open.length === 0 ? operatorAt(command, at) : undefined
    if (found === undefined) {
      at = Math.max(step, at + 1)
      continue
    }
    push(at)
    if (parts.length > mostParts)
      return whole(command, `It has more than ${mostParts} parts, so it is shown in one piece.`)
    // A line break directly after another operator separates nothing.
    const continues = found === "\n" && command.slice(from, at).trim() === ""
    if (!continues) operator = found
    at += found.length
    from = at
  }
  if (open.length > 0) return whole(command, notClosed)
  push(command.length)
  return { parts }
}

const notClosed = "A quote or a bracket is opened and not closed, so it is shown in one piece."

/** The end of the open construct. */
type Closer = ")" | "}" | '"'

const whole = (command: string, unread: string): CommandReading => ({
  parts: [{ text: command.trim(), notes: notesOn(command) }],
  unread
})

/**
 * Whether a command has a here-document, whose text may contain quotes and brackets. Shifts in arithmetic and
 * here-strings look similar.
 */
const hasHereDocument = (command: string): boolean =>
  /(?<!<)<<(?!<)-?\s*["'\\]*\w/.test(command.replaceAll(/\(\([^()]*\)\)/g, ""))

/**
 * The offset after the construct at `at`. For a plain character that is the next one; undefined for a quote without an
 * end. A construct that can contain others is pushed on `open`, and popped at its end.
 */
const stepAt = (command: string, at: number, open: Array<Closer>): number | undefined => {
  const character = command[at]
  const closer = open.at(-1)
  if (character === closer) {
    open.pop()
    return at + 1
  }
  const enter = (end: Closer, length: number): number => {
    open.push(end)
    return at + length
  }
  if (character === "\\") return Math.min(at + 2, command.length)
  if (character === "`") return backquoted(command, at + 1)
  if (character === "$" && command[at + 1] === "{") return enter("}", 2)
  if (character === "$" && command[at + 1] === "(") return enter(")", 2)
  if (closer === '"') return at
  if (character === "'") return after(command.indexOf("'", at + 1))
  if (character === "$" && command[at + 1] === "'") return ansiQuoted(command, at + 2)
  if (character === '"') return enter('"', 1)
  if (character === "(") return enter(")", 1)
  // A group begins only at the start of a word and before a blank: `{ a; b; }`, not `{a,b}`.
  if (character === "{" && startsWord(command, at) && /\s/.test(command[at + 1] ?? "")) return enter("}", 1)
  if (character === "#" && startsWord(command, at)) {
    const end = command.indexOf("\n", at)
    return end === -1 ? command.length : end
  }
  return at
}

const after = (index: number): number | undefined => (index === -1 ? undefined : index + 1)

const startsWord = (command: string, at: number): boolean => at === 0 || /[\s;&|()]/.test(command[at - 1] ?? "")

/** Finds an end that a backslash can escape. */
const endedBy =
  (end: string) =>
  (command: string, from: number): number | undefined => {
    for (let at = from; at < command.length; at++) {
      if (command[at] === "\\") at++
      else if (command[at] === end) return at + 1
    }
    return undefined
  }
const ansiQuoted = endedBy("'")
const backquoted = endedBy("`")

const operatorAt = (command: string, at: number): Operator | undefined => {
  const found = operators.find((operator) => command.startsWith(operator, at))
  // `>|` overwrites, `>&` and `<&` join streams, `&>` redirects both to a file: none of them starts a command.
  const before = command[at - 1]
  if (found === "|" && before === ">") return undefined
  if (found === "&" && (before === ">" || before === "<" || command[at + 1] === ">")) return undefined
  return found
}

const notesOn = (text: string): ReadonlyArray<string> => {
  const notes: Array<string> = []
  const bare = text.replaceAll(/\\.|'[^']*'/gs, "")
  if (/\$\((?!\()|`|[<>]\(/.test(bare)) notes.push("Puts in what another command prints.")
  if (/^\s*[({]/.test(bare)) notes.push("A group of commands, not taken apart.")
  if (/(^|[\s;&|(])(eval|source|\.)\s/.test(bare) || /(^|\s)(ba|z|da|k)?sh\s+-\w*c\b/.test(bare))
    notes.push("Runs a text as a command.")
  return notes
}

/** When a part runs, for the operator before it. */
export const runsWhen = (operator: Operator): string => {
  switch (operator) {
    case "&&":
      return "Only if what stands before it succeeds."
    case "||":
      return "Only if what stands before it fails."
    case ";":
    case "\n":
      return "Afterwards, however that ends."
    case "|":
      return "Reads what the part before it prints."
    case "|&":
      return "Reads what the part before it prints, errors too."
    case "&":
      return "At once, while the part before it runs on."
  }
}

/** Most UTF-16 units of a part whose program is marked. */
const longestLookedInto = 10_000

/** The program of a part: its first word after the variables that are set for it. */
export const programOf = (
  text: string
): { readonly before: string; readonly program: string; readonly rest: string } => {
  if (text.length > longestLookedInto) return { before: "", program: "", rest: text }
  const match = /^((?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|[^\s"'])*\s+)*)([^\s"'$`(){}]+)(?=\s|$)/.exec(text)
  if (!match) return { before: "", program: "", rest: text }
  const before = match[1] ?? ""
  const program = match[2] ?? ""
  return { before, program, rest: text.slice(before.length + program.length) }
}
