/**
 * The sandbox of one session: its agent runs in it, and so do all programs that Signalbox runs for that agent. Each
 * program gets a sandbox of its own with the same limits, which ends with it.
 */
import { membersOf, type SandboxMembers, type SandboxSettings } from "@signalbox/contracts/Sandbox"
import { Refused } from "@signalbox/contracts/Refused"
import * as GuardedProcess from "@signalbox/process/GuardedProcess"
import * as ChildEnvironment from "@signalbox/process/ChildEnvironment"
import { markerVariable } from "@signalbox/process/ProcessLedger"
import type { Program } from "@signalbox/process/Program"
import { isWithin } from "@signalbox/contracts/Paths"
import { messageOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { sandboxRelay } from "../base/Installation.ts"
import * as TemporaryFolder from "../base/TemporaryFolder.ts"
import * as Containment from "../workspace/Containment.ts"
import * as Bubblewrap from "./Bubblewrap.ts"
import * as HiddenPaths from "./HiddenPaths.ts"
import { argumentsOf, type Environment, type Layers } from "./Layers.ts"
import * as NetworkFilter from "./NetworkFilter.ts"
import { noSandbox, unguarded } from "./SandboxRefused.ts"
import * as SandboxPlan from "./SandboxPlan.ts"

/** A program, and the absolute folder where it starts. */
export interface Start {
  readonly program: Program
  readonly cwd: string
}

export interface Sandbox {
  /** The program that starts the given one in the sandbox. */
  readonly within: (start: Start) => Effect.Effect<Start, Refused>
  /** Whether it limits anything. */
  readonly holds: boolean
}

/** Starts programs as they are, with all rights of the user. */
const none: Sandbox = { within: Effect.succeed, holds: false }

export interface Options {
  readonly settings: SandboxSettings | undefined
  /** The folders of the session, absolute. The first is the project. */
  readonly folders: ReadonlyArray<string>
  /** The folders of Signalbox itself. */
  readonly own: ReadonlyArray<string>
  /** The agent's own start. Undefined for an agent that runs elsewhere. */
  readonly agent: Start | undefined
  /** Whether the agent's program also runs outside, with other arguments, such as for its version. */
  readonly runsOutside?: boolean | undefined
}

/** Makes the sandbox of a session, which its scope ends. Fails if there can be none, or if it would not hold. */
export const make = Effect.fn("Sandbox.make")(function* ({
  agent,
  folders,
  own,
  runsOutside,
  settings
}: Options): Effect.fn.Return<Sandbox, Refused, Scope.Scope> {
  const members = membersOf(settings)
  if (members === undefined || agent === undefined) return none
  const program = yield* GuardedProcess.checkProgram(agent)
  const folder = yield* TemporaryFolder.make("sandbox")
  const empty = join(folder, "empty")
  const door = join(folder, "door")
  const environment = GuardedProcess.environmentOf(agent.program)
  const layers = yield* Effect.tryPromise({
    try: () => {
      writeFileSync(empty, "", { mode: 0o400 })
      return SandboxPlan.of(members, { folders, own, program, runsOutside, environment }, empty)
    },
    catch: (error) =>
      error instanceof Refused ? error : noSandbox(`A folder can't be examined: ${messageOf(error)}.`, {}, [])
  })
  const writable = [...layers.writable, ...layers.named.writable]
  if (writable.some((one) => isWithin(one, folder)))
    return yield* unguarded(`The temporary folder ${folder} is in one that the agent may write.`, folder, {
      action: "run-command",
      label: "Change TMPDIR"
    })
  const bubblewrap = yield* Bubblewrap.find({ writable })
  const filter = hostsOf(members)
  if (filter !== undefined) yield* NetworkFilter.listen(door, filter)
  return {
    holds: true,
    within: Effect.fnUntraced(function* (start) {
      yield* GuardedProcess.checkFolder(start.cwd)
      const file = yield* GuardedProcess.checkProgram(start)
      const { path: cwd } = yield* Effect.tryPromise({
        try: () => Containment.follow(start.cwd),
        catch: (error) => noSandbox(`${start.cwd} can't be followed: ${messageOf(error)}.`, { path: start.cwd }, [])
      })
      return held({ bubblewrap: bubblewrap.path, cwd, door, file, layers, members }, start)
    })
  }
})

const hostsOf = ({ network }: SandboxMembers): ReadonlyArray<string> | undefined =>
  typeof network === "object" ? network.hosts : undefined

interface Held {
  readonly bubblewrap: string
  readonly cwd: string
  readonly door: string
  /** The program's file, absolute. */
  readonly file: string
  readonly layers: Layers
  readonly members: SandboxMembers
}

/** Files that the sandbox has in a folder of its own, which nothing of the machine can cover. */
const doorInside = "/dev/signalbox-door"
const relayInside = "/dev/signalbox-relay.mjs"

/** The port for programs inside. Each sandbox has a network of its own, so it is free. */
const relayPort = 3128

const held = ({ bubblewrap, cwd, door, file, layers, members }: Held, { program }: Start): Start => {
  const isFiltered = hostsOf(members) !== undefined
  const relay = isFiltered ? [process.execPath, relayInside, String(relayPort), doorInside] : []
  const words = argumentsOf({
    layers: isFiltered ? { ...layers, visible: [...layers.visible, process.execPath] } : layers,
    network: (members.network ?? "on") === "on",
    shown: isFiltered
      ? [
          { path: door, at: doorInside },
          { path: sandboxRelay, at: relayInside }
        ]
      : [],
    environment: environmentOf(program, layers, isFiltered),
    cwd
  })
  return {
    // Bubblewrap itself runs outside. So it gets no variable that somebody has chosen for the program, and starts in no
    // folder of the project: libraries could be loaded from there.
    program: {
      command: bubblewrap,
      args: ["--args", "3", "--", ...relay, file, ...program.args],
      env: {},
      environment: "listed",
      holder: { words }
    },
    cwd: "/"
  }
}

/** What the program has of the environment. What bubblewrap itself has is removed if the program may not have it. */
const environmentOf = (program: Program, layers: Layers, isFiltered: boolean): Environment => {
  const given = GuardedProcess.environmentOf(program)
  const removed = [...Object.keys(ChildEnvironment.of(process.env, {}, "listed")), ...HiddenPaths.doorVariables]
  const doors: ReadonlySet<string> = new Set([...HiddenPaths.doorVariables, markerVariable])
  const proxy = `http://127.0.0.1:${relayPort}`
  return {
    // The mark of this very process stays: bubblewrap has it, and passes it on.
    ...Object.fromEntries(removed.filter((name) => name !== markerVariable).map((name) => [name, undefined])),
    ...Object.fromEntries(Object.entries(given).filter(([name]) => !doors.has(name))),
    ...("TMPDIR" in given && { TMPDIR: "/tmp" }),
    ...caches(given, layers),
    ...(isFiltered && {
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
      http_proxy: proxy,
      https_proxy: proxy,
      ALL_PROXY: undefined,
      all_proxy: undefined,
      NO_PROXY: "localhost,127.0.0.1",
      no_proxy: "localhost,127.0.0.1",
      // Node's own fetch follows the variables only with this one.
      NODE_USE_ENV_PROXY: "1"
    })
  }
}

/** Caches are in the temporary folder, unless people have let the program write to theirs. */
const caches = (given: Environment, { named }: Layers): Environment => {
  const home = given["HOME"] ?? ""
  const isWritable = (path: string) => named.writable.some((folder) => isWithin(folder, path))
  return {
    ...(!isWritable(given["XDG_CACHE_HOME"] ?? join(home, ".cache")) && { XDG_CACHE_HOME: "/tmp/.cache" }),
    ...(!isWritable(given["npm_config_cache"] ?? join(home, ".npm")) && { npm_config_cache: "/tmp/.npm" })
  }
}
