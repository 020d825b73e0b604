import { numberIn } from "../../Json.ts"
import type { Script } from "../Script.ts"
import { commandWords, runCommand } from "../Shell.ts"
import { Tool, type ToolShape } from "../Tools.ts"
import type { Turn } from "../Turn.ts"
import { consent, refused } from "./consent.ts"

const shellShape = (command: string): ToolShape => ({
  kind: "execute",
  generic: { title: "Terminal", rawInput: {} },
  detail: { title: `\`${command}\``, rawInput: { command } },
  atOnce: true
})

export const shellSubject = (toolCallId: string, command: string) => ({
  toolCallId,
  title: `\`${command}\``,
  kind: "execute",
  token: `Shell(${commandWords(command)[0] ?? ""})`,
  rawInput: { command }
})

/** @returns the exit code, or undefined when the command was rejected. */
export const runTool = async (turn: Turn, command: string): Promise<number | undefined> => {
  const tool = Tool.open(turn, shellShape(command))
  tool.start()
  if (!(await consent(turn, shellSubject(tool.id, command)))) {
    tool.complete(refused(turn))
    return undefined
  }
  await turn.wait(770)
  const rawOutput = await runCommand(turn, command)
  tool.complete({ rawOutput })
  return numberIn(rawOutput, "exitCode")
}

export const shell: Script = async (turn, args) => {
  const command = args.get("cmd") ?? (args.text === "" ? "pwd" : args.text)
  await turn.think("I will run a command.")
  const exitCode = await runTool(turn, command)
  if (exitCode === undefined) {
    await turn.think("The user does not want this.")
    await turn.say("The command was blocked, so I did not run it.")
  } else await turn.say(`\`${command}\` ended with exit code ${exitCode}.`)
}
