/** What a tool call of an agent asks for, as rules look at it. */
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { readInput } from "@signalbox/contracts/ToolInput"
import type { FollowedPath } from "@signalbox/permission/FollowedPath"
import type { RequestLook } from "@signalbox/permission/RequestLook"
import type { NamedPath, Place, Subject } from "@signalbox/permission/rules/Subject"
import type { Obstacle } from "@signalbox/permission/shell/ShellReading"
import * as Effect from "effect/Effect"
import { isAbsolute, join } from "node:path"
import * as ProtectedPaths from "../workspace/ProtectedPaths.ts"
import * as CommandSubject from "./CommandSubject.ts"
import type { Grant } from "./PathLooking.ts"

export interface Surroundings {
  /** The id of the agent. */
  readonly agent: string
  readonly grant: Grant
  /** The folder in which the agent's process works. Undefined where that is not known, or on another machine. */
  readonly base: string | undefined
  /** Whether its process is on another machine, so that no path of its commands can be followed here. */
  readonly isRemote?: boolean
  /** The name of the shell that the agent's commands run in. */
  readonly shell: string
  readonly place: Place
}

export type Look = Pick<RequestLook, "locations" | "paths" | "unclear" | "words">

/** Shells whose lines are read as we read them. */
const known: ReadonlySet<string> = new Set(["sh", "bash", "dash"])

export const of = (tool: ToolCall, look: Look, surroundings: Surroundings): Effect.Effect<Subject> =>
  Effect.gen(function* () {
    const { agent, base, grant, isRemote, place } = surroundings
    const { facts, subject, unlisted, unread } = readInput(
      tool.kind,
      tool.rawInput === undefined ? undefined : JSON.parse(tool.rawInput),
      tool.locations
    )
    const named = yield* Effect.forEach(pathsOf(tool, look), (path) => guarded(path, grant, base))
    const whole = { agent, place, kind: tool.kind, paths: named, obstacles: unclearOf(tool, look) }
    const unreadable = unread.length + unlisted === 0 ? [] : [because(unread[0]?.name ?? "", "is not understood")]
    // A call that says that it changes files is about them, too.
    const changed = named.filter(({ path }) => tool.diffs.some((diff) => diff.path === path))
    switch (subject.type) {
      case "command": {
        const cwd = isRemote === true ? undefined : folderOf(subject.cwd, base)
        const { commands, obstacles, paths } = yield* CommandSubject.of(subject.command, cwd ?? null, grant)
        const environment = facts.find(({ name }) => name === "Environment")
        return {
          ...whole,
          kind: "execute",
          commands,
          paths: [...paths, ...named.filter(({ access }) => access === "write")],
          obstacles: [
            ...obstacles,
            ...(commands.length + paths.length + obstacles.length === 0
              ? [because("the request", "runs nothing")]
              : []),
            ...unreadable,
            ...(environment === undefined ? [] : [because(environment.value, "may change what runs")]),
            ...(known.has(surroundings.shell)
              ? []
              : [because(subject.command, `runs in ${surroundings.shell}, which reads it in its own way`)])
          ]
        }
      }
      case "mcp":
        return { ...whole, server: subject.server, tool: subject.tool, paths: changed, obstacles: unreadable }
      case "url":
        return {
          ...whole,
          ...hostOf(subject.url),
          paths: changed,
          obstacles: [
            ...unreadable,
            ...(hostOf(subject.url).host === undefined ? [because(subject.url, "is an address without a host")] : [])
          ]
        }
      case "file":
      case "search":
      case "task":
      case "none":
        return { ...whole, obstacles: [...whole.obstacles, ...(named.length === 0 ? [] : unreadable)] }
    }
  })

const folderOf = (folder: string | undefined, base: string | undefined): string | undefined => {
  if (folder === undefined || isAbsolute(folder)) return folder ?? base
  return base === undefined ? undefined : `${base}/${folder}`
}

const because = (text: string, why: string): Obstacle => ({ text: text.slice(0, 200), why })

const hostOf = (url: string): Pick<Subject, "host"> => {
  const host = URL.canParse(url) ? new URL(url).hostname : ""
  return host === "" ? {} : { host }
}

const reading: ReadonlySet<string> = new Set(["read", "search"])

const aboutFiles: ReadonlySet<string> = new Set(["read", "search", "edit", "delete", "move"])

const unclearOf = ({ diffs, kind }: ToolCall, { paths, unclear }: Look): ReadonlyArray<Obstacle> => {
  // A path beside it can't take the place of a command: a rule about files allows no program.
  if (kind === "execute") return [because(kind, "names no command")]
  if (!aboutFiles.has(kind)) return []
  if (unclear !== undefined) return [because(unclear, "is not understood")]
  // What an agent says beside its input can't take the place of a name in it.
  return paths.length + diffs.length === 0 ? [because(kind, "names no file")] : []
}

interface Followed extends FollowedPath {
  readonly access: NamedPath["access"]
}

/** All that the call names. Locations are the agent's word: they can only speak against it. */
const pathsOf = (tool: ToolCall, { locations, paths, words }: Look): ReadonlyArray<Followed> => {
  const access = reading.has(tool.kind) ? "read" : "write"
  const written = new Set(tool.diffs.map(({ path }) => path))
  const all = [...paths, ...locations, ...words.filter(({ exists, leadsTo }) => exists || leadsTo === null)]
  return [...new Map(all.map((path) => [path.path, path])).values()].map((path) => ({
    ...path,
    access: written.has(path.path) ? "write" : access
  }))
}

const guarded = (
  { access, leadsTo, path }: Followed,
  grant: Grant,
  base: string | undefined
): Effect.Effect<NamedPath> => {
  const said = isAbsolute(path) ? join(path) : leadsTo === null || base === undefined ? null : join(base, path)
  const named = { path, access, said, leadsTo }
  if (leadsTo === null) return Effect.succeed(named)
  return Effect.map(
    Effect.promise(() => ProtectedPaths.strictestOf(grant, [said ?? leadsTo, leadsTo], access)),
    (guard) => ({ ...named, ...(guard !== undefined && { guard }) })
  )
}
