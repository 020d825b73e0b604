/** Forms of parts of a line that shells read in ways of their own. */
import type { Command, ParsedScript, Redirection, SyntaxNode } from "unbash"

/** A redirection that runs its command in the background in shells that don't know it. */
export const isBackground = ({ operator }: Redirection): boolean => operator === "&>" || operator === "&>>"

/** Whether the name or an argument of a command stands behind this place. */
export const hasWordBehind = ({ name, suffix }: Command, end: number): boolean =>
  (name !== undefined && name.pos >= end) || suffix.some(({ pos, type }) => pos >= end && type === "Word")

const branches: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>([
  "If",
  "Elif",
  "For",
  "ArithmeticFor",
  "Select",
  "While",
  "Case",
  "CaseItem"
])

/** A part whose pieces run once, often, or never. */
export const isBranch = ({ type }: SyntaxNode): boolean => branches.has(type)

/** A part whose text is taken as in double quotes. */
export const isQuoting = ({ type }: SyntaxNode): boolean =>
  type === "DoubleQuoted" || type === "LocaleString" || type === "HereDocBody"

/** One simple command and nothing else. */
export const isSimple = ({ commands }: ParsedScript): boolean =>
  commands.length === 1 && commands[0]?.command.type === "Command" && commands[0].background !== true

/** A keyword behind a redirection is a name; bash takes it for a keyword when it reads a substitution again. */
export const isReserved = (text: string): boolean =>
  /^(?:[!{}]|\[\[|\]\]|case|coproc|do|done|elif|else|esac|fi|for|function|if|in|select|then|time|until|while)$/.test(
    text
  )

/** The parser makes words of their own of `x<(a)y`, which is one word. */
export const isGlued = (items: Command["suffix"]): boolean =>
  items.some((item, index) => {
    const next = items[index + 1]
    return (next?.type === "Word" || next?.type === "Assignment") && next.pos === item.end
  })
