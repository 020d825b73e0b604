/** A walkthrough in the terminal: its steps in order, each with its place and its text. */
import { placeOf, type Walkthrough } from "@signalbox/contracts/Walkthrough"
import { oneLine, plain } from "../../base/Plain.ts"

/** Indented as the details of a tool call are. */
export const lines = ({ steps }: Walkthrough): ReadonlyArray<string> =>
  steps.flatMap((step, index) => {
    const place = placeOf(step)
    const text = step.text === undefined ? [] : plain(step.text).split("\n")
    return [
      `    ${index + 1}. ${oneLine(step.title, 240)}${place === undefined ? "" : ` · ${oneLine(place, 1100)}`}`,
      ...text.map((line) => `       ${line}`.trimEnd())
    ]
  })
