import { matchesGlob } from "node:path"
import type { Script } from "../Script.ts"
import { Tool, type ToolShape } from "../Tools.ts"
import type { Turn } from "../Turn.ts"
import { Workspace } from "../Workspace.ts"

export const grepShape = (pattern: string): ToolShape => ({
  kind: "search",
  generic: { title: "grep", rawInput: {} },
  detail: { title: `grep "${pattern}"`, rawInput: { pattern } }
})

export const globShape = (pattern: string): ToolShape => ({
  kind: "search",
  generic: { title: "Find", rawInput: {} },
  detail: { title: `Find \`${pattern}\``, rawInput: { pattern } }
})

/** Completes the tool. @returns how many lines contain the words; the wire never says which. */
export const finishGrep = (turn: Turn, tool: Tool, pattern: string): number => {
  const totalMatches = new Workspace(turn.session.cwd).matchingLines(pattern)
  tool.complete({ rawOutput: { totalMatches, truncated: false } })
  return totalMatches
}

/** Completes the tool. @returns how many files match. */
export const finishGlob = (turn: Turn, tool: Tool, pattern: string): number => {
  const totalFiles = new Workspace(turn.session.cwd).files().filter((path) => matchesGlob(path, pattern)).length
  tool.complete({ rawOutput: { totalFiles, truncated: false } })
  return totalFiles
}

export const grep: Script = async (turn, args) => {
  const pattern = args.get("pattern", 0) ?? "TODO"
  await turn.think(`I will search for ${pattern}.`)
  const tool = Tool.open(turn, grepShape(pattern))
  tool.start()
  await turn.wait(30)
  const count = finishGrep(turn, tool, pattern)
  await turn.say(`${count} ${count === 1 ? "line contains" : "lines contain"} \`${pattern}\`.`)
}

export const glob: Script = async (turn, args) => {
  const pattern = args.get("pattern", 0) ?? "**/*"
  await turn.think(`I will look for files like ${pattern}.`)
  const tool = Tool.open(turn, globShape(pattern))
  tool.start()
  await turn.wait(30)
  const count = finishGlob(turn, tool, pattern)
  await turn.say(`${count} ${count === 1 ? "file matches" : "files match"} \`${pattern}\`.`)
}
