/** The profile of Cursor's `agent acp`. */
import { ErrorCode, type RpcError } from "@signalbox/acp/JsonRpc"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderCapabilities } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import type { AgentProfile, LaunchInput } from "../../acp/profile/AgentProfile.ts"
import type { Launch } from "../../agent/Launch.ts"
import { GenericProfile } from "../acp/GenericProfile.ts"
import * as CursorBinary from "./CursorBinary.ts"
import { childEnvironment } from "./CursorEnvironment.ts"
import * as CursorErrorText from "./CursorErrorText.ts"
import * as CursorExit from "./CursorExit.ts"
import * as CursorExtensions from "./CursorExtensions.ts"
import * as CursorLogin from "./CursorLogin.ts"
import * as CursorOptions from "./CursorOptions.ts"
import * as CursorRpcError from "./CursorRpcError.ts"
import * as CursorSettings from "./CursorSettings.ts"
import * as CursorTools from "./CursorTools.ts"
import * as Subagent from "./Subagent.ts"
import { type Environment, HostEnvironment } from "../HostEnvironment.ts"
import * as GivenCursor from "./GivenCursor.ts"

const capabilities: ProviderCapabilities = {
  rollback: {
    supported: false,
    reason: "Cursor keeps its own memory of the conversation and offers no way to take turns out of it."
  },
  resume: true,
  images: true
}

export const make: Effect.Effect<AgentProfile, never, FileSystem.FileSystem | Path.Path | ChildProcessSpawner> =
  Effect.gen(function* () {
    const context = yield* Effect.context<FileSystem.FileSystem | Path.Path | ChildProcessSpawner>()
    const host = yield* HostEnvironment
    return {
      kind: "cursor",
      name: "Cursor",
      capabilities,
      launch: (input) =>
        (GivenCursor.isGiven(input.providerOptions) ? GivenCursor.launch(input) : launch(input, host)).pipe(
          Effect.provide(context)
        ),
      // Cursor works on the disk and runs commands itself. A Cursor given by a command line gets the services that
      // people granted.
      workspace: (input) =>
        GivenCursor.isGiven(input.providerOptions)
          ? GenericProfile.workspace(input)
          : { files: "off", terminals: false, shellLines: false, environment: "all" },
      // Without `parameterizedModelPicker`, models have fixed parameters, and on some builds choosing one has no
      // effect. Cursor reports its sub-agents' work only to clients with `subagents`.
      clientMeta: { parameterizedModelPicker: true, subagents: {} },
      authenticate: (methodIds, { args, env, methodId }) => {
        if (methodId !== undefined && methodIds.includes(methodId)) return { methodId, timeout: loginTimeout }
        // With a key or token no sign-in is needed, and an attempt would open a browser.
        const hasKey = CursorLogin.keyName({ ...host, ...env }, args) !== undefined
        return !hasKey && methodIds.includes(loginMethod) ? { methodId: loginMethod, timeout: loginTimeout } : undefined
      },
      // Cursor does not end by itself after a prompt.
      stopGrace: { closeInput: "250 millis", terminate: "1500 millis" },
      isTransient,
      explain: CursorRpcError.explain,
      explainExit: CursorExit.explain,
      extensionRequest: CursorExtensions.request,
      extensionNotification: CursorExtensions.notification,
      tidyTool: CursorTools.tidy,
      reportInTool: CursorTools.report,
      callOfSubagent: Subagent.callIn,
      tidySetting: CursorSettings.tidy,
      isGenericTitle: CursorTools.isGenericTitle,
      errorInText: (lastText, stopReason): Problem | undefined => CursorErrorText.problemIn(lastText, stopReason)
    }
  })

const loginMethod = "cursor_login"
const loginTimeout = "15 seconds"

/** Finds the program and its version at every start, since Cursor updates itself. */
const launch = Effect.fn("CursorProfile.launch")(function* ({ providerOptions }: LaunchInput, host: Environment) {
  const options = providerOptions.cursor ?? {}
  const binary = yield* CursorBinary.find(options)
  const result: Launch = {
    command: binary.path,
    args: CursorOptions.commandLine(options),
    env: childEnvironment(host, options.env),
    version: binary.version.text
  }
  return result
})

/** Whether a failed `session/new` should be tried again: some builds refuse the first one of a process. */
const isTransient = (error: RpcError): boolean =>
  error.code === ErrorCode.InternalError &&
  CursorRpcError.textOf(error).includes("Failed to initialize session services")
