/** Which server this window speaks with: the one that runs on the state folder, or one that is started there. */
import { AttachFailed } from "@signalbox/attach/AttachFailed"
import * as RunningServer from "@signalbox/attach/RunningServer"
import * as StartedServer from "@signalbox/attach/StartedServer"
import type { Problem } from "@signalbox/contracts/Problem"
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import { stateDirectory } from "@signalbox/system/StateDirectory"
import * as Effect from "effect/Effect"
import { isOfEditor } from "./EditorVariables.ts"

/** What the person has set, and whether this window may start programs. */
export interface ServerChoice {
  /** Empty: the state folder of the command line. */
  readonly stateFolder: string
  readonly command: ReadonlyArray<string>
  readonly mayStart: boolean
  /** Whether the person trusts the folders of the window. */
  readonly isTrusted: boolean
}

/** A server that an editor started goes on so long after its last client. */
const endsAfter = "10m"

/** The server that runs. Fails where none does. */
export const running = Effect.fn("ServerChoice.running")(function* ({
  stateFolder
}: Pick<ServerChoice, "stateFolder">): Effect.fn.Return<RunningServer.RunningServer, AttachFailed> {
  const directory = yield* directoryOf(stateFolder)
  return (yield* RunningServer.find(directory)) ?? (yield* new AttachFailed({ problem: noneRuns(directory) }))
})

/** Fails where the setting names a folder from somewhere: an editor has no folder that people know. */
const directoryOf = (stateFolder: string): Effect.Effect<string, AttachFailed> => {
  if (stateFolder === "") return Effect.succeed(stateDirectory(undefined))
  const path = stateFolder.startsWith("~/") ? join(homedir(), stateFolder.slice(2)) : stateFolder
  return isAbsolute(path)
    ? Effect.succeed(stateDirectory(path))
    : Effect.fail(new AttachFailed({ problem: notAbsolute(stateFolder) }))
}

/** The server that runs, or the one that is started. Fails with what is wrong, in words. */
export const find = Effect.fn("ServerChoice.find")(function* ({
  command,
  isTrusted,
  mayStart,
  stateFolder
}: ServerChoice): Effect.fn.Return<RunningServer.RunningServer, AttachFailed> {
  const directory = yield* directoryOf(stateFolder)
  const found = yield* RunningServer.find(directory)
  if (found !== undefined) return found
  if (!isTrusted) return yield* new AttachFailed({ problem: untrusted })
  if (!mayStart) return yield* new AttachFailed({ problem: notRunning(directory) })
  const [program, ...args] = command
  if (program === undefined || program.trim() === "") return yield* new AttachFailed({ problem: noCommand })
  // Neither the folder in which the editor was started nor what is meant for the editor's own processes is the server's.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOfEditor(name)))
  const launch = { command: [program, ...args] as const, endsAfter, surroundings: { cwd: homedir(), env } }
  return yield* StartedServer.ensure(directory, launch).pipe(
    Effect.mapError((failed) => (isMissing(failed) ? new AttachFailed({ problem: notInstalled(program) }) : failed))
  )
})

const isMissing = ({ problem }: AttachFailed): boolean => problem.cause.includes("ENOENT")

const untrusted: Problem = {
  code: "internal",
  title: "No Signalbox server is running.",
  cause: "This window has not been told to trust its folder, so it starts no program.",
  evidence: {},
  nextSteps: [{ action: "restart", label: "Trust the folder, or start a server with signalbox serve" }]
}

const noneRuns = (path: string): Problem => ({
  code: "internal",
  title: "No Signalbox server is running.",
  cause: "The chat starts one when it is opened, and when you try again.",
  evidence: { path },
  nextSteps: [{ action: "restart", label: "Open the chat, or start a server with signalbox serve" }]
})

const notRunning = (path: string): Problem => ({
  code: "internal",
  title: "No Signalbox server is running.",
  cause: "The setting signalbox.startServer is off, so this window starts none.",
  evidence: { path },
  nextSteps: [{ action: "restart", label: "Start one with signalbox serve" }]
})

const notAbsolute = (stateFolder: string): Problem => ({
  code: "config-invalid",
  title: "The setting signalbox.stateFolder is no whole path.",
  cause: `It says ${stateFolder}, and it is not known from which folder that counts.`,
  evidence: {},
  nextSteps: [{ action: "set-option", label: "Begin it with / or ~/, or leave it empty" }]
})

const noCommand: Problem = {
  code: "config-invalid",
  title: "The setting signalbox.command names no program.",
  cause: "No Signalbox server is running, and without a program none can be started.",
  evidence: {},
  nextSteps: [{ action: "set-option", label: 'Set it to ["signalbox"], or to the path of that program' }]
}

const notInstalled = (program: string): Problem => ({
  code: "config-invalid",
  title: `${program} was not found on this machine.`,
  cause: "No Signalbox server is running, and the program of the setting signalbox.command could not be started.",
  evidence: {},
  nextSteps: [{ action: "set-option", label: "Install Signalbox, or set signalbox.command to the path of its program" }]
})
