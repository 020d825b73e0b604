import { isObject, objectIn, textIn, type JsonObject } from "../../Json.ts"
import type { Script } from "../Script.ts"
import { Tool } from "../Tools.ts"
import type { Turn } from "../Turn.ts"

const name = "Greeting"
const overview = "Greet everybody who starts the program."
const steps = ["Add the greeting", "Cover it with a test"]
const text = `# ${name}\n\n${overview}\n\n${steps.map((step, index) => `${index + 1}. ${step}`).join("\n")}\n`

/** Proposes a plan and waits for the user's word on it. */
export const plan: Script = async (turn) => {
  await turn.think("I will think this through before I touch anything.")
  show(turn, "pending")
  const generic = { title: "Create Plan", rawInput: { _toolName: "createPlan" } }
  const detail = { title: `Create Plan: ${name}`, rawInput: { _toolName: "createPlan", name } }
  const tool = Tool.open(turn, { kind: "other", generic, detail })
  tool.start()
  await turn.wait(250)
  const todos = steps.map((content, index) => ({ id: `t${index + 1}`, content, status: "pending" }))
  const answer = await turn.ask("cursor/create_plan", {
    toolCallId: tool.id,
    name,
    overview,
    plan: text,
    todos,
    isProject: false,
    phases: [{ name: "Everything", todos }]
  })
  tool.complete()
  if (!answer.ok) return await keepPlan(turn)
  const outcome = isObject(answer.result) ? textIn(objectIn(answer.result, "outcome"), "outcome") : undefined
  if (outcome === "accepted") await accepted(turn)
  else if (outcome === "rejected") await turn.say("Revising the plan. What should be different?")
  else await turn.say("The plan was put aside.")
}

/** Recent builds end the turn here and wait for a prompt to go on. */
const accepted = async (turn: Turn): Promise<void> => {
  if (turn.quirks.has("plan_end_after_accept")) return await turn.say("The plan is accepted.")
  await turn.say("The plan is accepted; I carry it out. ")
  show(turn, "in_progress")
  await turn.wait(770)
  show(turn, "completed")
  await turn.say("Done, as far as a simulation can do anything.")
}

/** A client that does not know plans gets a file, if there is a place for it. */
const keepPlan = async (turn: Turn): Promise<void> => {
  const file = turn.emulator.environment.state.write(text, "plans", `${name.toLowerCase()}.plan.md`)
  await turn.say(file === undefined ? text : `I have written the plan to \`${file}\`.`)
}

const show = (turn: Turn, status: string): void => {
  if (turn.emulator.environment.generation === "2026.02") return
  const entries = steps.map((content): JsonObject => ({ content, priority: "medium", status }))
  turn.update({ sessionUpdate: "plan", entries })
}
