import type { Script } from "../Script.ts"
import { Tool } from "../Tools.ts"
import type { Turn } from "../Turn.ts"
import { Workspace } from "../Workspace.ts"
import { change, finishRead, readShape } from "./files.ts"
import { finishGrep, grepShape } from "./search.ts"
import { runTool } from "./shell.ts"
import { todosAt, writeTodos } from "./todos.ts"

const steps = ["Look around", "Write the notes", "Check the result"]
const notes = "demo-notes.md"
const command = 'echo "all checks passed (simulated)"'

/** A bit of everything, at a pace that can be watched. It writes one file of its own and changes no other. */
export const demo: Script = async (turn) => {
  await turn.think("The user wants to see what an agent does. I will look around, write a note, and check it.")
  await writeTodos(turn, todosAt(steps, 0), false)
  const names = new Workspace(turn.session.cwd).names()
  const subject = names.find((name) => /^readme/i.test(name)) ?? names.find((name) => /\.(md|txt|json)$/.test(name))
  const matches = await lookAround(turn, subject)
  await turn.say("I have looked around. Now I write down what I found.\n\n")
  await writeTodos(turn, todosAt(steps, 1), true)
  await turn.wait(600)
  await change(turn, notes, () => noteText(names.length, matches))
  await writeTodos(turn, todosAt(steps, 2), true)
  await turn.think("One command to check it; the user may want to decide about that.")
  const exitCode = await runTool(turn, command)
  await writeTodos(turn, todosAt(steps, exitCode === 0 ? 3 : 2), true)
  await turn.say(summary(turn, subject, matches, exitCode))
}

const lookAround = async (turn: Turn, subject: string | undefined): Promise<number> => {
  if (subject !== undefined) {
    const reading = Tool.open(turn, readShape(subject))
    reading.start()
    await turn.wait(600)
    finishRead(turn, reading, subject)
  }
  const search = Tool.open(turn, grepShape("TODO"))
  search.start()
  await turn.wait(400)
  return finishGrep(turn, search, "TODO")
}

const noteText = (entries: number, matches: number): string =>
  `# Demo notes\n\n- ${entries} entries in this folder\n- ${matches} lines with TODO\n`

const summary = (turn: Turn, subject: string | undefined, matches: number, exitCode: number | undefined): string => {
  const read = subject === undefined ? "found nothing to read" : `read \`${subject}\``
  const wrote = turn.session.mode === "agent" ? `wrote \`${notes}\`` : `was not allowed to write \`${notes}\``
  const ran = exitCode === undefined ? "did not run the check, as you decided" : `ran the check: exit code ${exitCode}`
  return [
    "\n\n## What happened\n\n",
    `- I ${read}\n- searched for \`TODO\`: **${matches}** lines\n- ${wrote}\n- ${ran}\n\n`,
    `\`\`\`sh\n${command}\n\`\`\`\n\n`,
    "The files and the counts are real; *the thoughts are not*. I am a simulation of Cursor's agent: ",
    "no model was asked, and nothing left this machine."
  ].join("")
}
