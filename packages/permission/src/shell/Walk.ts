/** Walks through a parsed line as a shell would run it, and writes down what it finds. */
import {
  forEachChild,
  type AndOr,
  type Assignment,
  type Command,
  type ParsedScript,
  type Pipeline,
  type Redirection as ParsedRedirection,
  type SyntaxNode,
  type Word as ParsedWord
} from "unbash"
import * as Expansions from "./Expansions.ts"
import { after, both, merged, type Folder, type Outcome } from "./Folders.ts"
import { cut } from "./Limits.ts"
import { isMove, Moves } from "./Moves.ts"
import * as Remains from "./Remains.ts"
import * as Redirections from "./Redirections.ts"
import type { Obstacle, Redirection, ShellReading, SimpleCommand } from "./ShellReading.ts"
import * as Shapes from "./Shapes.ts"
import * as SimpleCommands from "./SimpleCommands.ts"
import { isInteger, whyNotAssigned } from "./Variables.ts"
import * as Words from "./Words.ts"

/** Deeper lines are not followed. The parser stops at 256 with an error, but goes on in other ways. */
const deepest = 400

export const walk = (script: ParsedScript, line: string): ShellReading => {
  const walker = new Walker(line)
  walker.script(script, ".")
  const { commands, obstacles, redirections } = walker
  return { commands, redirections, obstacles }
}

class Walker {
  readonly commands: Array<SimpleCommand> = []
  readonly redirections: Array<Redirection> = []
  readonly obstacles: Array<Obstacle> = []
  readonly #moves = new Moves()
  /** What positions point into: the line, or the text of a substitution in backquotes. */
  #source: string
  #depth = 0
  /** Bash reads a substitution twice, and loses its place behind a heredoc in more than one simple command. */
  #mayHoldHeredoc = true
  /** Process substitutions that are a whole word. In other places the parser and shells don't agree on their ends. */
  readonly #whole = new Set<SyntaxNode>()
  /** Signs between words that are set for the builtin `read` alone. */
  readonly #ofRead = new Set<SyntaxNode>()
  /** The folder before the list that is being walked through. */
  #before: Folder = "."
  /** A function moves when it is called, so that no folder is known. */
  #isLost = false

  constructor(line: string) {
    this.#source = line
  }

  script(script: ParsedScript, folder: Folder): Outcome {
    const outer = this.#source
    const mayHoldHeredoc = this.#mayHoldHeredoc
    this.#source = script.source ?? outer
    if (this.#depth > 0) this.#mayHoldHeredoc = Shapes.isSimple(script)
    for (const { message, pos } of script.errors ?? [])
      this.#block(this.#source.slice(Math.max(0, pos - 20), pos + 20), `can't be read: ${message}`)
    this.#isLost ||= this.#moves.byFunction(script)
    const outcome = this.#list(script.commands, folder)
    this.#source = outer
    this.#mayHoldHeredoc = mayHoldHeredoc
    return outcome
  }

  #block(text: string, why: string): void {
    this.obstacles.push({ text: cut(text), why })
  }

