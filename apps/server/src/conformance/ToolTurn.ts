/** One turn that asks for a harmless command and for a new file. Only the command is permitted. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { randomUUID } from "node:crypto"
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { OpenSession } from "./OpenSession.ts"
import { type Json, listIn, objectIn } from "./Messages.ts"
import { promptOf } from "./Turn.ts"
import type * as Wire from "./Wire.ts"

export interface ToolTurn {
  readonly sessionId: string
  readonly answer: Wire.Answer
  /** All lines since the prompt was sent. */
  readonly lines: ReadonlyArray<Wire.Line>
  /** Whether the file exists. `refused`: how many requests to write it were refused. */
  readonly isWritten: boolean
  readonly refused: number
}

const limit = Duration.minutes(2)

/** The one permitted command, bare or run by a shell. */
const harmless = /^(?:[\w/]{0,40}(?:ba|z|da)?sh\s-l?c\s)?["']?echo signalbox["']?$/

const commandIn = (toolCall: Json): string | undefined => {
  const { command } = objectIn(toolCall, "rawInput")
  if (typeof command === "string") return command
  const isText = (word: unknown): word is string => typeof word === "string"
  return Array.isArray(command) && command.every(isText) ? command.join(" ") : undefined
}

/** The option that lets the harmless command run once; nothing else is permitted. */
export const permitted = (params: Json): string | undefined => {
  const command = commandIn(objectIn(params, "toolCall"))
  if (command === undefined || command.length > 100 || !harmless.test(command.trim())) return undefined
  const option = listIn(params, "options").find(({ kind }) => kind === "allow_once")
  return typeof option?.["optionId"] === "string" ? option["optionId"] : undefined
}

export const take = Effect.fnUntraced(function* (session: OpenSession, folder: string) {
  const { sessionId } = session
  const { wire } = session.agent
  const name = `signalbox-${randomUUID().slice(0, 8)}.txt`
  const file = join(folder, name)
  const since = wire.lines().length
  wire.permit(permitted)
  const words = `Run the command \`echo signalbox\` in a shell. Then write the word ready into the new file ${name}. Do nothing else.`
  const answer = yield* wire.ask("session/prompt", promptOf(session, words), limit)
  yield* wire.next(() => false, "500 millis")
  wire.permit(() => undefined)
  const lines = wire.lines().slice(since)
  const isWritten = existsSync(file)
  rmSync(file, { force: true })
  return { sessionId, answer, lines, isWritten, refused: lines.filter(isRefusedIn(name)).length } satisfies ToolTurn
})

/** Whether a line asks for permission to write the file. */
const isRefusedIn =
  (name: string) =>
  ({ message, text }: Wire.Line): boolean =>
    Predicate.isObject(message) &&
    message["method"] === "session/request_permission" &&
    text.includes(name) &&
    permitted(objectIn(message, "params")) === undefined
