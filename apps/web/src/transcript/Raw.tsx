/** JSON as the agent sent it, laid out to be read. */
import type { TextAddress } from "../connection/outputs.ts"
import { Output } from "./Output.tsx"

const laidOut = (json: string): string => {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    // Not JSON: it is shown as it came.
    return json
  }
}

export const Raw = (props: {
  readonly json: string
  readonly label: string
  readonly long?: TextAddress | undefined
}) => <Output text={props.json} label={props.label} from="start" long={props.long} layOut={laidOut} />
