/** What a redirection opens. */
import type { Redirect } from "unbash"
import type { Redirection } from "./ShellReading.ts"
import * as Words from "./Words.ts"

interface Opened {
  /** The files, without the folder in which their paths begin. */
  readonly files: ReadonlyArray<Pick<Redirection, "access" | "target">>
  readonly obstacle: string | undefined
}

const nothing: Opened = { files: [], obstacle: undefined }

export const of = ({ operator, target }: Redirect): Opened => {
  if (target === undefined) return { files: [], obstacle: "has no target" }
  // Bash ends the redirection behind `>&-`, whatever follows.
  if (/^[<>]&$/.test(operator) && /^-./.test(target.text))
    return { files: [], obstacle: "has a target that can't be read" }
  const { word } = Words.of(target)
  if (word.type === "literal") {
    if (isDuplicate(operator, word.value) || isDevice(word.value)) return nothing
    if (/^\/dev\/(?:tcp|udp)\//.test(word.value))
      return { files: [], obstacle: "opens a connection to another machine" }
  }
  // The shell opens a pipe to the command.
  const only = target.parts?.length === 1 ? target.parts[0] : undefined
  if (only?.type === "ProcessSubstitution") return nothing
  return {
    files: accesses(operator).map((access) => ({ access, target: word })),
    obstacle: word.type === "unknown" ? "opens a file that is known when it runs only" : undefined
  }
}

const isDuplicate = (operator: Redirect["operator"], target: string): boolean =>
  (operator === ">&" || operator === "<&") && /^(?:\d+-?|-)$/.test(target)

/** Files that hold nothing, and descriptors and terminals that are open anyway. */
const isDevice = (target: string): boolean => /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/.test(target)

const accesses = (operator: Redirect["operator"]): ReadonlyArray<Redirection["access"]> => {
  if (operator === "<>") return ["read", "write"]
  return operator === "<" || operator === "<&" ? ["read"] : ["write"]
}
