/** Completes the caret's line from the patterns of the file: what is inserted stands behind the caret, and nothing else changes. */
import { nextCase } from "./Cases.ts"
import { closing } from "./Closing.ts"
import { familiar } from "./Familiar.ts"
import { lineAround } from "./Lines.ts"
import type { Idea, Scene } from "./Scene.ts"
import { sequel } from "./Sequence.ts"

/** The ways to complete a line, the most exact first. */
const ways = [nextCase, sequel, familiar, closing]

export const complete = (scene: Scene): ReadonlyArray<Idea> => {
  const { caret, isMoving, selection, text, trigger, uri } = scene
  if (selection || (isMoving && trigger === "automatic")) return []
  const { end, start } = lineAround(text, caret)
  if (text.slice(caret, end).trim() !== "") return []
  const typed = text.slice(start, caret)
  const rests = new Set(ways.flatMap((way) => way(scene, start, typed) ?? []))
  return [...rests].map((rest) => ({
    kind: "edit",
    uri,
    changes: [{ start: caret, end: caret, text: rest }],
    caret: caret + rest.length
  }))
}
