import { StringDecoder } from "node:string_decoder"
import { isObject, objectIn, parseJson, textIn, type Json, type JsonObject } from "../Json.ts"
import type { Log } from "./Log.ts"
import { internalError, RpcError } from "./RpcError.ts"
import type { Wire } from "./Wire.ts"

/** What the client answered to a request of ours. */
export type Answer =
  | { readonly ok: true; readonly result: Json }
  | { readonly ok: false; readonly code: number; readonly error: JsonObject }

export interface Incoming {
  readonly method: string
  readonly params: JsonObject
  reply(result: JsonObject): void
}

export interface Handlers {
  /** A rejection with an RpcError becomes the answer; so does anything else, as an internal error. */
  request(incoming: Incoming): Promise<void>
  notification(method: string, params: JsonObject): void
}

/** JSON-RPC 2.0 over lines. Both directions count their ids on their own; ours start at `firstId`. */
export class Connection {
  readonly #wire: Wire
  readonly #log: Log
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  readonly #decoder = new StringDecoder("utf8")
  #nextId: number
  #rest = ""

  constructor(wire: Wire, log: Log, firstId: number) {
    this.#wire = wire
    this.#log = log
    this.#nextId = firstId
  }

  receive(bytes: Buffer, handlers: Handlers): void {
    const lines = (this.#rest + this.#decoder.write(bytes)).split("\n")
    this.#rest = lines.pop() ?? ""
    for (const line of lines) if (line.trim() !== "") this.#dispatch(line, handlers)
  }

  notify(method: string, params: JsonObject): void {
    this.#send({ jsonrpc: "2.0", method, params })
  }

  /** Never rejects, and never resolves if the client never answers. */
  request(method: string, params: JsonObject): Promise<Answer> {
    const id = this.#nextId
    this.#nextId += 1
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#send({ jsonrpc: "2.0", id, method, params })
    })
  }

  #send(message: JsonObject): void {
    if (this.#wire.send(JSON.stringify(message))) this.#log.write("sent", { message })
  }

  #dispatch(line: string, handlers: Handlers): void {
    const message = parseJson(line)
    if (!isObject(message)) {
      this.#log.write("received", { line })
      process.stderr.write(`Failed to parse JSON message: ${line.slice(0, 200)}\n`)
      return
    }
    this.#log.write("received", { message })
    const method = textIn(message, "method")
    const id = message["id"]
    if (method === undefined) this.#settle(id, message)
    else if (id === undefined) handlers.notification(method, objectIn(message, "params"))
    else void this.#answer(id, method, objectIn(message, "params"), handlers)
  }

  #settle(id: Json | undefined, message: JsonObject): void {
    if (typeof id !== "number") return
    const resolve = this.#waiting.get(id)
    this.#waiting.delete(id)
    const { error, result } = message
    if (isObject(error)) resolve?.({ ok: false, code: typeof error["code"] === "number" ? error["code"] : 0, error })
    else resolve?.({ ok: true, result: result ?? null })
  }

  async #answer(id: Json, method: string, params: JsonObject, handlers: Handlers): Promise<void> {
    try {
      await handlers.request({ method, params, reply: (result) => this.#send({ jsonrpc: "2.0", id, result }) })
    } catch (cause) {
      const error = cause instanceof RpcError ? cause : internalError(String(cause))
      this.#send({ jsonrpc: "2.0", id, error: { code: error.code, message: error.message, data: error.data } })
    }
  }
}
