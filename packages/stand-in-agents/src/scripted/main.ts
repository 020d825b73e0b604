/**
 * The scripted agent: does over ACP what a script says, even nonsense. It plays a prompt that is a JSON list of steps.
 * `file: PATH` plays the list in that file. Any other prompt plays the setup's steps for it, or is echoed.
 */
import { randomUUID } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { isAbsolute } from "node:path"
import { isObject, type Json, type JsonObject, listIn, objectIn, parseJson, textIn } from "../Json.ts"
import { Log } from "../cursor/Log.ts"
import { Pipe } from "./Pipe.ts"
import { type Ending, play, type Stage } from "./Player.ts"
import type { ErrorReply, Setup, Step } from "./Script.ts"

const readSetup = (): Setup => {
  const source = process.env["SCRIPTED_AGENT"]?.trim() ?? "{}"
  const setup: Setup = JSON.parse(source.startsWith("{") ? source : readFileSync(source, "utf8"))
  return setup
}

const setup = readSetup()
const pipe = new Pipe()
/** The received lines, written before they are handled, in the file `SCRIPTED_AGENT_LOG`. */
const log = new Log(process.env["SCRIPTED_AGENT_LOG"])
const waiting = new Map<number, (answer: JsonObject) => void>()
/** The turns that run, by session. */
const running = new Map<string, ReadonlySet<AbortController>>()
const options = new Map<string, ReadonlyArray<Json>>()
const newSessionErrors = [...(setup.newSessionErrors ?? [])]
let nextId = 0
let prompts = 0
let authenticated = setup.authRequired !== true

/** A refusal: an exception within this file, and an error response outside. */
class Refusal extends Error {
  readonly reply: ErrorReply

  constructor(reply: ErrorReply) {
    super(reply.message)
    this.reply = reply
  }
}

const request = (method: string, params: JsonObject): Promise<JsonObject> => {
  const id = nextId++
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    void pipe.send({ jsonrpc: "2.0", id, method, params })
  })
}

const stageFor = (sessionId: string, cancelled = new AbortController().signal): Stage => ({
  pipe,
  sessionId,
  request,
  cancelled,
  terminals: [],
  afterwards: []
})

/** The setup's steps for prompts like this one. */
const answersTo = (prompt: string): ReadonlyArray<Step> | undefined => {
  const found = Object.entries(setup.onPrompt ?? {}).find(([text]) =>
    prompt === "" ? text === "empty" : prompt.includes(text)
  )
  if (found === undefined) return undefined
  const file = /[\w-]+\.txt/.exec(prompt)?.[0] ?? ""
  const steps: ReadonlyArray<Step> = JSON.parse(JSON.stringify(found[1]).replaceAll("{file}", file))
  return steps
}

const stepsOf = (prompt: string): ReadonlyArray<Step> => {
  const known = answersTo(prompt)
  if (known !== undefined) return known
  const file = /^file:\s*(.+)$/.exec(prompt.trim())?.[1]
  const source = file === undefined ? prompt.trim() : readFileSync(file, "utf8").trim()
  if (!source.startsWith("[")) {
    const scripts = setup.prompts ?? []
    return scripts[Math.min(prompts++, scripts.length - 1)] ?? [{ text: prompt }]
  }
  const steps = parseJson(source)
  if (!Array.isArray(steps)) throw new Refusal({ code: -32602, message: "The script is no JSON list of steps." })
  const script: ReadonlyArray<Step> = JSON.parse(source)
  return script
}

const prompt = async (params: JsonObject): Promise<{ readonly answer: Json; readonly stage: Stage }> => {
  const sessionId = textIn(params, "sessionId") ?? ""
  const text = listIn(params, "prompt")
    .flatMap((block) => (isObject(block) ? (textIn(block, "text") ?? []) : []))
    .join("\n")
  const controller = new AbortController()
  running.set(sessionId, new Set([...runningIn(sessionId), controller]))
  const stage = stageFor(sessionId, controller.signal)
  const ending: Ending = (await play(stepsOf(text), stage)) ?? (await endOf(sessionId, controller.signal))
  running.set(sessionId, new Set([...runningIn(sessionId)].filter((turn) => turn !== controller)))
  if ("error" in ending) throw new Refusal(ending.error)
  return { answer: { stopReason: ending.stopReason }, stage }
}

