/**
 * Asks the person at the terminal to fill in a form of the agent, field by field. The person confirms the whole form
 * before it is sent.
 */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import {
  faultsIn,
  type FormContent,
  type FormField,
  type FormValue,
  initialContent,
  valueOf
} from "@signalbox/contracts/Elicitation"
import * as Effect from "effect/Effect"
import { patternTest } from "../../base/PatternMatch.ts"
import type { Answer } from "./Answer.ts"
import { choose, list } from "./Choice.ts"
import { revealedLine } from "../../base/Plain.ts"
import * as StdinLine from "./StdinLine.ts"
import type { Terminal } from "./Terminal.ts"

type Form = Extract<AgentRequest, { readonly type: "form" }>

/** Names the call that waits for the answer, if there is no session yet. */
export const during = (method: string | undefined): string =>
  method === undefined ? "" : `, before it answers ${revealedLine(method)}`

const declined: Answer = { response: { type: "reject" }, chosen: "Decline" }

/** The confirmed values or a refusal; undefined if stdin has ended. */
export const ask = Effect.fnUntraced(function* (terminal: Terminal, form: Form): Effect.fn.Return<Answer | undefined> {
  terminal.err(`\nThe agent asks you to fill in a form${during(form.during)}`)
  terminal.err(`  agent says: ${revealedLine(form.message, 400)}`)
  if (form.title !== undefined) terminal.err(`  ${revealedLine(form.title, 400)}`)
  if (form.description !== undefined) terminal.err(`  ${revealedLine(form.description, 400)}`)
  for (const { kind, name } of form.omitted ?? [])
    terminal.err(`  left out: ${revealedLine(name)}, of the kind ${revealedLine(kind)}, which is not known here`)
  const first = yield* choose(terminal, ["Fill it in", "Decline"])
  if (first === undefined) return undefined
  if (first === 1) return declined
  let content = initialContent(form.fields)
  while (true) {
    for (const field of form.fields) {
      const value = yield* askField(terminal, field, valueOf(content, field.name))
      if (value === undefined) return undefined
      const { [field.name]: _, ...others } = content
      content = value.given === undefined ? others : { ...others, [field.name]: value.given }
    }
    terminal.err("  This is sent:")
    for (const line of linesOf(form.fields, content)) terminal.err(`    ${line}`)
    const next = yield* choose(terminal, ["Send it", "Go over it again", "Decline"])
    if (next === undefined) return undefined
    if (next === 0) return { response: { type: "content", content }, chosen: "the form as it stands above" }
    if (next === 2) return declined
  }
})

const linesOf = (fields: ReadonlyArray<FormField>, content: FormContent): ReadonlyArray<string> =>
  fields.map((field) => {
    const value = valueOf(content, field.name)
    return `${revealedLine(field.label ?? field.name)}: ${value === undefined ? "(nothing)" : revealedLine(shown(value), 400)}`
  })

const shown = (value: FormValue): string =>
  typeof value === "boolean" ? (value ? "yes" : "no") : typeof value === "object" ? value.join(", ") : String(value)

/** Asks for one field until its value is valid. `given` is absent if the field stays empty. */
const askField = Effect.fnUntraced(function* (terminal: Terminal, field: FormField, before: FormValue | undefined) {
  terminal.err(`  ${revealedLine(field.label ?? field.name)}${field.required ? "" : " (may stay empty)"}`)
  if (field.description !== undefined) terminal.err(`    ${revealedLine(field.description, 400)}`)
  if ("options" in field) {
    list(
      terminal,
      field.options.map(({ label }) => label)
    )
  }
  const kept = before === undefined ? "" : `, Enter for ${revealedLine(shown(before))}`
  const empty = before !== undefined && !field.required ? ", - for nothing" : ""
  while (true) {
    const answer = yield* StdinLine.ask(`${hints[field.type]}${kept}${empty}: `)
    if (answer === undefined) return undefined
    const words = answer.trim()
    if (words === "-" && empty !== "") return { given: undefined }
    const given = words === "" ? before : typedValue(field, words)
    const [fault] = faultsIn([field], given === undefined ? {} : { [field.name]: given }, patternTest())
    if (fault === undefined) return { given }
    terminal.err(`    ${revealedLine(fault.message, 400)}`)
  }
})

const hints: Readonly<Record<FormField["type"], string>> = {
  text: "Text",
  number: "Number",
  boolean: "y or n",
  choice: "Number of an option",
  choices: "Numbers of options, with commas"
}

/**
 * The typed text as a value of the field. An invalid text becomes an invalid value, and the caller reports its fault.
 */
const typedValue = (field: FormField, words: string): FormValue => {
  switch (field.type) {
    case "text":
      return words
    case "number":
      return Number(words.replace(",", "."))
    case "boolean":
      return /^y(?:es)?$/i.test(words) ? true : /^no?$/i.test(words) ? false : words
    case "choice":
      return field.options[Number(words) - 1]?.value ?? words
    case "choices":
      return words.split(",").map((word) => field.options[Number(word) - 1]?.value ?? word)
  }
}
