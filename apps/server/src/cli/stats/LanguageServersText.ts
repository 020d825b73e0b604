/** What language servers do, as text for a terminal. */
import type { LanguageServerState } from "@signalbox/contracts/LanguageFeatures"
import { oneLine } from "../../base/Plain.ts"

/** A paragraph of its own. Empty without language servers. */
export const languageServersText = (states: ReadonlyArray<LanguageServerState>): ReadonlyArray<string> =>
  states.length === 0 ? [] : ["", "Language servers", ...states.flatMap(linesOf)]

const linesOf = ({ name, phase, pid, problem, root }: LanguageServerState): ReadonlyArray<string> => [
  `  ${oneLine(name, 40)}: ${words[phase]}${pid === undefined ? "" : `, process ${pid}`}${root === undefined ? "" : `, in ${oneLine(root, 200)}`}`,
  ...(problem === undefined ? [] : [`    ${oneLine(problem, 400)}`])
]

const words: { readonly [Phase in LanguageServerState["phase"]]: string } = {
  starting: "starts",
  loading: "reads the project",
  ready: "ready",
  restarting: "has ended, and starts again",
  "given-up": "can't be used",
  ended: "has ended"
}
