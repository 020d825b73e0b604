/** Commands that may leave the shell in another folder. */
import { forEachChild, type Command, type SyntaxNode } from "unbash"
import * as Words from "./Words.ts"

const movers: ReadonlySet<string> = new Set([
  "cd",
  "pushd",
  "popd",
  "eval",
  "source",
  ".",
  "command",
  "builtin",
  "trap"
])

/** Deeper lines may do anything. */
const deepest = 300

/** Finds moves in the structure of one line, each node once. */
export class Moves {
  readonly #known = new Map<SyntaxNode, boolean>()

  /** Whether this part of the line may change the shell's folder. A subshell and a pipe have folders of their own. */
  within(node: SyntaxNode, depth = 0): boolean {
    const known = this.#known.get(node)
    if (known !== undefined) return known
    const moves = depth > deepest || this.#look(node, depth)
    this.#known.set(node, moves)
    return moves
  }

  /** Whether a function of this part moves when it is called. One with the name of a builtin may do anything. */
  byFunction(node: SyntaxNode, depth = 0): boolean {
    if (depth > deepest) return true
    if (node.type === "Function") {
      const seen = Words.of(node.name).word
      if (seen.type !== "literal" || movers.has(seen.value) || seen.value === "exit" || this.within(node.body))
        return true
    }
    if (!isStructure(node)) return false
    let found = false
    forEachChild(node, (child) => {
      found ||= this.byFunction(child, depth + 1)
    })
    return found
  }

  #look(node: SyntaxNode, depth: number): boolean {
    if (node.type === "Command") return isMove(node)
    if (node.type === "Subshell" || node.type === "Coproc" || !isStructure(node)) return false
    if (node.type === "Statement" && node.background === true) return false
    if (node.type === "Pipeline" && node.commands.length > 1) return false
    let found = false
    forEachChild(node, (child) => {
      found ||= this.within(child, depth + 1)
    })
    return found
  }
}

/** Whether a simple command may change the folder. */
export const isMove = ({ name }: Command): boolean => {
  if (name === undefined) return false
  const { word } = Words.of(name)
  return word.type !== "literal" || movers.has(word.value)
}

const structures: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>([
  "Script",
  "Statement",
  "CompoundList",
  "AndOr",
  "Pipeline",
  "Redirected",
  "If",
  "Elif",
  "For",
  "ArithmeticFor",
  "Select",
  "While",
  "Case",
  "CaseItem",
  "Function",
  "BraceGroup",
  "Subshell",
  "Coproc"
])

const isStructure = (node: SyntaxNode): boolean => structures.has(node.type)
