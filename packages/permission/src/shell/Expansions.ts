/** Expansions, arithmetic and tests that evaluate text as commands, or that shells read in different ways. */
import type {
  CommandExpansionPart,
  ParameterExpansionPart,
  ParameterSliceOperation,
  SyntaxNode,
  TestBinaryExpression,
  TestExpression,
  Word as ParsedWord
} from "unbash"
import { isInteger, isPlainName, whyNotAssigned } from "./Variables.ts"
import * as Words from "./Words.ts"

const evaluates = "evaluates text that is known when it runs only, commands in it too"
const differs = "is read otherwise by other shells"

/** Why nobody can say what this part of a line does; of its children nothing is said. `isQuoted`: inside of double quotes or a heredoc. */
export const whyUnknown = (node: SyntaxNode, isQuoted: boolean): string | undefined => {
  if (node.type === "ParameterExpansion")
    return ofParameter(node) ?? (isQuoted && /['"\\`]|[<>]\(/.test(node.text) ? differs : undefined)
  if (node.type === "CommandExpansion") return ofCommand(node)
  if (node.type === "ArithmeticExpansion" || node.type === "ArithmeticCommand")
    return node.expression === undefined ? evaluates : undefined
  if (node.type === "ArithmeticWord") return isNumber(node.value) ? undefined : evaluates
  if (node.type === "ArithmeticCommandExpansion") return evaluates
  if (node.type === "TestUnary")
    return /^-[vR]$/.test(node.operator) && !isPlainName(node.operand.text) ? evaluates : undefined
  if (node.type === "TestBinary") return ofTest(node)
  return isReadOtherwise(node) ? differs : undefined
}

const isReadOtherwise = (node: SyntaxNode): boolean => {
  if (node.type === "AnsiCQuoted") return !plainEscapes.test(node.text)
  if (node.type === "Subshell") return beginsWithSubshell(node)
  // Bash itself runs another program for it in a substitution.
  if (node.type === "Coproc") return true
  if (node.type === "TestLogical") return !node.operands.slice(1).every(beginsWithOperator)
  if (node.type === "HereDoc")
    return node.closing === undefined || !/^(?:\\?[\w.-]+|'[\w.-]+'|"[\w.-]+")$/.test(node.delimiter?.text ?? "")
  return node.type === "ExtendedGlob"
}

/** Escapes with one meaning. A quote behind a backslash ends the text in a shell that knows no `$'`. */
const plainEscapes =
  /^\$'(?:[^\\]|\\(?:[abeEfnrtv\\"?]|x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}))*'$/

/** `$((` begins arithmetic, until it turns out to be none. `${ ` runs commands in new versions only. */
const ofCommand = ({ text }: CommandExpansionPart): string | undefined => {
  const isPlain = text.startsWith("`") ? !text.includes("\\") : text.startsWith("$(") && !text.startsWith("$((")
  return isPlain ? undefined : differs
}

const ofParameter = ({ index, operation, parameter, prefix }: ParameterExpansionPart): string | undefined => {
  const isList = index !== undefined && /^[@*]$/.test(index.text)
  if (prefix === "!" && operation?.type !== "Names" && !isList)
    return "names a variable that is known when it runs only"
  if (!/^(?:[A-Za-z_]\w*|\d+|[@*#?$!-])$/.test(parameter)) return evaluates
  if (index !== undefined && !isList && !isInteger(index.text)) return evaluates
  if (operation?.type === "Default" && operation.operator.endsWith("=")) return whyNotAssigned(parameter)
  // The parser ends a pattern at the first slash, in substitutions too.
  if (operation?.type === "Replace" && /[`({]/.test(operation.pattern.text + operation.replacement.text))
    return "holds a substitution that can't be read"
  if (operation?.type === "Slice") return isSliced(operation) ? undefined : evaluates
  if (operation?.type === "Transform") return /^[QEUuLAaKk]$/.test(operation.operand.text) ? undefined : evaluates
  return operation?.type === "Unknown" ? evaluates : undefined
}

const isSliced = ({ length, offset }: ParameterSliceOperation): boolean =>
  [offset, length].every((word) => word === undefined || isNumber(word.text.trim()))

/** A number, or an expansion that can be nothing else. */
const isNumber = (text: string): boolean =>
  isInteger(text) || /^\$[#?$!]$|^\$\{#(?:[A-Za-z_]\w*(?:\[[@*]\])?|[@*])?\}$/.test(text)

/** `((` is arithmetic in one shell and a subshell in a subshell in another. */
const beginsWithSubshell = (node: Extract<SyntaxNode, { readonly type: "Subshell" }>): boolean => {
  let first: SyntaxNode | undefined = node.body.commands[0]?.command
  while (first?.type === "AndOr" || first?.type === "Pipeline") first = first.commands[0]
  if (first?.type === "Redirected") first = first.command
  return first?.type === "Subshell" && first.pos === node.pos + 1
}

const comparisons: ReadonlySet<string> = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"])

const ofTest = ({ left, operator, right }: TestBinaryExpression): string | undefined => {
  if (comparisons.has(operator)) return [left, right].every(isNumberWord) ? undefined : evaluates
  if (operator === "<" || operator === ">") return differs
  // A shell without `[[` sees a pipe or a list in `[[ $x =~ a|b ]]`, and an error in `[[ $x =~ ^(a|b) ]]`.
  const bare = (right.parts ?? []).map((part) => (part.type === "Literal" ? part.text : "")).join("")
  const sign = /[|&;<>()]/.exec((right.parts === undefined ? right.text : bare).replaceAll(/\\[^]/g, ""))?.[0]
  return sign === undefined || sign === "(" ? undefined : differs
}

const isNumberWord = (word: ParsedWord): boolean => {
  const seen = Words.of(word).word
  return (seen.type === "literal" && isInteger(seen.value)) || isNumber(word.text.replaceAll('"', ""))
}

/** A shell without `[[` takes what is behind `&&` for a command. There is none whose name begins with a dash. */
const beginsWithOperator = (test: TestExpression): boolean =>
  (test.type === "TestUnary" && test.operand.pos > test.pos) ||
  (test.type === "TestNot" && beginsWithOperator(test.operand))
