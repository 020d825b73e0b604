/** Begins with the test files that take longest, so that no run waits for one of them at its end. */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Ends of paths, the longest test first. Every other file follows in the order of Vitest, which knows only sizes at first. */
const longest = [
  "/apps/web/test/story.test.ts",
  "/apps/server/test/chaos/chaos.test.ts",
  "/packages/acp/test/package.test.ts",
  "/apps/server/test/real-agents/conformance.test.ts",
  "/apps/server/test/replay/replay.test.ts",
  "/apps/server/test/conformance/cursor.test.ts"
]

const rank = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((path) => moduleId.endsWith(path))
  return place === -1 ? longest.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
