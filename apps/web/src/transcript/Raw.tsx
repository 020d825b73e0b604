/** JSON as the agent sent it, laid out to be read. */
import { isNestedBeyond } from "@signalbox/contracts/Json"
import type { TextAddress } from "../connection/outputs.ts"
import { Output } from "./Output.tsx"

/** JSON by lines. What is none, or is nested so deeply that indenting it multiplies its length, is shown as it came. */
const laidOut = (json: string): string => {
  if (isNestedBeyond(json, deepestIndented)) return json
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

const deepestIndented = 64

export const Raw = (props: {
  readonly json: string
  readonly label: string
  readonly long?: TextAddress | undefined
}) => <Output text={props.json} label={props.label} from="start" long={props.long} layOut={laidOut} />
