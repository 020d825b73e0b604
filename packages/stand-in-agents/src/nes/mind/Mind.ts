/** What the reference agent suggests: all that its parts have in mind, the most certain first. */
import { missingArgument } from "./Arguments.ts"
import { complete } from "./Completion.ts"
import { fix, jumpToFinding } from "./Diagnostics.ts"
import { project } from "./Project.ts"
import { rename } from "./Rename.ts"
import { repeat } from "./Repeat.ts"
import type { Idea, Scene } from "./Scene.ts"

type Part = (scene: Scene) => ReadonlyArray<Idea>

const always: ReadonlyArray<Part> = [rename, missingArgument, complete, repeat, project]

/** Jumps to findings would disturb a person who writes, so they come on request or by a diagnostic alone. */
const parts: Readonly<Record<Scene["trigger"], ReadonlyArray<Part>>> = {
  automatic: [...always, fix],
  diagnostic: [fix, jumpToFinding, ...always],
  manual: [...always, fix, jumpToFinding]
}

/** The ideas for a scene, each once. */
export const ideas = (scene: Scene): ReadonlyArray<Idea> => {
  const found = new Map(
    parts[scene.trigger].flatMap((part) => part(scene)).map((idea) => [JSON.stringify(idea), idea] as const)
  )
  return [...found.values()].filter(({ kind }) => scene.kinds.has(kind))
}
