/** Puts an agent's request to the person at the terminal, with the agent's own options. */
import type { AgentRequest, Question, RequestResponse } from "@signalbox/contracts/AgentRequest"
import { addressFacts } from "@signalbox/contracts/Elicitation"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import * as Effect from "effect/Effect"
import * as AskForm from "./AskForm.ts"
import { choose, list, numbers } from "./Choice.ts"
import { toolText } from "./EventText.ts"
import { oneLine, plain } from "../Plain.ts"
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
    case "form":
      return AskForm.ask(terminal, request)
    case "url":
      terminal.err(`\nThe agent asks you to open an address${AskForm.during(request.during)}`)
      terminal.err(`  agent says: ${oneLine(request.message, 400)}`)
      address(terminal, request.url)
      return Effect.map(choose(terminal, ["I open it", "Decline"]), (index) =>
        index === undefined ? undefined : { type: index === 0 ? ("accept" as const) : ("reject" as const) }
      )
  }
}

/** Where it leads stands first, since that is what people have to know. It is theirs to open: we don't. */
const address = (terminal: Terminal, url: string): void => {
  const facts = addressFacts(url)
  if (facts !== undefined) terminal.err(`  site: ${plain(facts.host)}`)
  for (const warning of facts?.warnings ?? []) terminal.err(`  careful: ${warning}`)
  terminal.err(`  ${plain(url)}`)
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
