/** An agent by hand in a chain with package sources: a test calls tools in its name, and says what its researchers do. */
import type { RawConnection } from "@signalbox/acp/RawConnection"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { host } from "../../BothWays.ts"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"
import { packageSources } from "../../../src/components/package-sources/PackageSourcesComponent.ts"
import * as Component from "../../../src/Component.ts"
import { meta } from "../../McpParts.ts"
import { byHand, connect } from "../../Parts.ts"

/** A session as the agent has it. */
export interface AgentSession {
  readonly id: string
  readonly serverId: string
  /** The text of the question; empty before it. */
  question: string
  isCancelled: boolean
}

/** What the agent can do in the session of a researcher. */
export interface Bench {
  readonly session: AgentSession
  readonly notify: (method: string, params: object) => void
  /** Asks the client, and passes what comes back to `then`. */
  readonly ask: (method: string, params: object, then?: (answer: unknown) => void) => void
  readonly call: (tool: string, args: object, then?: (answer: unknown) => void, about?: object) => void
  /** Ends the turn. */
  readonly end: (stopReason: string) => void
  readonly fail: (message: string) => void
}

/** What the agent does in a researcher's session: when it has been opened, and when it gets its question. */
export interface Behaviour {
  /** An error in the place of the session. */
  readonly refuses?: () => string | undefined
  readonly opened?: (bench: Bench) => void
  readonly prompted: (bench: Bench) => void
  readonly cancelled?: (bench: Bench) => void
}

const answerOf = (settled: Parameters<Parameters<RawConnection["request"]>[1]>[0]): unknown =>
  "result" in settled ? JSON.parse(settled.result) : settled

/** A project with a package that is installed: its source is on the disk, and no program is needed. */
const project = (): { readonly cwd: string; readonly path: string } => {
  const cwd = temporaryFolder("project")
  const path = join(cwd, "node_modules", "left")
  mkdirSync(path, { recursive: true })
  writeFileSync(join(cwd, "package.json"), '{"name":"mine"}')
  writeFileSync(join(path, "package.json"), '{"name":"left","version":"1.2.3"}')
  writeFileSync(join(path, "index.js"), "export const left = 1\nexport const Right = 2\n")
  return { cwd, path }
}

