/**
 * Starts a Cursor that people name by its command line: in the settings, in a command, or by the registry. It gets the access that
 * they grant.
 */
import type { ProviderOptions, ProviderRef } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import { realpath } from "node:fs/promises"
import * as ChildEnvironment from "@signalbox/process/ChildEnvironment"
import type { LaunchInput } from "../../acp/profile/AgentProfile.ts"
import * as ProgramFile from "@signalbox/process/ProgramFile"
import * as AcpCheck from "../acp/AcpCheck.ts"
import { GenericProfile } from "../acp/GenericProfile.ts"
import { HostEnvironment } from "../HostEnvironment.ts"
import * as BinaryErrors from "./BinaryErrors.ts"
import * as CursorBinary from "./CursorBinary.ts"
import * as CursorCheck from "./CursorCheck.ts"
import { childEnvironment } from "./CursorEnvironment.ts"
import * as CursorProgram from "./CursorProgram.ts"
import * as CursorVersion from "./CursorVersion.ts"

/** Whether these options give a command line. */
export const isGiven = ({ acp }: ProviderOptions): boolean => acp?.command !== undefined

/** The program, and its inherited environment. Undefined if it is not found. */
const located = Effect.fnUntraced(function* ({ acp = {} }: ProviderOptions, folder: string) {
  const { command = "", cwd = "project", env = {}, environment } = acp
  const inherited = yield* HostEnvironment
  const host = ChildEnvironment.of(inherited, {}, environment)
  const own = ChildEnvironment.of(inherited, env, environment)
  const path = yield* Effect.promise(() =>
    ProgramFile.find(command, cwd === "project" ? folder : cwd, own["PATH"]).catch(() => undefined)
  )
  if (path === undefined) return undefined
  const realPath = yield* Effect.promise(() => realpath(path).catch(() => path))
  return { program: { path, realPath, env: own }, host, options: { binaryPath: path, env } }
})

export const launch = Effect.fn("GivenCursor.launch")(function* (input: LaunchInput) {
  const launch = yield* GenericProfile.launch(input)
  const found = yield* located(input.providerOptions, input.cwd)
  // The error is shown when somebody starts the agent.
  if (found === undefined) return launch
  // The choice of this driver may have read the version just before.
  const known = yield* CursorProgram.knownVersion(found.program)
  if (known !== undefined && CursorVersion.isTooOld(known)) return yield* BinaryErrors.tooOld(found.program.path, known)
  const version =
    known ??
    (yield* Effect.provideService(CursorBinary.verify(found.program.path, found.options), HostEnvironment, found.host))
      .version
  return { ...launch, env: { ...childEnvironment(found.host), ...launch.env }, version: version.text }
})

export const check = Effect.fn("GivenCursor.check")(function* (provider: ProviderRef, options: ProviderOptions) {
  const found = yield* located(options, "/")
  if (found === undefined) return yield* AcpCheck.run(provider, options)
  return yield* CursorCheck.run({ ...found.options, args: options.acp?.args ?? [] }).pipe(
    Effect.provideService(HostEnvironment, found.host)
  )
})