  #textOf({ end, pos }: { readonly pos: number; readonly end: number }): string {
    return this.#source.slice(pos, end)
  }

  #folder(folder: Folder): string | null {
    return this.#isLost ? null : (folder ?? null)
  }

  /** Some shells run in the background what stands before `&>`. The folder is then the one before it. */
  #orBefore({ failure, success }: Outcome): Outcome {
    return { success: merged(this.#before, success), failure: merged(this.#before, failure) }
  }

  #list(nodes: ReadonlyArray<SyntaxNode>, folder: Folder): Outcome {
    let outcome = both(folder)
    for (const node of nodes) outcome = this.#run(node, after(outcome))
    return outcome
  }

  #run(node: SyntaxNode, folder: Folder): Outcome {
    if (this.#depth > deepest) {
      this.#block(this.#textOf(node), "is nested too deeply")
      return both(null)
    }
    this.#depth += 1
    const outcome = this.#outcome(node, folder)
    this.#depth -= 1
    return outcome
  }

  #outcome(node: SyntaxNode, folder: Folder): Outcome {
    this.#check(node, false)
    if (node.type === "Command") return this.#command(node, folder)
    if (node.type === "CompoundList") return this.#list(node.commands, folder)
    if (node.type === "AndOr") return this.#andOr(node, folder)
    if (node.type === "Pipeline") return this.#pipeline(node, folder)
    if (node.type === "BraceGroup") return this.#run(node.body, folder)
    if (node.type === "Statement") {
      const before = this.#before
      this.#before = folder
      const outcome = this.#run(node.command, folder)
      this.#before = before
      return node.background === true ? both(folder) : outcome
    }
    if (node.type === "Redirected") {
      for (const redirection of node.redirects) this.#redirection(redirection, folder)
      const { failure, success } = this.#run(node.command, folder)
      const outcome = { success, failure: merged(folder, failure) }
      return node.redirects.some(Shapes.isBackground) ? this.#orBefore(outcome) : outcome
    }
    if (node.type === "Script") this.script(node, folder)
    else if (node.type === "Subshell") this.#run(node.body, folder)
    else if (node.type === "Function") {
      if (Words.of(node.name).word.type !== "literal") this.#block(this.#textOf(node), "has a name that can't be read")
      this.#run(node.body, null)
    } else if (node.type === "Coproc") {
      if (node.name !== undefined) this.#target(node.name.text, this.#textOf(node))
      this.#run(node.body, folder)
    } else if (Shapes.isBranch(node)) return this.#branch(node, folder)
    else this.#lookInto(node, folder, false)
    return both(folder)
  }

  #andOr({ commands, operators }: AndOr, folder: Folder): Outcome {
    let outcome: Outcome | undefined
    for (const [index, command] of commands.entries()) {
      if (outcome === undefined) outcome = this.#run(command, folder)
      else if (operators[index - 1] === "&&") {
        const { failure, success } = this.#run(command, outcome.success)
        outcome = { success, failure: merged(outcome.failure, failure) }
      } else {
        const { failure, success } = this.#run(command, outcome.failure)
        outcome = { success: merged(outcome.success, success), failure }
      }
    }
    return outcome ?? both(folder)
  }

  #pipeline({ commands, prefixes }: Pipeline, folder: Folder): Outcome {
    const outcomes = commands.map((command) => this.#run(command, folder))
    const [only] = outcomes
    if (only === undefined || outcomes.length > 1) return both(folder)
    const isNegated = prefixes.filter(({ type }) => type === "Negation").length % 2 === 1
    const { failure, success } = isNegated ? { success: only.failure, failure: only.success } : only
    // To a shell that has no `time` it is a program, which moves nothing.
    return prefixes.some(({ type }) => type === "Time")
      ? { success: merged(folder, success), failure: merged(folder, failure) }
      : { success, failure }
  }

  /** Which parts run, how often and in which order is known when it runs only. */
  #branch(node: SyntaxNode, folder: Folder): Outcome {
    if (node.type === "For" || node.type === "Select") this.#target(node.name.text, this.#textOf(node))
    const inside = this.#moves.within(node) ? null : folder
    forEachChild(node, (child) => {
      this.#run(child, inside)
    })
    return both(inside)
  }

  /** Looks at words, expansions, tests and arithmetic. Commands in them run in the same folder and don't move the shell. */
  #look(node: SyntaxNode, folder: Folder, isQuoted: boolean): void {
    if (node.type === "Script") {
      this.#run(node, folder)
      return
    }
    if (this.#depth > deepest) {
      this.#block(this.#textOf(node), "is nested too deeply")
      return
    }
    if (node.type === "Assignment") this.#assignment(node)
    if (node.type === "HereDoc" && !this.#mayHoldHeredoc)
      this.#block(this.#textOf(node), "has a text that bash may run as commands")
    this.#check(node, isQuoted)
    this.#depth += 1
    this.#lookInto(node, folder, isQuoted || Shapes.isQuoting(node))
    this.#depth -= 1
  }

  #lookInto(node: SyntaxNode, folder: Folder, isQuoted: boolean): void {
    forEachChild(node, (child) => {
      this.#look(child, folder, isQuoted)
    })
  }

  #check(node: SyntaxNode, isQuoted: boolean): void {
    if (node.type === "ProcessSubstitution" && !this.#whole.has(node))
      this.#block(this.#textOf(node), "is a process substitution in a word")
    if (Remains.holdsSubstitution(node, isQuoted)) this.#block(this.#textOf(node), "holds signs that can't be read")
    const why = Expansions.whyUnknown(node, isQuoted)
    if (why !== undefined) this.#block(this.#textOf(node), why)
  }

  #word(item: ParsedWord | Assignment, folder: Folder): void {
    const word = item.type === "Word" ? item : item.value
    if (word.type === "Word" && Remains.holdsSeparator(word)) this.#block(item.text, "holds signs that can't be read")
    if (item.type === "Word") this.#markWhole(item)
    this.#look(item, folder, false)
  }

  #markWhole({ parts }: ParsedWord): void {
    const [only] = parts ?? []
    if (parts?.length === 1 && only?.type === "ProcessSubstitution") this.#whole.add(only)
  }

  #target(target: string, text: string, value?: string): void {
    const why = whyNotAssigned(target, value)
    if (why !== undefined) this.#block(text, why)
  }

  #assignment(assignment: Assignment): void {
    const { index, name, text, value } = assignment
    if (!this.#ofRead.has(assignment)) this.#target(name, text, Words.assignedText(assignment))
    if (index !== undefined && !isInteger(index.text)) this.#block(text, "evaluates a subscript, commands in it too")
    if (value.type !== "ArrayValue") return
    for (const element of value.elements)
      if (element.text.startsWith("[") && !/^\[\d+\]/.test(element.text))
        this.#block(element.text, "evaluates a subscript, commands in it too")
  }

  #redirection(redirection: ParsedRedirection, folder: Folder): void {
    if (redirection.type !== "HereDoc" && redirection.target !== undefined) this.#markWhole(redirection.target)
    this.#look(redirection, folder, false)
    if (redirection.descriptor?.type === "FileDescriptorVariable")
      this.#block(this.#textOf(redirection), "is read otherwise by other shells")
    // The parser takes `{x[0]}` for a word, and bash takes it for the variable of a descriptor.
    if (this.#source.endsWith("]}", redirection.pos))
      this.#block(this.#textOf(redirection), "evaluates a subscript, commands in it too")
    if (redirection.type === "HereDoc") return
    if (redirection.target !== undefined && Remains.holdsSeparator(redirection.target))
      this.#block(redirection.target.text, "holds signs that can't be read")
    if (redirection.type !== "Redirect") return
    const { files, obstacle } = Redirections.of(redirection)
    const opened = Shapes.isBackground(redirection) ? merged(this.#before, folder) : folder
    for (const file of files) this.redirections.push({ ...file, folder: this.#folder(opened) })
    if (obstacle !== undefined) this.#block(this.#textOf(redirection), obstacle)
  }

  #command(command: Command, folder: Folder): Outcome {
    const { name, prefix, redirects, suffix } = command
    if (name?.text === "read")
      for (const item of prefix) if (item.type === "Assignment" && item.name === "IFS") this.#ofRead.add(item)
    for (const item of [...prefix, ...(name === undefined ? [] : [name]), ...suffix])
      if (item.type === "Word" || item.type === "Assignment") this.#word(item, folder)
      else this.#redirection(item, folder)
    if (name === undefined) return both(folder)

    const text = this.#textOf(command)
    const seenName = Words.of(name)
    const args = command.args.map((arg) => (arg.type === "Word" ? Words.of(arg) : Words.ofAssignment(arg)))
    this.commands.push({ words: [seenName, ...args].map(({ word }) => word), text, folder: this.#folder(folder) })
    const background = redirects.find(Shapes.isBackground)
    if (background !== undefined && Shapes.hasWordBehind(command, background.end))
      this.#block(text, "is read otherwise by other shells")

    if (Shapes.isReserved(name.text)) this.#block(text, "is read otherwise by other shells")
    if (Shapes.isGlued([...prefix, name, ...suffix])) this.#block(text, "joins words with a process substitution")
    const why = SimpleCommands.whyUnknown(seenName, args)
    if (why !== undefined) this.#block(text, why)
    if (SimpleCommands.endsShell(seenName, args) && redirects.length === 0) return both(undefined)
    let outcome = both(folder)
    if (isMove(command)) outcome = prefix.length > 0 ? both(null) : SimpleCommands.moved(seenName, args, folder)
    return background === undefined ? outcome : this.#orBefore(outcome)
  }
}
