/** What `gitdiff` returns: changes below the session's folder, in commits and not committed. */
import * as Effect from "effect/Effect"
import type { GitFailure, Output } from "../history/Git.ts"
import * as History from "../history/History.ts"
import * as WorkingChanges from "../history/WorkingChanges.ts"

interface Diff {
  readonly text: string
  readonly isCut: boolean
  readonly [key: string]: string | boolean
}

const plain = ({ isCut, text }: Output): Diff => ({ text, isCut })

/**
 * The parts that are asked for.
 *
 * @param range `A..B` or `A...B`; a single revision stands for what came since it; empty for no commits
 */
export const of = Effect.fn("Changes.of")(function* (
  cwd: string,
  range: string,
  without: { readonly staged: boolean; readonly unstaged: boolean }
): Effect.fn.Return<{ readonly [part: string]: Diff }, GitFailure> {
  const asked = range.trim()
  const commits = asked.includes("..") ? asked : `${asked}..HEAD`
  return {
    ...(asked !== "" && { committed: plain(yield* History.diff(cwd, { range: commits, path: "." })) }),
    ...(!without.staged && { staged: plain(yield* WorkingChanges.diff(cwd, "staged")) }),
    ...(!without.unstaged && { unstaged: plain(yield* WorkingChanges.diff(cwd, "unstaged")) })
  }
})
