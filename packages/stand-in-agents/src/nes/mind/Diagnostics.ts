/** What is wrong in a file: a fix if the message names one, else a jump to it. */
import { lineAround, positionIn } from "./Lines.ts"
import type { Finding, Idea, Scene } from "./Scene.ts"

/** Messages are read up to here. */
const longest = 500

const meant = /\b(?:did you mean|similar name exists:?)\s+(?:the \w+ )?['"`‘]([^'"`’\s]{1,100})['"`’]/i
const expected = /^['"`‘]([^\w\s'"`]{1,2})['"`’] expected\b/

/** The edit that a message asks for. */
const fixFor = (finding: Finding, { text, uri }: Scene): Idea | undefined => {
  const message = finding.message.slice(0, longest)
  const [, better] = meant.exec(message) ?? []
  if (better !== undefined && finding.end > finding.start && text.slice(finding.start, finding.end) !== better) {
    const { end, start } = finding
    return { kind: "edit", uri, changes: [{ start, end, text: better }], caret: start + better.length }
  }
  const [, sign] = expected.exec(message) ?? []
  if (sign === undefined) return undefined
  // What is missing belongs behind what stands before the finding.
  const at = text.slice(0, finding.start).trimEnd().length
  return { kind: "edit", uri, changes: [{ start: at, end: at, text: sign }], caret: at + sign.length }
}

const onLine = ({ caret, text }: Scene, { end, start }: Finding): boolean => {
  const line = lineAround(text, caret)
  return start <= line.end && end >= line.start
}

/** Fixes of what is wrong on the caret's line. */
export const fix = (scene: Scene): ReadonlyArray<Idea> =>
  scene.findings.flatMap((finding) => (onLine(scene, finding) ? (fixFor(finding, scene) ?? []) : []))

/** Jumps to what is wrong elsewhere: errors before warnings, from the caret on, then in other files. */
export const jumpToFinding = (scene: Scene): ReadonlyArray<Idea> => {
  const { caret, farFindings, findings, kinds, text, uri } = scene
  if (!kinds.has("jump")) return []
  const others = findings.filter((finding) => !onLine(scene, finding))
  const rank = ({ isError, start }: Finding) => (isError ? 0 : 2) + (start >= caret ? 0 : 1)
  const here = others.toSorted((one, other) => rank(one) - rank(other) || one.start - other.start)
  return [
    ...here.map(({ start }): Idea => ({ kind: "jump", uri, position: positionIn({ uri, text, firstLine: 0 }, start) })),
    ...farFindings.map((far): Idea => ({ kind: "jump", ...far }))
  ]
}
