/** Arguments of builtins that give variables values or that evaluate text. */
import { isPlainName, whyNotAssigned } from "./Variables.ts"
import type { SeenWord } from "./Words.ts"

const evaluates = "evaluates text that is known when it runs only, commands in it too"
const unclear = "has arguments that are known when it runs only"
const changesReading = "changes how the rest of the line is read"

/** Why nobody can say what a command of this name with these arguments does. Undefined too where the name isn't one of these builtins. */
export const whyUnknown = (name: string, args: ReadonlyArray<SeenWord>): string | undefined => checks.get(name)?.(args)

type Check = (args: ReadonlyArray<SeenWord>) => string | undefined

const valueOf = ({ word }: SeenWord): string | undefined => (word.type === "literal" ? word.value : undefined)

interface Options {
  readonly letters: ReadonlySet<string>
  readonly values: ReadonlyArray<readonly [letter: string, value: SeenWord]>
  readonly operands: ReadonlyArray<SeenWord>
}

/** Reads options as builtins do. `known`: each letter, with a colon behind it if it takes a value. Undefined: this can't be said. */
const options = (args: ReadonlyArray<SeenWord>, known: string): Options | undefined => {
  const letters = new Set<string>()
  const values: Array<readonly [string, SeenWord]> = []
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]
    if (arg === undefined) break
    const value = valueOf(arg)
    // Unknown text may be an option, unless it begins with something else.
    if (value === undefined && (arg.leading === "" || /^[-+]/.test(arg.leading))) return undefined
    if (value === "--") return { letters, values, operands: args.slice(at + 1) }
    if (value === undefined || !/^-./.test(value)) return { letters, values, operands: args.slice(at) }
    for (let index = 1; index < value.length; index += 1) {
      const letter = value.charAt(index)
      const place = known.indexOf(letter)
      if (place === -1 || letter === ":") return undefined
      letters.add(letter)
      if (known[place + 1] !== ":") continue
      const rest = value.slice(index + 1)
      if (rest === "") at += 1
      const taken: SeenWord | undefined =
        rest === "" ? args[at] : { word: { type: "literal", value: rest }, leading: rest, isOne: true }
      if (taken?.isOne !== true) return undefined
      values.push([letter, taken])
      break
    }
  }
  return { letters, values, operands: [] }
}

/** A word that names a variable to be set. */
const whyNotTarget = (target: SeenWord): string | undefined => {
  const value = valueOf(target)
  return value === undefined ? unclear : whyNotAssigned(value)
}

const firstOf = (reasons: ReadonlyArray<string | undefined>): string | undefined =>
  reasons.find((reason) => reason !== undefined)

/** A builtin that sets the variables which options and operands name. */
const sets =
  (
    known: string,
    optionsThatSet: string,
    operandsThatSet: (operands: ReadonlyArray<SeenWord>) => ReadonlyArray<SeenWord>
  ): Check =>
  (args) => {
    const read = options(args, known)
    if (read === undefined) return unclear
    const named = read.values.filter(([letter]) => optionsThatSet.includes(letter)).map(([, value]) => value)
    return firstOf([...named, ...operandsThatSet(read.operands)].map(whyNotTarget))
  }

const all = <T>(list: ReadonlyArray<T>): ReadonlyArray<T> => list
const none = (): ReadonlyArray<SeenWord> => []

/** `declare` and its likes. An integer's value is evaluated; a reference gives another variable the value. */
const declares =
  (known: string, evaluated: ReadonlyArray<string> = ["i", "n"]): Check =>
  (args) => {
    const plain = args.filter((arg) => !/^\+./.test(arg.leading))
    const switchedOff = args.filter((arg) => /^\+./.test(arg.leading))
    if (switchedOff.some((arg) => !/^\+[aAfFgIlrtux]+$/.test(valueOf(arg) ?? ""))) return unclear
    const read = options(plain, known)
    if (read === undefined) return unclear
    if (evaluated.some((letter) => read.letters.has(letter))) return evaluates
    const isArray = read.letters.has("a") || read.letters.has("A")
    return firstOf(read.operands.map((operand) => whyNotDeclared(operand, isArray)))
  }

