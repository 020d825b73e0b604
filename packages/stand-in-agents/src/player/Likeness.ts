/**
 * Compares a client's line with the line on the tape. Ids and the working folder may differ. The client's name and
 * capabilities are not compared.
 */
import { isList, isObject, type Json, type JsonObject, objectIn, textIn } from "../Json.ts"

/** The mark of a removed secret, which matches any value. */
const redacted = "[redacted]"

export class Likeness {
  /** The client's ids: each id on the tape with the present one. */
  readonly #ids = new Map<string, Json>()
  /** The folder on the tape and the present one. */
  #folder: { readonly before: string; readonly after: string } | undefined

  /** The client's present id for an id on the tape. */
  idOf(then: Json): Json {
    return this.#ids.get(JSON.stringify(then)) ?? then
  }

  /** Whether a line fits the tape's line. Learns ids and the folder from it. */
  fits(then: Json, now: Json | undefined): boolean {
    if (!isObject(then) || !isObject(now)) return this.#alike(then, now)
    const method = textIn(then, "method")
    if (method !== textIn(now, "method")) return false
    return method === undefined ? this.#sameAnswer(then, now) : this.#sameCall(method, then, now)
  }

  #sameCall(method: string, then: JsonObject, now: JsonObject): boolean {
    const [thenId, nowId] = [then["id"], now["id"]]
    if ((thenId === undefined) !== (nowId === undefined)) return false
    if (method === "$/cancel_request") {
      const request = objectIn(then, "params")["requestId"]
      return request !== undefined && this.#alike(this.idOf(request), objectIn(now, "params")["requestId"])
    }
    this.#learnFolder(then, now)
    if (method !== "initialize" && !this.#alike(then["params"], now["params"])) return false
    if (thenId !== undefined && nowId !== undefined) this.#ids.set(JSON.stringify(thenId), nowId)
    return true
  }

  /** Compares two answers. Errors are equal if their codes are, since texts change. */
  #sameAnswer(then: JsonObject, now: JsonObject): boolean {
    if (JSON.stringify(then["id"]) !== JSON.stringify(now["id"])) return false
    if (then["error"] !== undefined) return objectIn(then, "error")["code"] === objectIn(now, "error")["code"]
    return now["error"] === undefined && this.#alike(then["result"], now["result"])
  }

  #learnFolder(then: JsonObject, now: JsonObject): void {
    const [before, after] = [textIn(objectIn(then, "params"), "cwd"), textIn(objectIn(now, "params"), "cwd")]
    if (before !== undefined && after !== undefined) this.#folder = { before, after }
  }

  #alike(then: Json | undefined, now: Json | undefined): boolean {
    if (typeof then === "string") return then === now || then.includes(redacted) || this.#here(then) === now
    if (isList(then))
      return isList(now) && then.length === now.length && then.every((item, index) => this.#alike(item, now[index]))
    if (!isObject(then)) return then === now
    if (!isObject(now)) return false
    const keys = new Set([...Object.keys(then), ...Object.keys(now)])
    return [...keys].every((key) => key === "_meta" || this.#alike(then[key], now[key]))
  }

  /** The text with the present folder. Other paths that the agent named stay. */
  #here(text: string): string {
    return this.#folder === undefined ? text : text.replaceAll(this.#folder.before, this.#folder.after)
  }
}
