/** Builds that break a promise on purpose. The checks of that promise have to catch them. */
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"

interface Change {
  /** The path of a source file of the server, below `src`. */
  readonly file: string
  readonly from: string
  readonly to: string
}

/** True for each piece whose number is a multiple of this one. */
const each = (number: number): string => `(globalThis.pieces = (globalThis.pieces ?? 0) + 1) % ${number} === 0`

export const mutants = {
  /**
   * Shows every piece of text, but does not store each third. A busy machine joins pieces: few are left to be stored.
   * `orchestration/log` finds losses that are rarer.
   */
  "drops pieces before the disk": {
    file: "orchestration/PendingEvents.ts",
    from: "pending.push(entry)",
    to: `if (${each(3)}) continue; pending.push(entry)`
  },
  /** Neither shows nor stores each fortieth piece of text. */
  "drops pieces of agents": {
    file: "provider/acp/projection/MessageProjection.ts",
    from: 'if (piece === "") return',
    to: `if (piece === "" || ${each(40)}) return`
  }
} satisfies Record<string, Change>

export type Mutant = keyof typeof mutants

const isMutant = (name: string): name is Mutant => name in mutants

/** Replaces the file in all imports from now on. */
export const become = (name: string): void => {
  if (!isMutant(name)) throw new Error(`There is no mutant “${name}”.`)
  const { file, from, to } = mutants[name]
  const url = new URL(`../src/${file}`, import.meta.url).href
  const original = readFileSync(fileURLToPath(url), "utf8")
  if (original.split(from).length !== 2)
    throw new Error(`${file} does not hold “${from}” once: the mutant is out of date.`)
  registerHooks({
    load: (asked, context, next) =>
      asked === url
        ? { format: "module-typescript", source: original.replace(from, () => to), shortCircuit: true }
        : next(asked, context)
  })
}
