/**
 * Plays the agent's side of a tape: sends each of its lines as soon as the client has sent those before it, and ends
 * like it.
 *
 * A driven client can be followed: the player sends it own requests `_tape/…`, which are on no tape. The client refuses
 * them. Its answer shows that it has handled all earlier lines.
 */
import { setTimeout } from "node:timers/promises"
import { isObject, type Json, type JsonObject, objectIn, parseJson, textIn } from "../Json.ts"
import type { Client } from "./Client.ts"
import { Likeness } from "./Likeness.ts"
import type { Exit, Step } from "./Recording.ts"

export interface Options {
  /** 1 for the speed of the tape, 2 for twice that. Undefined for no pauses. */
  readonly speed: number | undefined
  /** Whether the player asks the client about its progress. */
  readonly driven: boolean
}

/** The client's line differs from the tape. */
export class Diverged extends Error {
  readonly line: number
  readonly said: string

  /** `line`: the line of the tape; 0 for its end. */
  constructor(line: number, expected: string, said: string) {
    super(`The client said\n  ${said}\nwhere the tape has${line === 0 ? "" : ` in line ${line}`}\n  ${expected}`)
    this.line = line
    this.said = said
  }
}

/** The client ended before the tape. */
class Deserted extends Error {}

/** Whether a message is a piece of text. Text comes in thousands of pieces, so these are sent without waiting. */
const isPiece = (message: Json): boolean => {
  if (!isObject(message) || textIn(message, "method") !== "session/update") return false
  const kind = textIn(objectIn(objectIn(message, "params"), "update"), "sessionUpdate")
  return kind?.endsWith("_chunk") === true
}

export class Player {
  readonly #client: Client
  readonly #options: Options
  readonly #likeness = new Likeness()
  /** The client's lines that came while the player waited for another one. */
  readonly #early: Array<string> = []
  #at: number | undefined

  constructor(client: Client, options: Options) {
    this.#client = client
    this.#options = options
  }

  /** Plays the steps. Returns how the process must end. */
  async play(steps: AsyncIterable<Step>): Promise<Exit> {
    let exit: Exit | undefined
    for await (const step of steps) {
      if (step.type === "exit") exit = step.exit
      else await this.#step(step)
      this.#at = step.at
    }
    if (this.#options.driven) await this.#settled("end")
    if (exit?.itself !== true) await this.#leftAlone()
    await this.#client.sent()
    return exit ?? { code: 0, signal: undefined, itself: false }
  }

  async #step(step: Exclude<Step, { readonly type: "exit" }>): Promise<void> {
    switch (step.type) {
      case "say": {
        await this.#pause(step.at)
        await this.#client.send(this.#inIdsOfNow(step.message, step.text))
        if (this.#options.driven && !isPiece(step.message)) await this.#settled(step.line)
        return
      }
      case "complain":
        process.stderr.write(`${step.text}\n`)
        return
      case "hear":
        return this.#hear(step.line, step.message)
    }
  }

  async #hear(line: number, expected: Json): Promise<void> {
    if (this.#options.driven) await this.#ask(line)
    const said = await this.#next()
    if (said === undefined) throw new Deserted(`The client left before line ${line} of the tape.`)
    if (!this.#likeness.fits(expected, parseJson(said))) throw new Diverged(line, JSON.stringify(expected), said)
  }

  /** Waits until the client closes our input. Any other line is a difference. */
  async #leftAlone(): Promise<void> {
    const said = await this.#next()
    if (said !== undefined) throw new Diverged(0, "nothing more", said)
  }

  /** The client's next line that belongs to the tape. */
  async #next(): Promise<string | undefined> {
    for (;;) {
      const said = this.#early.shift() ?? (await this.#client.next())
      if (said === undefined || !isAnswerTo(said)) return said
    }
  }

  #ask(place: number | "end"): Promise<void> {
    return this.#client.send(JSON.stringify({ jsonrpc: "2.0", id: `${ours}${place}`, method: "_tape/reached" }))
  }

  /** Resolves when the client has handled everything up to here, or has ended. */
  async #settled(place: number | "end"): Promise<void> {
    await this.#ask(place)
    for (;;) {
      const said = await this.#client.next()
      if (said === undefined || isAnswerTo(said, place)) return
      if (!isAnswerTo(said)) this.#early.push(said)
    }
  }

  async #pause(at: number): Promise<void> {
    const { speed } = this.#options
    if (speed !== undefined && this.#at !== undefined && at > this.#at) await setTimeout((at - this.#at) / speed)
  }

  /** The text of an answer, with the client's present ids. */
  #inIdsOfNow(message: Json, text: string): string {
    if (!isObject(message) || !isAnswer(message)) return text
    const then = message["id"]
    const now = then === undefined ? undefined : this.#likeness.idOf(then)
    return now === undefined || now === then ? text : JSON.stringify({ ...message, id: now })
  }
}

/** The beginning of our own requests' ids. */
const ours = "tape:"

const isAnswer = (message: JsonObject): boolean => message["id"] !== undefined && message["method"] === undefined

/** Whether a line answers the request at this place, or any of our requests. The line is parsed only if it may. */
const isAnswerTo = (line: string, place: number | "end" | "" = ""): boolean => {
  if (!line.includes(`"${ours}${place}`)) return false
  const message = parseJson(line)
  if (!isObject(message) || !isAnswer(message)) return false
  const id = textIn(message, "id")
  return place === "" ? id?.startsWith(ours) === true : id === `${ours}${place}`
}

/** Reports a difference to the driver, on the wire. */
export const divergence = ({ line, said }: Diverged): string =>
  JSON.stringify({ jsonrpc: "2.0", method: "_tape/diverged", params: { line, said } })