const runningIn = (sessionId: string): ReadonlySet<AbortController> => running.get(sessionId) ?? new Set()

const endOf = async (sessionId: string, cancelled: AbortSignal): Promise<Ending> => {
  if (!cancelled.aborted) return { stopReason: "end_turn" }
  await play(setup.afterCancel ?? [], stageFor(sessionId))
  return typeof setup.onCancel === "object" ? setup.onCancel : { stopReason: "cancelled" }
}

const cancel = (sessionId: string): void => {
  if (setup.onCancel === "ignore") return
  // The present turns are taken now, since another one may begin before the timeout.
  const turns = runningIn(sessionId)
  setTimeout(() => turns.forEach((turn) => turn.abort()), setup.cancelAfter ?? 0)
}

const setOption = (params: JsonObject): JsonObject => {
  if (setup.refuseOptions !== undefined) throw new Refusal(setup.refuseOptions)
  const sessionId = textIn(params, "sessionId") ?? ""
  const configId = textIn(params, "configId") ?? ""
  const value = params["value"] ?? null
  const current = options.get(sessionId) ?? []
  if (!current.some((option) => isObject(option) && option["id"] === configId))
    throw new Refusal({
      code: -32602,
      message: "Invalid params",
      data: { message: `Unknown config option: ${configId}` }
    })
  const dependent = setup.dependentOptions?.[configId]?.[typeof value === "string" ? value : JSON.stringify(value)]
  const next = (dependent ?? current).map((option) =>
    isObject(option) && option["id"] === configId ? { ...option, currentValue: value } : option
  )
  options.set(sessionId, next)
  return { configOptions: next }
}

const steer = async (params: JsonObject): Promise<Json> => {
  const { steering } = setup
  if (steering === undefined) throw new Refusal({ code: -32601, message: "Method not found: _session/steering" })
  if (steering.error !== undefined) throw new Refusal(steering.error)
  const sessionId = textIn(params, "sessionId") ?? ""
  if (runningIn(sessionId).size === 0) return { outcome: "promptRequired" }
  await play(steering.steps ?? [], stageFor(sessionId))
  return { outcome: steering.outcome ?? "injected" }
}

const guard = (): void => {
  if (!authenticated) throw new Refusal({ code: -32000, message: "Authentication required" })
}

const open = (sessionId: string): JsonObject => {
  const configOptions = listIn(setup.newSession ?? {}, "configOptions")
  if (configOptions.length > 0) options.set(sessionId, configOptions)
  return setup.newSession ?? {}
}

const reopen = async (
  how: { readonly result?: Json; readonly error?: ErrorReply; readonly replay?: ReadonlyArray<Step> } | undefined,
  method: string,
  params: JsonObject
): Promise<Json> => {
  guard()
  if (how === undefined) throw new Refusal({ code: -32601, message: `Method not found: ${method}` })
  const sessionId = textIn(params, "sessionId") ?? ""
  await play(how.replay ?? [], stageFor(sessionId))
  if (how.error !== undefined) throw new Refusal(how.error)
  const result = open(sessionId)
  return how.result ?? result
}

const checkFolder = (folder: string): void => {
  if (setup.checksFolders === true && !(isAbsolute(folder) && existsSync(folder)))
    throw new Refusal({ code: -32602, message: `There is no folder ${folder}` })
}

