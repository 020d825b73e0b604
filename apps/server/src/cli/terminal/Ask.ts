/** Asks the person at the terminal to answer an agent's request, with the agent's own options. */
import { type AgentRequest, optionOf, type Question } from "@signalbox/contracts/AgentRequest"
import { changedWords } from "@signalbox/contracts/ApprovalWords"
import { addressFacts } from "@signalbox/contracts/Elicitation"
import * as Paths from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import type { Answer } from "./Answer.ts"
import * as AskForm from "./AskForm.ts"
import { choose, list, numbers } from "./Choice.ts"
import { revealed, revealedLine } from "../../base/Plain.ts"
import { askerOf, readingLines } from "./ReadingText.ts"
import * as StdinLine from "./StdinLine.ts"
import type { Terminal } from "./Terminal.ts"

/**
 * The person's answer; undefined if stdin has ended, since nobody can answer then. An interruption withdraws the
 * question. `cwd`: the folder that the agent works in.
 */
export const ask = (terminal: Terminal, request: AgentRequest, cwd: string): Effect.Effect<Answer | undefined> => {
  switch (request.type) {
    case "approval":
      if (request.revision)
        terminal.err(`\nThe request changed: ${changedWords(request.changed ?? [])}. Read it again.`)
      terminal.err([
        request.byComponent === true
          ? "\nA component of the chain asks for permission"
          : "\nThe agent asks for permission",
        ...readingLines(request, cwd)
      ])
      for (const { leadsTo, outside, path } of request.links ?? [])
        terminal.err({
          style: "warning",
          text: `    ${revealedLine(path)} is a link, or below one. It leads to ${revealedLine(leadsTo)}${outside ? ` · ${Paths.outside}` : ""}`
        })
      if (request.tool.title !== "")
        terminal.err(`  ${askerOf(request)} says: ${revealedLine(request.tool.title, 400)}`)
      if (request.reason !== undefined) terminal.err(`  ${askerOf(request)} says: ${revealedLine(request.reason, 400)}`)
      for (const why of whyAsked(request)) terminal.err(`  ${revealedLine(why, 400)}`)
      return Effect.map(
        choose(
          terminal,
          request.options.map(({ name }) => name)
        ),
        (index) => {
          const option = index === undefined ? undefined : request.options[index]
          return option === undefined
            ? undefined
            : { response: optionOf(request, option.optionId), chosen: revealedLine(option.name, 400) }
        }
      )
    case "question":
      terminal.err(`\nThe agent asks${request.title === undefined ? "" : `: ${revealedLine(request.title, 400)}`}`)
      return answers(terminal, request.questions)
    case "plan":
      terminal.err(
        `\nThe agent proposes a plan${request.name === undefined ? "" : `: ${revealedLine(request.name, 400)}`}`
      )
      for (const text of [request.overview, request.plan]) if (text !== undefined) terminal.err(prose(text))
      return Effect.gen(function* () {
        const index = yield* choose(terminal, ["Accept", "Reject"])
        if (index === undefined) return undefined
        if (index === 0) return { response: { type: "accept" }, chosen: "Accept" }
        const reason = (yield* StdinLine.ask("Why (may stay empty): "))?.trim()
        return { response: { type: "reject", ...(reason && { reason }) }, chosen: "Reject" }
      })
    case "form":
      return AskForm.ask(terminal, request)
    case "url":
      terminal.err(`\nThe agent asks you to open an address${AskForm.during(request.during)}`)
      terminal.err(`  agent says: ${revealedLine(request.message, 400)}`)
      address(terminal, request.url)
      return Effect.map(choose(terminal, ["I open it", "Decline"]), (index) => {
        if (index === undefined) return undefined
        return index === 0
          ? { response: { type: "accept" }, chosen: "I open it" }
          : { response: { type: "reject" }, chosen: "Decline" }
      })
  }
}

/** The rules that have the person asked. Where no rule matches, that is as always. */
const whyAsked = ({ judgement }: Extract<AgentRequest, { readonly type: "approval" }>): ReadonlySet<string> =>
  new Set(
    judgement === undefined
      ? []
      : [judgement, ...judgement.commands, ...judgement.paths].flatMap(({ effect, rule, why }) =>
          effect === "ask" && rule !== undefined ? [why] : []
        )
  )

/** A text of many lines for people, without marks for its line breaks. */
const prose = (text: string): string => revealed(text.replaceAll("\r\n", "\n")).replaceAll("↵\n", "\n")

/** Prints an address. Its host stands first, since people need it to decide. Signalbox doesn't open the address. */
const address = (terminal: Terminal, url: string): void => {
  const facts = addressFacts(url)
  if (facts !== undefined) terminal.err(`  site: ${revealedLine(facts.host)}`)
  for (const warning of facts?.warnings ?? []) terminal.err(`  careful: ${warning}`)
  terminal.err(`  ${revealedLine(url)}`)
}

const answers = Effect.fnUntraced(function* (
  terminal: Terminal,
  questions: ReadonlyArray<Question>
): Effect.fn.Return<Answer | undefined> {
  const given: Array<{ questionId: string; optionIds: ReadonlyArray<string> }> = []
  const labels: Array<string> = []
  for (const question of questions) {
    terminal.err(`  ${revealedLine(question.prompt, 400)}`)
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
    if (chosen.length === 0) return { response: { type: "skip" }, chosen: "skipped" }
    const options = chosen.flatMap((index) => question.options[index] ?? [])
    given.push({ questionId: question.id, optionIds: options.map(({ id }) => id) })
    labels.push(...options.map(({ label }) => revealedLine(label, 400)))
  }
  return { response: { type: "answers", answers: given }, chosen: labels.join(", ") }
})
