import type { Answer } from "./Connection.ts"
import type { Emulator } from "./Emulator.ts"
import type { Json, JsonObject } from "../Json.ts"
import { isObject, textIn } from "../Json.ts"
import type { Session, Step } from "./Session.ts"
import { Aborted } from "./Timeline.ts"

/** One prompt being worked on. Every wait of it ends with `Aborted` when it is cancelled. */
export class Turn {
  readonly emulator: Emulator
  readonly session: Session
  readonly prompt: ReadonlyArray<Json>
  readonly #abort = new AbortController()
  readonly #aborted: Promise<never>
  readonly #steps: Array<Step> = []
  readonly #afterwards: Array<() => void> = []
  /** Tools that were announced and not completed. */
  readonly openTools = new Set<string>()
  /** Resolves when the prompt was answered. */
  done: Promise<void> = Promise.resolve()

  constructor(emulator: Emulator, session: Session, prompt: ReadonlyArray<Json>) {
    this.emulator = emulator
    this.session = session
    this.prompt = prompt
    this.#aborted = new Promise((_resolve, reject) => {
      this.signal.addEventListener("abort", () => reject(new Aborted()), { once: true })
    })
    // Nobody may be waiting on it when the turn is cancelled.
    this.#aborted.catch(() => {})
  }

  /** The prompt's text blocks. */
  get text(): string {
    const blocks = this.prompt.filter((block) => isObject(block))
    return blocks
      .map((block) => textIn(block, "text") ?? "")
      .filter((text) => text !== "")
      .join("\n")
  }

  get quirks() {
    return this.emulator.environment.quirks
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get steps(): ReadonlyArray<Step> {
    return this.#steps
  }

  cancel(): void {
    this.#abort.abort()
  }

  wait(milliseconds: number): Promise<void> {
    return this.emulator.timeline.wait(milliseconds, this.signal)
  }

  /** Never resolves; ends with the turn. */
  hang(): Promise<never> {
    return this.#aborted
  }

  /** The work's result, unless the turn is cancelled before. */
  orCancelled<A>(work: Promise<A>): Promise<A> {
    return Promise.race([work, this.#aborted])
  }

  update(update: JsonObject): void {
    this.emulator.update(this.session.id, update)
  }

  /** Calls the client; stops waiting for the answer when the turn is cancelled. */
  async ask(method: string, params: JsonObject): Promise<Answer> {
    return await this.orCancelled(this.emulator.connection.request(method, params))
  }

  /** @param pieces how the text is cut; by default into chunks of random size */
  think(text: string, pieces?: ReadonlyArray<string>): Promise<void> {
    return this.#stream("thought", pieces ?? this.emulator.random.chunks(text))
  }

  say(text: string, pieces?: ReadonlyArray<string>): Promise<void> {
    return this.#stream("message", pieces ?? this.emulator.random.chunks(text))
  }

  /** One chunk, now. */
  chunk(type: "thought" | "message", text: string): void {
    const last = this.#steps.at(-1)
    if (last?.type === type) this.#steps[this.#steps.length - 1] = { type, text: last.text + text }
    else this.#steps.push({ type, text })
    const sessionUpdate = type === "thought" ? "agent_thought_chunk" : "agent_message_chunk"
    this.update({ sessionUpdate, content: { type: "text", text } })
  }

  /** Has something done right after the prompt was answered. */
  afterwards(action: () => void): void {
    this.#afterwards.push(action)
  }

  finish(): void {
    for (const action of this.#afterwards) action()
  }

  record(step: Step): void {
    this.#steps.push(step)
  }

  async #stream(type: "thought" | "message", pieces: ReadonlyArray<string>): Promise<void> {
    for (const piece of pieces) {
      await this.wait(this.emulator.random.between(0, 5))
      this.chunk(type, piece)
    }
  }
}
