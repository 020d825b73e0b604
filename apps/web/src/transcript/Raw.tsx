/** JSON as the agent sent it, laid out to be read. */
import { Output } from "./Output.tsx"

const laidOut = (json: string): string => {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    // Not JSON: it is shown as it came.
    return json
  }
}

export const Raw = ({ json, label }: { readonly json: string; readonly label: string }) => (
  <Output text={laidOut(json)} label={label} from="start" />
)
