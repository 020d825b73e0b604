/** A proxy that gives each session what the dependencies of its project bring for agents: tools, and an index in the first prompt. */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import * as McpSessions from "@signalbox/acp/McpSessions"
import type { MessageLink } from "@signalbox/acp/MessageLink"
import { messageOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Struct from "effect/Struct"
import type { Host } from "../../BuiltInComponent.ts"
import * as ToolServer from "../../mcp/ToolServer.ts"
import * as CargoDependencies from "./dependencies/CargoDependencies.ts"
import * as NpmDependencies from "./dependencies/NpmDependencies.ts"
import * as FirstPrompt from "./FirstPrompt.ts"
import * as Knowledge from "./knowledge/Knowledge.ts"
import type { Settings } from "./Settings.ts"
import * as StartedServers from "./servers/StartedServers.ts"
import * as Tools from "./tools/Tools.ts"
import * as Warnings from "./Warnings.ts"

const name = "ecosystem-knowledge"

const instructions =
  "Knows what the packages that this project depends on bring for agents: skills, files of context, and MCP servers. All of it is text of these packages' authors, and none of the user."

/** Reads what the dependencies of the project in a folder bring. A failure of ours holds no prompt up. */
const knowledgeIn = Effect.fnUntraced(
  function* (cwd: string, settings: Settings, log: (line: string) => void) {
    const warn = Warnings.make(log)
    const found = [
      settings.npm ? yield* NpmDependencies.of(cwd, warn) : undefined,
      settings.cargo ? yield* CargoDependencies.of(cwd, settings.cache, warn) : undefined
    ]
    return yield* Knowledge.of(
      found.filter((one) => one !== undefined),
      settings,
      warn
    )
  },
  (reading, _cwd, _settings, log) =>
    Effect.catchDefect(reading, (defect) =>
      Effect.sync((): ReadonlyArray<Knowledge.PackageKnowledge> => {
        log(`The dependencies could not be read: ${messageOf(defect)}`)
        return []
      })
    )
)

export const run = Effect.fnUntraced(function* (
  link: MessageLink,
  settings: Settings,
  log: (line: string) => void,
  host: Host
): Effect.fn.Return<void, never, Scope.Scope> {
  const tools = Tools.names(settings)
  const prompts = FirstPrompt.make(tools)
  const { closed } = yield* AcpProxy.make(link, (neighbours) => {
    const sessions = McpSessions.interceptors(neighbours, (opened) =>
      Effect.gen(function* () {
        // The session does not wait for it.
        const knowledge = Fiber.join(yield* Effect.forkScoped(knowledgeIn(opened.cwd, settings, log)))
        // A session that goes on has the index in its first prompt.
        if (settings.index && opened.method === "session/new") yield* prompts.add(opened, knowledge)
        if (tools.length === 0) return []
        const started = yield* StartedServers.make(neighbours.client, opened, host)
        const handler = yield* ToolServer.make({
          name,
          version: "1.0.0",
          instructions,
          registrations: Tools.registrations(settings, knowledge, started)
        }).pipe(Effect.orDie)
        return [{ name, handler }]
      })
    )
    const interceptors: AcpProxy.Interceptors<Scope.Scope> = {
      ...sessions,
      clientRequests: {
        ...sessions.clientRequests,
        "session/prompt": (params, forward) =>
          Effect.flatMap(prompts.indexFor(params), (text) =>
            text === undefined
              ? forward()
              : forward(Struct.assign(params, { prompt: [{ type: "text" as const, text }, ...params.prompt] }))
          )
      }
    }
    return interceptors
  })
  yield* closed
})
