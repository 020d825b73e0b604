/** Looks at what a request for permission asks for, on this machine and now. */
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import * as Effect from "effect/Effect"
import * as Containment from "../workspace/Containment.ts"
import * as ProtectedPaths from "../workspace/ProtectedPaths.ts"
import type { StartSession } from "../provider/Services/ProviderAdapter.ts"
import type { Launch } from "../provider/agent/Launch.ts"
import type { FollowedPath } from "@signalbox/permission/FollowedPath"
import type { RequestLook } from "@signalbox/permission/RequestLook"
import * as PathFollowing from "./PathFollowing.ts"
import * as InputPaths from "@signalbox/permission/InputPaths"
import * as RequestFacts from "@signalbox/permission/RequestFacts"

export interface Surroundings extends RequestFacts.SessionFacts {
  /** What the agent would be given by us. */
  readonly grant: ProtectedPaths.Grant
  /** The folder in which the agent's process works; undefined where that is not the session's folder, or not on this machine. */
  readonly base: string | undefined
  readonly isRemote: boolean
}

export const surroundingsOf = (
  { additionalDirectories = [], cwd, provider }: Pick<StartSession, "additionalDirectories" | "cwd" | "provider">,
  launch: Launch,
  files: Pick<ProtectedPaths.Grant, "own" | "hardLinks">
): Effect.Effect<Surroundings> =>
  Effect.map(Containment.pin([cwd, ...additionalDirectories]), (roots) => ({
    folder: cwd,
    agent: { id: provider.id, program: launch.command },
    grant: { ...files, roots },
    base: launch.cwd === undefined || launch.cwd === cwd ? cwd : undefined,
    isRemote: launch.remote !== undefined
  }))

export const of = (tool: ToolCall, { base, grant, isRemote, ...session }: Surroundings): Effect.Effect<RequestLook> =>
  Effect.gen(function* () {
    const named = InputPaths.inInput(tool.rawInput, tool.kind)
    const start = named.movesBase ? undefined : base
    // A path of another machine can't be followed on this one.
    const follow = (paths: ReadonlyArray<string>) =>
      isRemote
        ? Effect.succeed(paths.map((path): FollowedPath => ({ path, leadsTo: null, exists: false })))
        : PathFollowing.followAll([...new Set(paths)], start)
    const ofDiffs = tool.diffs.map(({ path }) => path)
    const all = [...new Set([...named.paths, ...ofDiffs])]
    const paths = yield* follow(all)
    const folders = paths.flatMap(({ leadsTo }) => (leadsTo === null ? [] : [leadsTo]))
    const words = yield* follow(folders.flatMap((folder) => named.words.map((word) => `${folder}/${word}`)))
    const locations = yield* follow(tool.locations.map(({ path }) => path))
    return {
      facts: RequestFacts.of(tool, paths, session),
      roots: grant.roots,
      paths,
      words,
      locations,
      unclear: named.unclear,
      isForPeople: yield* anyForPeople(grant, [...paths, ...words, ...locations])
    }
  })

const anyForPeople = (grant: ProtectedPaths.Grant, followed: ReadonlyArray<FollowedPath>): Effect.Effect<boolean> => {
  const real = new Set(followed.flatMap(({ exists, leadsTo }) => (exists && leadsTo !== null ? [leadsTo] : [])))
  return Effect.forEach(real, (path) => Effect.promise(() => ProtectedPaths.isForPeople(grant, path)), {
    concurrency: 8
  }).pipe(
    Effect.map((found) => found.includes(true)),
    Effect.timeoutOrElse({ duration: PathFollowing.patience, orElse: () => Effect.succeed(true) })
  )
}
