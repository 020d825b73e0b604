/** Findings of language servers at their places in the text of the moment. */
import type { LineEnd } from "@signalbox/contracts/Documents"
import { ChangeSet, type EditorState } from "@codemirror/state"
import { changeLog, changesBetween, versionBefore } from "../reporting/changeLog.ts"
import { offsetOf } from "../reporting/positions.ts"
import type { Finding } from "./findings.ts"
import type { Findings } from "./Knowledge.ts"

/** `nameOf`: the name of a server for people. Those about a text that nobody has any more are left out. */
export const placed = (
  findings: ReadonlyArray<Findings>,
  { lineEnd, state }: { readonly state: EditorState; readonly lineEnd: LineEnd },
  nameOf: (server: string) => string
): ReadonlyArray<Finding> => {
  const latest = state.field(changeLog, false)
  if (latest === undefined) return []
  return findings.flatMap(({ diagnostics, server, version }) => {
    const about = versionBefore(latest, version)
    const sets = about && changesBetween(about, latest)
    if (about === undefined || sets === undefined) return []
    const since = sets.reduce((before, next) => before.compose(next), ChangeSet.empty(about.doc.length))
    return diagnostics.map((diagnostic) => {
      const from = offsetOf(about.doc, lineEnd, diagnostic.range.start)
      const to = offsetOf(about.doc, lineEnd, diagnostic.range.end)
      return { from: since.mapPos(from, 1), to: since.mapPos(to, -1), server: nameOf(server), diagnostic }
    })
  })
}