/** Starts a chain of the component and this agent. */
export const start = Effect.fnUntraced(function* (behaviour: Behaviour, ...args: ReadonlyArray<string>) {
  const sessions = new Map<string, AgentSession>()
  const everOpened: Array<AgentSession> = []
  const progress: Array<{ readonly message: string; readonly progress: number; readonly progressToken: unknown }> = []
  const prompts = new Map<string, (result: { result: string } | { error: string }) => void>()
  let agent: RawConnection | undefined
  let last = 0
  let lastCall = 0
  const opened = yield* Deferred.make<AgentSession>()

  const request = (method: string, params: object, then: (answer: unknown) => void = () => {}) =>
    agent?.request({ side: "client", method, params: JSON.stringify(params) }, (settled) => then(answerOf(settled)))

  const call: (serverId: string) => Bench["call"] = (serverId) => (name, args, then, about) => {
    lastCall += 1
    request(
      "mcp/message",
      {
        serverId,
        requestId: `call-${lastCall}`,
        method: "tools/call",
        params: { name, arguments: args, _meta: { ...meta, ...about } }
      },
      then
    )
  }

  const benchOf = (session: AgentSession): Bench => ({
    session,
    notify: (method, params) =>
      agent?.notify({ side: "client", method, params: JSON.stringify({ sessionId: session.id, ...params }) }),
    ask: (method, params, then) => request(method, { sessionId: session.id, ...params }, then),
    call: call(session.serverId),
    end: (stopReason) => prompts.get(session.id)?.({ result: JSON.stringify({ stopReason }) }),
    fail: (message) => prompts.get(session.id)?.({ error: JSON.stringify({ code: -32000, message }) })
  })

  const component = byHand("agent", (connection) => {
    agent = connection
    return {
      onRequest: ({ method, params: text = "{}" }, respond) => {
        const params = JSON.parse(text)
        switch (method) {
          case "initialize":
            return respond({
              result: JSON.stringify({
                protocolVersion: 1,
                agentCapabilities: {
                  mcpCapabilities: { acp: true },
                  sessionCapabilities: { close: {}, list: {}, additionalDirectories: {} }
                }
              })
            })
          case "session/new": {
            const [{ name, serverId }] = params.mcpServers
            const isResearch = name === "rust-crate-sources"
            const refusal = isResearch ? behaviour.refuses?.() : undefined
            if (refusal !== undefined) return respond({ error: JSON.stringify({ code: -32000, message: refusal }) })
            last += 1
            const session = { id: `s${last}`, serverId, question: "", isCancelled: false }
            sessions.set(session.id, session)
            respond({ result: JSON.stringify({ sessionId: session.id }) })
            if (!isResearch) return void Deferred.doneUnsafe(opened, Effect.succeed(session))
            everOpened.push(session)
            return behaviour.opened?.(benchOf(session))
          }
          case "session/prompt": {
            const session = sessions.get(params.sessionId)
            if (session === undefined) return respond({ error: '{"code":-32602,"message":"no session"}' })
            prompts.set(session.id, (answer) => {
              prompts.delete(session.id)
              respond(answer)
            })
            session.question = params.prompt.at(-1).text
            return behaviour.prompted(benchOf(session))
          }
          case "session/close":
            sessions.delete(params.sessionId)
            return respond({ result: "{}" })
          case "session/list":
            return respond({
              result: JSON.stringify({ sessions: [...sessions.keys()].map((sessionId) => ({ sessionId, cwd: "/" })) })
            })
          default:
            return respond({ result: "null" })
        }
      },
      onNotification: ({ method, params = "{}" }) => {
        if (method === "mcp/message") progress.push(JSON.parse(params).params)
        if (method !== "session/cancel") return
        const session = sessions.get(JSON.parse(params).sessionId)
        if (session === undefined) return
        session.isCancelled = true
        if (behaviour.cancelled === undefined) benchOf(session).end("cancelled")
        else behaviour.cancelled(benchOf(session))
      }
    }
  })
  const cache = temporaryFolder("cache")
  const log: Array<string> = []
  const run = Result.getOrThrow(
    packageSources.make({ args: ["--cache", cache, ...args], log: (line) => void log.push(line) })
  )
  const given = yield* host
  const proxies = [Component.inProcess("package-sources", (link) => run(link, given))]
  const client = yield* connect({ assemble: () => Effect.succeed({ agent: component, proxies }) })
  yield* client.request("initialize", '{"protocolVersion":1}')
  const { cwd, path } = project()
  yield* client.request("session/new", JSON.stringify({ cwd, mcpServers: [] }))
  const own = yield* Deferred.await(opened)

  /** What a tool of the client's session answers: its result, or what is wrong. */
  const callTool = (name: string, args: object, about: object = {}) =>
    Effect.callback<ToolAnswer>((resume) => {
      call(own.serverId)(
        name,
        args,
        (answer) => {
          const { error, result } = Object(answer)
          if (error !== undefined) return resume(Effect.die(new Error(JSON.stringify(error))))
          const { content, isError, structuredContent } = Object(result)
          // What is wrong is JSON text.
          resume(
            Effect.succeed(
              isError === true ? { error: String(JSON.parse(content[0].text)) } : { result: structuredContent }
            )
          )
        },
        about
      )
    })

  return {
    client,
    cache,
    cwd,
    path,
    log,
    own,
    /** What the callers of tools have heard meanwhile. */
    progress,
    /** The sessions that are open in the agent. */
    sessions,
    /** Those of researchers, closed or not. */
    everOpened,
    callTool,
    ask: (question: string, more: object = {}, about: object = {}) =>
      callTool("package_query", { package: "left", prompt: question, ...more }, about)
  }
})

export type ToolAnswer = { readonly result: Record<string, unknown> } | { readonly error: string }
