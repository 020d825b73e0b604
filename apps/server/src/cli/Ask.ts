/** Puts an agent's request to the person at the terminal, with the agent's own options. */
import type { AgentRequest, Question, RequestResponse } from "@signalbox/contracts/AgentRequest"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import * as Effect from "effect/Effect"
import { toolText } from "./EventText.ts"
import { oneLine, plain } from "./Plain.ts"
import * as StdinLine from "./StdinLine.ts"
import type { Terminal } from "./Terminal.ts"

/** Their answer; nothing when stdin ended, for then nobody will ever answer. Interrupting it takes the question back. */
export const ask = (terminal: Terminal, request: AgentRequest): Effect.Effect<RequestResponse | undefined> => {
  switch (request.type) {
    case "approval":
      terminal.err(`\nThe agent asks for permission${isAbout(request.tool)}`)
      for (const detail of details(request.tool)) terminal.err(`    ${detail}`)
      if (request.tool.title !== "") terminal.err(`  agent says: ${oneLine(request.tool.title, 400)}`)
      if (request.reason !== undefined) terminal.err(`  agent says: ${oneLine(request.reason, 400)}`)
      return Effect.map(
        choose(
          terminal,
          request.options.map(({ name }) => name)
        ),
        (index) => {
          const option = index === undefined ? undefined : request.options[index]
          return option === undefined ? undefined : { type: "option" as const, optionId: option.optionId }
        }
      )
    case "question":
      terminal.err(`\nThe agent asks${request.title === undefined ? "" : `: ${oneLine(request.title)}`}`)
      return answers(terminal, request.questions)
    case "plan":
      terminal.err(`\nThe agent proposes a plan${request.name === undefined ? "" : `: ${oneLine(request.name)}`}`)
      if (request.overview !== undefined) terminal.err(plain(request.overview))
      terminal.err(plain(request.plan))
      return Effect.gen(function* () {
        const index = yield* choose(terminal, ["Accept", "Reject"])
        if (index === undefined) return undefined
        if (index === 0) return { type: "accept" as const }
        const reason = (yield* StdinLine.ask("Why (may stay empty): "))?.trim()
        return { type: "reject" as const, ...(reason && { reason }) }
      })
  }
}

const isAbout = ({ subject }: ToolCall): string => {
  if (subject.type === "command")
    return subject.cwd === undefined ? " to run" : ` to run in ${oneLine(subject.cwd, 400)}`
  return subject.type === "none" ? "; it did not say for what" : ""
}

/** All of what will be done, never cut short: it is what the answer is about. */
const details = (tool: ToolCall): ReadonlyArray<string> => {
  const { subject } = tool
  const lines =
    subject.type === "command"
      ? plain(subject.command).split("\n")
      : subject.type === "none"
        ? tool.rawInput === undefined
          ? []
          : [plain(tool.rawInput)]
        : [toolText(tool)]
  return [...lines, ...tool.diffs.map(({ path }) => `changes ${oneLine(path, 400)}`)]
}

const answers = Effect.fnUntraced(function* (terminal: Terminal, questions: ReadonlyArray<Question>) {
  const given: Array<{ questionId: string; optionIds: ReadonlyArray<string> }> = []
  for (const question of questions) {
    terminal.err(`  ${oneLine(question.prompt, 400)}`)
    list(
      terminal,
      question.options.map(({ label }) => label)
    )
    const many = question.allowMultiple ? ", several with commas" : ""
    const chosen = yield* numbers(terminal, `Number${many}, or Enter to skip: `, question.options.length, {
      many: question.allowMultiple,
      mayBeEmpty: true
    })
    if (chosen === undefined) return undefined
    if (chosen.length === 0) return { type: "skip" } satisfies RequestResponse
    given.push({ questionId: question.id, optionIds: chosen.flatMap((index) => question.options[index]?.id ?? []) })
  }
  return { type: "answers", answers: given } satisfies RequestResponse
})

const list = (terminal: Terminal, labels: ReadonlyArray<string>) =>
  labels.forEach((label, index) => terminal.err(`    ${index + 1}  ${oneLine(label)}`))

const choose = Effect.fnUntraced(function* (terminal: Terminal, labels: ReadonlyArray<string>) {
  list(terminal, labels)
  const chosen = yield* numbers(terminal, "Number: ", labels.length, { many: false, mayBeEmpty: false })
  return chosen?.[0]
})

/** Asks again until the answer is made of numbers from 1 to `count`; returns them counted from 0. */
const numbers = Effect.fnUntraced(function* (
  terminal: Terminal,
  prompt: string,
  count: number,
  rules: { readonly many: boolean; readonly mayBeEmpty: boolean }
) {
  while (true) {
    const answer = yield* StdinLine.ask(prompt)
    if (answer === undefined) return undefined
    const words = answer.split(",").map((word) => word.trim())
    if (answer.trim() === "" && rules.mayBeEmpty) return []
    const picked = words.map((word) => (/^\d+$/.test(word) ? Number(word) - 1 : -1))
    const valid = picked.every((index) => index >= 0 && index < count) && (rules.many || picked.length === 1)
    if (valid) return picked
    terminal.err(`  A number from 1 to ${count}.`)
  }
})
