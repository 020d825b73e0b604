/** Plays the steps of one turn. */
import { spawn, type StdioOptions } from "node:child_process"
import { existsSync, watch } from "node:fs"
import { writeFile } from "node:fs/promises"
import type { Json, JsonObject } from "../Json.ts"
import type { Pipe } from "./Pipe.ts"
import type { ErrorReply, Step } from "./Script.ts"

/** How a turn ended: one of the two. */
export type Ending = { readonly stopReason: string } | { readonly error: ErrorReply }

export interface Stage {
  readonly pipe: Pipe
  readonly sessionId: string
  /** Resolves with the client's answer: `{ result }` or `{ error }`. */
  readonly request: (method: string, params: JsonObject) => Promise<JsonObject>
  /** Aborts when the turn is cancelled. */
  readonly cancelled: AbortSignal
  /** Terminals that the client made for us: `{terminal:1}` in later requests and updates is the first. */
  readonly terminals: Array<string>
  /** What is to be played after the prompt was answered. */
  readonly afterwards: Array<ReadonlyArray<Step>>
}

/** @returns undefined when the steps ran out without one that ends the turn. */
export const play = async (steps: ReadonlyArray<Step>, stage: Stage, round = 0): Promise<Ending | undefined> => {
  for (const step of steps) {
    const ending = await playStep(step, stage, round)
    if (ending !== undefined) return ending
    if (stage.cancelled.aborted) return undefined
  }
  return undefined
}

const playStep = async (step: Step, stage: Stage, round: number): Promise<Ending | undefined> => {
  const { pipe, sessionId } = stage
  const words = (text: string) => text.replaceAll("{i}", String(round))
  const update = (body: JsonObject) =>
    pipe.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update: body } })
  const chunk = (sessionUpdate: string, text: string) =>
    update({
      sessionUpdate,
      content: { type: "text", text: words(text) },
      ...(step.messageId !== undefined && { messageId: step.messageId })
    })

  if (step.text !== undefined) await chunk("agent_message_chunk", step.text)
  else if (step.thought !== undefined) await chunk("agent_thought_chunk", step.thought)
  else if (step.user !== undefined) await chunk("user_message_chunk", step.user)
  else if (step.update !== undefined) await update(withTerminals(step.update, stage))
  else if (step.permission !== undefined) return askPermission(step, step.permission, stage, round)
  else if (step.request !== undefined) return ask(step, step.request, stage, round)
  else if (step.notify !== undefined) await pipe.send({ jsonrpc: "2.0", ...step.notify })
  else if (step.message !== undefined) await pipe.send(step.message)
  else if (step.raw !== undefined) await pipe.write(Buffer.from(step.raw.repeat(step.times ?? 1)))
  else if (step.rawBase64 !== undefined) await pipe.write(Buffer.from(step.rawBase64, "base64"))
  else if (step.pieces !== undefined) pipe.pieces = step.pieces
  else if (step.stderr !== undefined) await flood(`${step.stderr}\n`, step.times ?? 1)
  else if (step.write !== undefined) await writeFile(step.write, step.content ?? "ready\n")
  else if (step.wait !== undefined) await pause(step.wait, stage.cancelled)
  else if (step.waitForCancel !== undefined) await pause(undefined, stage.cancelled)
  else if (step.waitForFile !== undefined) await fileThere(step.waitForFile, stage.cancelled)
  else if (step.repeat !== undefined) return repeat(step.repeat, step.steps ?? [], stage)
  else if (step.together !== undefined) {
    const endings = await Promise.all(step.together.map((steps) => play(steps, stage, round)))
    return endings.find((ending) => ending !== undefined)
  } else if (step.child !== undefined) await chunk("agent_message_chunk", `child ${leaveChild({})}`)
  else if (step.daemon !== undefined) await chunk("agent_message_chunk", `daemon ${leaveChild({ detached: true })}`)
  else if (step.crash !== undefined) await crash(step.crash, pipe)
  else if (step.error !== undefined) return { error: step.error }
  else if (step.stop !== undefined) return { stopReason: step.stop }
  else if (step.after !== undefined) stage.afterwards.push(step.after)
  else return { error: { code: -32602, message: `This step says nothing to do: ${JSON.stringify(step)}` } }
  return undefined
}

const askPermission = async (step: Step, permission: JsonObject, stage: Stage, round: number) => {
  const answer = await stage.request("session/request_permission", { sessionId: stage.sessionId, ...permission })
  const chosen = chosenIn(answer)
  await tell(stage, `permission ${chosen ?? JSON.stringify(answer)}`)
  return play(step.on?.[chosen ?? ""] ?? [], stage, round)
}

/** The option id of an answer, or `cancelled`. */
const chosenIn = ({ result }: JsonObject): string | undefined => {
  const outcome = member(member(result, "outcome"), "outcome")
  const optionId = member(member(result, "outcome"), "optionId")
  if (outcome === "cancelled") return outcome
  return typeof optionId === "string" ? optionId : undefined
}

const member = (value: Json | undefined, key: string): Json | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) && key in value
    ? Reflect.get(value, key)
    : undefined

const ask = async (
  step: Step,
  { method, params }: { method: string; params: JsonObject },
  stage: Stage,
  round: number
) => {
  // What is asked while there is no session names a request of the client instead.
  const scope = "requestId" in params ? {} : { sessionId: stage.sessionId }
  const answer = await stage.request(method, withTerminals({ ...scope, ...params }, stage))
  const terminalId = member(answer["result"], "terminalId")
  if (typeof terminalId === "string") stage.terminals.push(terminalId)
  await tell(stage, `${method} ${JSON.stringify(answer)}`)
  return play(step.on?.[answer["error"] === undefined ? "result" : "error"] ?? [], stage, round)
}

const withTerminals = (value: JsonObject, { terminals }: Stage): JsonObject => {
  const replaced: JsonObject = JSON.parse(
    JSON.stringify(value).replaceAll(
      /\{terminal:(\d+)\}/g,
      (whole, place: string) => terminals[Number(place) - 1] ?? whole
    )
  )
  return replaced
}

const tell = (stage: Stage, text: string) => playStep({ text }, stage, 0)

const repeat = async (times: number, steps: ReadonlyArray<Step>, stage: Stage): Promise<Ending | undefined> => {
  for (let round = 0; round < times; round++) {
    const ending = await play(steps, stage, round)
    if (ending !== undefined || stage.cancelled.aborted) return ending
  }
  return undefined
}

/** Without a time: until the cancel. */
const pause = (milliseconds: number | undefined, cancelled: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (cancelled.aborted) return resolve()
    const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds)
    cancelled.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Until there is such a file, or the cancel. */
const fileThere = (name: string, cancelled: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (!existsSync(name) && !cancelled.aborted) return
      watcher.close()
      resolve()
    }
    const watcher = watch(".", look)
    cancelled.addEventListener("abort", look)
    // It may have been there before.
    look()
  })

const flood = (text: string, times: number): Promise<void> =>
  new Promise((resolve) => {
    process.stderr.write(text.repeat(times), () => resolve())
  })

const leaveChild = ({ detached = false }: { readonly detached?: boolean }): number => {
  const stdio: StdioOptions = detached ? ["ignore", "inherit", "inherit"] : "ignore"
  const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 600_000)"], { stdio, detached })
  child.unref()
  return child.pid ?? 0
}

const crash = async (how: number | string, pipe: Pipe): Promise<void> => {
  // What was said before the crash must have left; the crash itself is sudden.
  await pipe.write(Buffer.alloc(0))
  if (typeof how === "number") process.exit(how)
  process.kill(process.pid, how)
  await new Promise(() => {})
}