/** Text in brackets that becomes an array's value is read as words of the line, with their substitutions. */
const whyNotDeclared = (operand: SeenWord, isArray: boolean): string | undefined => {
  const text = valueOf(operand)
  if (text === undefined) {
    if (!operand.isOne || (isArray && operand.leading.includes("="))) return evaluates
    // The name alone is what is known of an assignment that is looked at where the line is walked through.
    const name = operand.leading.replace(/\+?=.*$/s, "")
    return isPlainName(name) ? whyNotAssigned(name) : unclear
  }
  if (text === "-") return undefined
  // The variable itself gets into the environment of programs, and its value is not known here.
  if (isPlainName(text)) return whyNotAssigned(text)
  const [, target, value] = /^([^=]*?)\+?=(.*)$/s.exec(text) ?? []
  if (target === undefined) return evaluates
  return value?.startsWith("(") === true ? evaluates : whyNotAssigned(target, text.includes("+=") ? undefined : value)
}

/** An expression of `[`. Behind `-v` stands the name of a variable, and its subscript is evaluated. Unknown text may be `-v`. */
const tests: Check = (args) => {
  const isName = (arg: SeenWord | undefined) => {
    const value = arg === undefined ? "a" : valueOf(arg)
    return value !== undefined && (isPlainName(value) || !value.includes("["))
  }
  for (const [index, arg] of args.entries()) {
    const value = valueOf(arg)
    if (!arg.isOne) return unclear
    const mayBeOperator =
      value === undefined ? "-v".startsWith(arg.leading.slice(0, 2)) && !isSafe(arg) : /^-[vR]$/.test(value)
    if (mayBeOperator && !isName(args[index + 1])) return evaluates
  }
  return undefined
}

/** Numbers: how many arguments, the last status, the ids of processes. */
const isSafe = ({ word }: SeenWord): boolean => word.type === "unknown" && /^"?\$[#?$!]"?$/.test(word.text)

const safeSettings = /^(?:errexit|nounset|pipefail|xtrace|noclobber|noglob|errtrace|functrace|verbose|notify)$/
const safeShopt = /^(?:nullglob|failglob|inherit_errexit)$/

const setting: Check = (args) => {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]
    const value = arg === undefined ? undefined : valueOf(arg)
    if (value === undefined) return at === 0 || arg?.leading === "" ? unclear : undefined
    if (value === "--" || value === "-" || !/^[-+]/.test(value)) return undefined
    if (!/^[-+][euxvCfbnETo]+$/.test(value)) return changesReading
    if (!value.includes("o")) continue
    at += 1
    const option = args[at]
    if (option !== undefined && !safeSettings.test(valueOf(option) ?? "-")) return changesReading
  }
  return undefined
}

const printing: Check = (args) => {
  const read = options(args, "v:")
  if (read === undefined) return unclear
  return firstOf(read.values.map(([, value]) => whyNotTarget(value)))
}

const unsetting: Check = (args) => {
  const read = options(args, "fvn")
  if (read === undefined) return unclear
  return firstOf(read.operands.map(whyNotTarget))
}

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["read", sets("rsea:d:i:n:N:p:t:u:E", "a", all)],
  ["mapfile", sets("d:n:O:s:tu:", "", all)],
  ["readarray", sets("d:n:O:s:tu:", "", all)],
  ["getopts", (args) => sets("", "", (operands) => operands.slice(1, 2))(args)],
  ["wait", (args) => (args.every(isSafe) ? undefined : sets("fnp:", "p", none)(args))],
  ["printf", printing],
  ["unset", unsetting],
  ["export", declares("fnp", [])],
  ["readonly", declares("aAfp")],
  ["declare", declares("aAfFgIilnprtux")],
  ["typeset", declares("aAfFgIilnprtux")],
  ["local", declares("aAfFgIilnprtux")],
  ["test", tests],
  ["[", tests],
  ["set", setting],
  [
    "shopt",
    (args) =>
      args.every((arg) => /^-[supqo]+$/.test(valueOf(arg) ?? "") || safeShopt.test(valueOf(arg) ?? "-"))
        ? undefined
        : changesReading
  ],
  ["jobs", (args) => (args.every((arg) => /^(?:-[lnprs]+|%\w+)$/.test(valueOf(arg) ?? "")) ? undefined : unclear)]
])