const answer = async (method: string, params: JsonObject): Promise<Json> => {
  const always = setup.errors?.[method]
  if (always !== undefined) throw new Refusal(always)
  const result = setup.results?.[method]
  if (result !== undefined) return result
  if (setup.silent?.includes(method) === true) await new Promise(() => {})
  switch (method) {
    case "initialize":
      if (setup.initializeError !== undefined) throw new Refusal(setup.initializeError)
      return {
        protocolVersion: 1,
        agentCapabilities: {
          loadSession: setup.load !== undefined,
          ...((setup.resume !== undefined || setup.fork !== undefined || setup.list !== undefined) && {
            sessionCapabilities: {
              ...(setup.resume && { resume: {} }),
              ...(setup.fork && { fork: {} }),
              ...(setup.list && { list: {} })
            }
          })
        },
        ...(setup.steering && { _meta: { steering: { supported: true } } }),
        authMethods: setup.authRequired === true ? [{ id: "scripted", name: "Scripted login" }] : [],
        ...setup.initialize,
        ...(isObject(objectIn(params, "clientCapabilities")["elicitation"]) && setup.initializeAsking)
      }
    case "authenticate":
      await play(setup.onAuthenticate ?? [], stageFor(""))
      if (setup.authenticate !== undefined) throw new Refusal(setup.authenticate.error)
      authenticated = true
      return {}
    case "session/new": {
      guard()
      const error = newSessionErrors.shift()
      if (error !== undefined) throw new Refusal(error)
      checkFolder(textIn(params, "cwd") ?? "")
      const sessionId = randomUUID()
      await play(setup.beforeNewSession ?? [], stageFor(sessionId))
      return { sessionId, ...open(sessionId) }
    }
    case "session/load":
      return reopen(setup.load, method, params)
    case "session/resume":
      return reopen(setup.resume, method, params)
    case "session/fork": {
      const result = await reopen(setup.fork, method, { ...params, sessionId: "copy" })
      return setup.fork?.result === undefined && isObject(result) ? { sessionId: "copy", ...result } : result
    }
    case "session/list":
      if (setup.list === undefined) throw new Refusal({ code: -32601, message: `Method not found: ${method}` })
      return setup.list
    case "session/set_config_option":
      return setOption(params)
    case "session/set_mode":
      return {}
    case "_session/steering":
      return steer(params)
    default:
      throw new Refusal({ code: -32601, message: `Method not found: ${method}` })
  }
}

const respond = async (id: Json, method: string, params: JsonObject): Promise<void> => {
  try {
    if (method === "session/prompt") {
      const { answer: result, stage } = await prompt(params)
      await pipe.send({ jsonrpc: "2.0", id, result })
      for (const steps of stage.afterwards) await play(steps, stageFor(stage.sessionId))
      return
    }
    await pipe.send({ jsonrpc: "2.0", id, result: await answer(method, params) })
    if (method === "session/load")
      await play(setup.load?.replayAfter ?? [], stageFor(textIn(params, "sessionId") ?? ""))
    if (method === "session/fork") await play(setup.fork?.replayAfter ?? [], stageFor("copy"))
  } catch (cause) {
    const error = cause instanceof Refusal ? cause.reply : { code: -32603, message: String(cause) }
    await pipe.send({ jsonrpc: "2.0", id, error: { ...error } })
  }
}

let begun = setup.startAfter === undefined
const early: Array<string> = []
if (!begun)
  setTimeout(() => {
    begun = true
    for (const line of early.splice(0)) take(line)
  }, setup.startAfter)
let deaf = false
let greeted = false

const take = (line: string): void => {
  if (!begun) return void early.push(line)
  const message = parseJson(line)
  log.write("received", isObject(message) ? { message } : { line })
  if (!isObject(message)) {
    deaf ||= setup.deafAfterNoise === true
    return
  }
  if (deaf) return
  greeted ||= textIn(message, "method") === "initialize"
  if (setup.waitsForInitialize === true && !greeted) return
  const { id } = message
  const method = textIn(message, "method")
  const params = objectIn(message, "params")
  if (method === undefined) {
    if (typeof id === "number") waiting.get(id)?.(message)
  } else if (id !== undefined) void respond(id, method, params)
  else if (setup.answersNotifications === true)
    void pipe.send({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "This has no id" } })
  else if (method === "session/cancel") cancel(textIn(params, "sessionId") ?? "")
}

/** Exits after a delay, as agents do that save much first. */
const leave = (): void => void setTimeout(() => process.exit(0), setup.exitAfter ?? 0)

if (setup.ignoreSigterm === true) process.on("SIGTERM", () => {})
else if (setup.exitAfter !== undefined) process.on("SIGTERM", leave)
pipe.onLine(take, () => {
  if (setup.ignoreEof === true) setInterval(() => {}, 60_000)
  else leave()
})
