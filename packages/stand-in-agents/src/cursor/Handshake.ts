import type { Incoming } from "./Connection.ts"
import type { Emulator } from "./Emulator.ts"
import { isObject, objectIn, textIn, type JsonObject } from "../Json.ts"
import { invalidParams, RpcError } from "./RpcError.ts"

export const initialize = async (emulator: Emulator, incoming: Incoming): Promise<void> => {
  const { generation, quirks } = emulator.environment
  const meta = objectIn(objectIn(incoming.params, "clientCapabilities"), "_meta")
  emulator.client = {
    parameterizedModelPicker: generation !== "2026.02" && meta["parameterizedModelPicker"] === true,
    subagents: generation === "2026.10" && isObject(meta["subagents"])
  }
  if (quirks.has("hang_initialize")) return
  await emulator.timeline.wait(450)
  incoming.reply({
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      mcpCapabilities: { http: true, sse: true },
      promptCapabilities: { audio: false, embeddedContext: false, image: true },
      ...sessionCapabilities(emulator)
    },
    authMethods: [
      {
        id: "cursor_login",
        name: "Cursor Login",
        description: `Authenticate using existing Cursor login credentials. Run '${generation === "2026.02" ? "cursor agent login" : "agent login"}' first if not logged in.`
      }
    ]
  })
}

const sessionCapabilities = (emulator: Emulator): JsonObject => {
  if (emulator.environment.generation === "2026.02") return {}
  return { sessionCapabilities: { list: {}, ...(emulator.client?.subagents === true ? { subagents: {} } : {}) } }
}

/** Succeeds for a login only: a key does not count, and without a login a browser would have to be opened. */
export const authenticate = async (emulator: Emulator, incoming: Incoming): Promise<void> => {
  const { quirks } = emulator.environment
  const methodId = textIn(incoming.params, "methodId") ?? ""
  if (methodId !== "cursor_login") throw invalidParams(`Unknown authentication method: ${methodId}`)
  if (quirks.has("auth_hang")) return
  if (emulator.account.loggedIn && !quirks.has("auth_browser_error")) incoming.reply({})
  else {
    const loginUrl = loginUrlOf(emulator)
    throw new RpcError(-32602, "Invalid params", {
      message: `Failed to open browser for login. Open this URL to log in: ${loginUrl}`,
      loginUrl
    })
  }
}

const loginUrlOf = (emulator: Emulator): string =>
  `https://cursor.com/loginDeepControl?challenge=${emulator.random.hex(32)}&uuid=${emulator.random.uuid()}&mode=login&redirectTarget=cli`
