import { isList, isObject, listIn, objectIn, textIn, type Json, type JsonObject } from "../../Json.ts"
import type { Script } from "../Script.ts"
import type { Turn } from "../Turn.ts"

interface Question {
  readonly id: string
  readonly prompt: string
  readonly options: ReadonlyArray<{ readonly id: string; readonly label: string }>
  readonly allowMultiple: boolean
}

const tone: Question = {
  id: "q1",
  prompt: "Formal or casual?",
  options: [
    { id: "formal", label: "Formal" },
    { id: "casual", label: "Casual" }
  ],
  allowMultiple: false
}

const parts: Question = {
  id: "q2",
  prompt: "Which parts do you want?",
  options: [
    { id: "summary", label: "A summary" },
    { id: "examples", label: "Examples" },
    { id: "tests", label: "Tests" }
  ],
  allowMultiple: true
}

/** Asks the user. `ask multi` has a second question, with several answers. October's builds have no tool for this. */
export const ask: Script = async (turn, args) => {
  const questions = args.get("kind", 0) === "multi" ? [tone, parts] : [tone]
  await turn.think("I need to know more before I begin.")
  if (turn.quirks.has("ask_missing")) return await turn.say(inText(questions))
  const toolCallId = turn.emulator.toolCallId()
  const asked = questions.map(({ id, prompt, options, allowMultiple }): JsonObject => {
    return { id, prompt, options: options.map((option) => ({ ...option })), allowMultiple }
  })
  const answer = await turn.ask("cursor/ask_question", { toolCallId, title: "Clarify", questions: asked })
  if (answer.ok) await turn.say(reply(questions, answer.result))
  else if (answer.code === -32601 && turn.quirks.has("ask_fallback_permission"))
    await turn.say(await askByPermission(turn, questions))
  else await turn.say(inText(questions))
}

/** One permission request per question that has one answer; the others are dropped. */
const askByPermission = async (turn: Turn, questions: ReadonlyArray<Question>): Promise<string> => {
  const lines: Array<string> = []
  for (const [index, question] of questions.entries()) {
    if (question.allowMultiple) continue
    const answer = await turn.ask("session/request_permission", {
      sessionId: turn.session.id,
      toolCall: { toolCallId: `ask-1_q${index}`, title: question.prompt, kind: "other", status: "pending" },
      options: [
        ...question.options.map(({ id, label }) => ({ optionId: id, name: label, kind: "allow_once" })),
        { optionId: "__ask_question_skip__", name: "Skip", kind: "reject_once" }
      ]
    })
    const outcome = answer.ok && isObject(answer.result) ? objectIn(answer.result, "outcome") : {}
    const chosen = question.options.find((option) => option.id === textIn(outcome, "optionId"))
    lines.push(line(question, chosen === undefined ? "skipped" : chosen.label))
  }
  return lines.join("\n")
}

const reply = (questions: ReadonlyArray<Question>, result: Json): string => {
  const outcome = isObject(result) ? objectIn(result, "outcome") : {}
  const kind = textIn(outcome, "outcome")
  if (kind !== "answered") return kind === "skipped" ? "You skipped the question." : "You did not answer the question."
  const answers = listIn(outcome, "answers").filter((answer) => isObject(answer))
  return questions
    .map((question) => {
      const chosen = answers.find((answer) => answer["questionId"] === question.id)?.["selectedOptionIds"]
      const labels = question.options.filter((option) => isList(chosen) && chosen.includes(option.id))
      return line(question, labels.map(({ label }) => label).join(", ") || "nothing")
    })
    .join("\n")
}

const line = (question: Question, answer: string): string => `- ${question.prompt} **${answer}**`

const inText = (questions: ReadonlyArray<Question>): string =>
  questions
    .map((question) => `${question.prompt}\n${question.options.map((option) => `- ${option.label}`).join("\n")}`)
    .join("\n\n")
