/** A declared server that runs: a program that speaks MCP, and what its tools answer. */
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import { type CallFailure, RpcError } from "@signalbox/acp/JsonRpc"
import * as JsonRpcPeer from "@signalbox/acp/JsonRpcPeer"
import * as PipedProcess from "@signalbox/process/PipedProcess"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Host } from "../../../BuiltInComponent.ts"
import { fail, type NotHad } from "../tools/Named.ts"
import type { DeclaredServer } from "./DeclaredServer.ts"

/** A tool as its server describes it. */
export interface ServerTool {
  readonly name: string
  readonly description: string
  /** A JSON schema. */
  readonly inputSchema: McpOverAcp.JsonObject
}

/** What a tool has answered. */
export interface ServerAnswer {
  readonly isError: boolean
  readonly text: string
}

export interface ServerProcess {
  readonly tools: Effect.Effect<ReadonlyArray<ServerTool>, NotHad>
  readonly call: (tool: string, args: McpOverAcp.JsonObject) => Effect.Effect<ServerAnswer, NotHad>
  /** Completes when the program has ended. */
  readonly ended: Effect.Effect<void>
}

/** The latest revision of MCP with `initialize`, which programs on their standard streams speak. */
const revision = "2025-06-18"

/** How long a server may take to begin, or to list its tools, and to answer a call. */
export interface Limits {
  readonly begin: Duration.Duration
  readonly call: Duration.Duration
}
export const usualLimits: Limits = { begin: Duration.seconds(30), call: Duration.minutes(10) }

/** How long it may take to end by itself, and then after a signal. */
const stopGrace = { closeInput: "1 second", terminate: "1 second" } as const

const mostLineBytes = 4 * 1024 * 1024
const mostPages = 20
const mostTools = 200
const mostDescription = 2000
const mostSchema = 8 * 1024
const mostText = 256 * 1024
const mostWords = 300

const textsOf = (content: unknown): string =>
  (Array.isArray(content) ? content : [])
    .map((part) => {
      const { text, type } = McpOverAcp.objectOf(part)
      return type === "text" && typeof text === "string" ? text : JSON.stringify(part)
    })
    .join("\n")

const toolOf = (value: unknown): ReadonlyArray<ServerTool> => {
  const { description, inputSchema, name } = McpOverAcp.objectOf(value)
  if (typeof name !== "string" || name === "" || name.length > 200) return []
  const schema = McpOverAcp.objectOf(inputSchema)
  return [
    {
      name,
      description: typeof description === "string" ? description.slice(0, mostDescription) : "",
      inputSchema: JSON.stringify(schema).length > mostSchema ? {} : schema
    }
  ]
}

/** Starts the program in a folder, and begins to speak with it. It ends with the scope, with all that it has started. */
export const start = Effect.fnUntraced(function* (
  server: DeclaredServer,
  cwd: string,
  { ledger, runsFor }: Host,
  { begin, call: callLimit }: Limits
): Effect.fn.Return<ServerProcess, NotHad, Scope.Scope> {
  const { args, command, env, title } = server
  const child = yield* PipedProcess.start({
    ledger,
    runsFor,
    program: { command, args, env, environment: "listed" },
    cwd,
    secrets: Secrets.of({ ...process.env, ...env }),
    stopGrace
  }).pipe(Effect.catch(({ problem }) => fail(`${title} can't be started. ${problem.cause}`)))
  yield* Effect.addFinalizer(() => child.stop)

  /** The first line that was no message, if there was one. */
  let noise: string | undefined
  const peer = yield* JsonRpcPeer.make(
    child.transport,
    () => ({
      onRequest: ({ method }) =>
        method === "ping" ? Effect.succeed({}) : Effect.fail(RpcError.methodNotFound(method)),
      onNotifications: () => Effect.void,
      onIssue: (issue) => {
        if (issue._tag === "Noise") noise ??= issue.text.slice(0, mostWords)
        if (issue._tag === "OversizedLine") noise ??= issue.head.slice(0, mostWords)
      }
    }),
    { maxLineBytes: mostLineBytes, cancellation: { method: "notifications/cancelled", idMember: "requestId" } }
  )

  const noiseWords = () => (noise === undefined ? "" : ` It wrote what is no message: ${JSON.stringify(noise)}.`)
  /** Says how the program has ended, with its last words. */
  const endWords = Effect.map(Effect.timeoutOption(child.exited, "2 seconds"), (exit) => {
    if (exit._tag === "None") return "It has closed its output."
    const { exitCode, signal, stderrTail } = exit.value
    const last = stderrTail.join("\n").slice(-mostWords).trim()
    const how = signal === undefined ? `exited with code ${exitCode}` : `was ended by ${signal}`
    return `It ${how}.${last === "" ? "" : ` Its last words: ${JSON.stringify(last)}.`}`
  })
  const inWords = (what: string) => (failure: CallFailure) =>
    failure._tag === "RpcError"
      ? fail(`${title} ${what}: ${failure.message.slice(0, mostWords)} (${failure.code}).${noiseWords()}`)
      : Effect.flatMap(endWords, (words) => fail(`${title} ${what}. ${words}${noiseWords()}`))

  const ask = (method: string, params: McpOverAcp.JsonObject, limit: Duration.Duration, what: string) =>
    peer.call(method, params, { cancelOnInterrupt: method !== "initialize" }).pipe(
      Effect.catch(inWords(what)),
      Effect.timeoutOrElse({
        duration: limit,
        orElse: () =>
          fail(`${title} ${what}. It did not answer within ${Duration.toSeconds(limit)} seconds.${noiseWords()}`)
      })
    )

  const begun = yield* ask(
    "initialize",
    { protocolVersion: revision, capabilities: {}, clientInfo: { name: "signalbox", version: "1.0.0" } },
    begin,
    "did not begin"
  )
  if (typeof McpOverAcp.objectOf(begun)["protocolVersion"] !== "string")
    return yield* fail(`${title} did not begin. Its answer to initialize names no version of MCP.`)
  yield* Effect.ignore(peer.notify("notifications/initialized", {}))

  const tools = Effect.gen(function* () {
    const found: Array<ServerTool> = []
    let cursor: unknown
    for (let page = 0; page < mostPages && found.length < mostTools; page++) {
      const answer = yield* ask("tools/list", cursor === undefined ? {} : { cursor }, begin, "did not list its tools")
      const { nextCursor, tools } = McpOverAcp.objectOf(answer)
      if (!Array.isArray(tools)) return yield* fail(`${title} did not list its tools. Its answer has no list.`)
      found.push(...tools.slice(0, mostTools - found.length).flatMap(toolOf))
      if (typeof nextCursor !== "string") break
      cursor = nextCursor
    }
    return found
  })

  const call: ServerProcess["call"] = (tool, args) =>
    Effect.flatMap(
      ask("tools/call", { name: tool, arguments: args }, callLimit, `did not carry out ${JSON.stringify(tool)}`),
      (answer) => {
        const { content, isError, structuredContent } = McpOverAcp.objectOf(answer)
        const text = textsOf(content) || JSON.stringify(structuredContent ?? {})
        return text.length > mostText
          ? fail(`${title} answered with more than ${mostText} characters, which are left out.`)
          : Effect.succeed({ isError: isError === true, text })
      }
    )

  return { tools, call, ended: Effect.asVoid(child.exited) }
})
