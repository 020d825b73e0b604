/** The tool of agents that presents a walkthrough. It reads nothing and changes nothing. */
import { pathWithin } from "@signalbox/contracts/Paths"
import { most, type Walkthrough } from "@signalbox/contracts/Walkthrough"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Checked from "./Checked.ts"

const text = (description: string) => Schema.String.annotate({ description })
const line = (description: string) => Schema.optional(Schema.Finite.annotate({ description }))

const harmless = Context.make(Tool.Readonly, true).pipe(
  Context.add(Tool.Destructive, false),
  Context.add(Tool.Idempotent, false),
  Context.add(Tool.OpenWorld, false)
)

const PresentWalkthrough = Tool.make("present_walkthrough", {
  description: `Shows the user an explanation in up to ${most.steps} steps, as a list. A click on a step opens its file at the line. Use it to explain how code works, or what you have changed, in the order in which it is best read.`,
  parameters: Schema.Struct({
    title: text(`What is explained, on one line, up to ${most.title} characters`),
    steps: Schema.Array(
      Schema.Struct({
        title: text(`What the step is about, on one line, up to ${most.title} characters`),
        text: Schema.optional(text(`The explanation in Markdown, up to ${most.text} characters`)),
        path: Schema.optional(text("The file, relative to the session's folder")),
        firstLine: line("The first line of the place in the file, counted from 1"),
        lastLine: line("The last line of the place")
      })
    )
  }),
  success: Schema.Struct({
    shown: Schema.String,
    notes: Schema.Array(Schema.String)
  }),
  failure: Schema.String
}).annotateMerge(harmless)

export const toolkit = Toolkit.make(PresentWalkthrough)

/** Says which paths the user can't open from the list. */
const notesOf = ({ steps }: Walkthrough, cwd: string): ReadonlyArray<string> => {
  const outside = steps.flatMap(({ path }, index) =>
    path === undefined || pathWithin(path, cwd) !== undefined ? [] : [index + 1]
  )
  return outside.length === 0
    ? []
    : [
        `The path of ${outside.length === 1 ? "step" : "steps"} ${outside.join(", ")} is not below the session's folder. It is shown as text, and opens nothing.`
      ]
}

/** What the tool does in a session with this folder. `show` sends the walkthrough to the client, or says why it can't. */
export const layer = (cwd: string, show: (walkthrough: Walkthrough) => Effect.Effect<void, string>) =>
  toolkit.toLayer({
    present_walkthrough: (given) =>
      Effect.gen(function* () {
        const walkthrough = yield* Effect.fromResult(Checked.of(given))
        yield* show(walkthrough)
        const { length } = walkthrough.steps
        return {
          shown: `The user sees the walkthrough with ${length} ${length === 1 ? "step" : "steps"}.`,
          notes: notesOf(walkthrough, cwd)
        }
      })
  })
