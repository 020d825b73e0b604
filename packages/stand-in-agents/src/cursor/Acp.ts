import type { CommandLine } from "./CommandLine.ts"
import type { Incoming } from "./Connection.ts"
import { Emulator } from "./Emulator.ts"
import type { Environment } from "./Environment.ts"
import { authenticate, initialize } from "./Handshake.ts"
import { textIn } from "../Json.ts"
import type { Log } from "./Log.ts"
import { superviseProcess } from "./ProcessLife.ts"
import { cancel, prompt } from "./Prompting.ts"
import { methodNotFound } from "./RpcError.ts"
import { listSessions, loadSession, newSession } from "./SessionMethods.ts"
import { listAvailableModels, setConfigOption, setMode, setModel } from "./Settings.ts"

type Method = (emulator: Emulator, incoming: Incoming) => Promise<void>

const february: Readonly<Record<string, Method>> = {
  initialize,
  authenticate,
  "session/new": newSession,
  "session/load": loadSession,
  "session/prompt": prompt,
  "session/set_mode": setMode
}

const sinceAugust: Readonly<Record<string, Method>> = {
  ...february,
  "session/set_model": setModel,
  "session/set_config_option": setConfigOption,
  "session/list": listSessions,
  "cursor/list_available_models": listAvailableModels
}

/** `agent acp`: serves one client on standard input and output until it goes. */
export const serve = (environment: Environment, commandLine: CommandLine, log: Log): void => {
  const emulator = new Emulator(environment, commandLine, log)
  const methods = new Map(Object.entries(environment.generation === "2026.02" ? february : sinceAugust))
  if (!environment.quirks.has("cancel_request_32601"))
    methods.set("session/cancel", async (_, incoming) => {
      cancel(emulator, textIn(incoming.params, "sessionId") ?? "")
      incoming.reply({})
    })
  superviseProcess(emulator)
  process.stdin.on("data", (bytes: Buffer) =>
    emulator.connection.receive(bytes, {
      request: async (incoming) => {
        const method = methods.get(incoming.method)
        if (method === undefined) throw methodNotFound(incoming.method)
        await method(emulator, incoming)
      },
      notification: (method, params) => {
        if (method === "session/cancel") cancel(emulator, textIn(params, "sessionId") ?? "")
      }
    })
  )
}
