/** Programs whose own small language can run other programs, and write or read files that no argument names. */
import * as SedScript from "./SedScript.ts"
import type { SeenWord } from "./Words.ts"

type Check = (args: ReadonlyArray<string | undefined>) => string | undefined

const mayRun = "has a script that may run programs, or open other files"

/** Text of an option that holds a script, or undefined for an option without one. `null`: an option that can't be seen through. */
type Taken = { readonly script?: string | undefined; readonly next?: true } | null

/** Goes through arguments: options first and last, for programs that take them anywhere. `undefined` is an unknown argument. */
const scriptsOf = (
  args: ReadonlyArray<string | undefined>,
  take: (option: string, next: string | undefined) => Taken
): ReadonlyArray<string | undefined> | null => {
  const scripts: Array<string | undefined> = []
  const operands: Array<string | undefined> = []
  let hasScript = false
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]
    if (arg === "--") {
      operands.push(...args.slice(at + 1))
      break
    }
    if (arg === undefined || !/^-./.test(arg)) {
      operands.push(arg)
      continue
    }
    const taken = take(arg, args[at + 1])
    if (taken === null) return null
    if (taken.next === true) at += 1
    if ("script" in taken) {
      hasScript = true
      scripts.push(taken.script)
    }
  }
  // An empty text behind -i belongs to the option in some versions, and is the script in others.
  if (!hasScript) scripts.push(...operands.slice(0, operands[0] === "" ? 2 : 1))
  return scripts
}

const sedOption = (option: string, next: string | undefined): Taken => {
  if (
    /^--(?:quiet|silent|regexp-extended|separate|unbuffered|null-data|posix|sandbox|debug|version|help)$/.test(option)
  )
    return {}
  if (/^--in-place(?:=|$)/.test(option)) return {}
  if (option.startsWith("--expression=")) return { script: option.slice("--expression=".length) }
  if (option === "--expression") return { script: next, next: true }
  const [, rest] = /^-[nErsuz]*([ei].*)?$/s.exec(option) ?? [undefined, "?"]
  if (rest === undefined || rest.startsWith("i")) return {}
  if (!rest.startsWith("e")) return null
  return rest === "e" ? { script: next, next: true } : { script: rest.slice(1) }
}

const sed: Check = (args) => {
  const scripts = scriptsOf(args, sedOption)
  if (scripts === null) return mayRun
  return scripts.every((script) => script === undefined || SedScript.onlyEdits(script)) ? undefined : mayRun
}

const awkOption = (option: string): Taken => {
  if (option === "-F" || option === "-v") return { next: true }
  if (/^-[Fv]./s.test(option) || /^--(?:version|help)$/.test(option)) return {}
  return null
}

const awk: Check = (args) => {
  const scripts = scriptsOf(args, awkOption)
  if (scripts === null) return mayRun
  return scripts.every((script) => script === undefined || onlyPrints(script)) ? undefined : mayRun
}

/** Signs and names with which awk leaves its input and its output. A comparison with `>` may be a file, too. */
const onlyPrints = (program: string): boolean =>
  !/[|>@]|\\\n|system|getline|ARGV|ENVIRON|PROCINFO|SYMTAB|FUNCTAB/.test(
    program.replaceAll("||", "").replaceAll(">=", "")
  )

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...["sed", "gsed"].map((name) => [name, sed] as const),
  ...["awk", "gawk", "mawk", "nawk", "original-awk"].map((name) => [name, awk] as const)
])

/** Why nobody can say what a program of this name does with these arguments. Undefined where the name isn't one of these programs. */
export const whyUnknown = (name: string, args: ReadonlyArray<SeenWord>): string | undefined =>
  checks.get(name.slice(name.lastIndexOf("/") + 1).toLowerCase())?.(
    args.map(({ word }) => (word.type === "literal" ? word.value : undefined))
  )
