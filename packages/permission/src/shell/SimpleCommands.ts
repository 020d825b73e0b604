/** What a simple command runs, and where it leaves the shell, as far as its words show it. */
import * as Builtins from "./Builtins.ts"
import { both, joined, type Folder, type Outcome } from "./Folders.ts"
import * as Scripts from "./Scripts.ts"
import type { SeenWord } from "./Words.ts"
import * as Wrappers from "./Wrappers.ts"

/** Why nobody can say what a simple command runs. */
export const whyUnknown = ({ word }: SeenWord, args: ReadonlyArray<SeenWord>): string | undefined => {
  if (word.type !== "literal") return "names a program that is known when it runs only"
  const { value } = word
  const [first] = args
  // `command -v` says where a program is.
  if (value === "command" && first?.word.type === "literal" && /^-[vV]$/.test(first.word.value)) return undefined
  if (value.startsWith("-")) return "is read otherwise by other shells"
  const options = Wrappers.runningOptions(value)
  if (options !== undefined && args.some((arg) => mayBeOption(arg, options)))
    return "runs programs or changes files for what it finds"
  return Wrappers.whyUnknown(value) ?? Builtins.whyUnknown(value, args) ?? Scripts.whyUnknown(value, args)
}

/** Unknown text may be such an option, unless it begins with something else and stays one word. */
const mayBeOption = ({ isOne, leading, word }: SeenWord, options: RegExp): boolean => {
  switch (word.type) {
    case "literal":
      return options.test(word.value)
    case "pattern":
      return (leading === "" || leading.startsWith("-")) && !/\.\w+$/.test(word.text)
    case "home":
      return false
    case "unknown":
      return !isOne || leading === "" || leading.startsWith("-")
  }
}

/** Whether the shell ends with this command, whatever happens. */
export const endsShell = ({ word }: SeenWord, args: ReadonlyArray<SeenWord>): boolean =>
  word.type === "literal" &&
  word.value === "exit" &&
  args.length < 2 &&
  args.every((arg) => arg.word.type === "literal" && /^\d+$/.test(arg.word.value))

/** The folder after a command that moves the shell. */
export const moved = ({ word }: SeenWord, args: ReadonlyArray<SeenWord>, folder: Folder): Outcome => {
  const [path] = args
  const isPlain =
    word.type === "literal" &&
    word.value === "cd" &&
    args.length === 1 &&
    path?.word.type === "literal" &&
    /^[^-+]/.test(path.word.value)
  if (!isPlain) return both(null)
  return { success: joined(folder, path.word.value), failure: folder }
}
