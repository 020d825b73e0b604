/**
 * Whether a client says what the client on the tape said. Its own ids may be others, and so may the folder that it works in; who it
 * is and what it can do is left to it.
 */
import { isList, isObject, type Json, type JsonObject, objectIn, textIn } from "../Json.ts"

/** What stands where a secret was taken out: it may have been anything. */
const redacted = "[redacted]"

export class Likeness {
  /** The client's ids: those on the tape and those of now. */
  readonly #ids = new Map<string, Json>()
  /** The folder on the tape and the one of now. */
  #folder: { readonly before: string; readonly after: string } | undefined

  /** The id that the client has given to what had this one on the tape. */
  idOf(then: Json): Json {
    return this.#ids.get(JSON.stringify(then)) ?? then
  }

  /** Compares, and learns from what fits. */
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

  /** Errors are the same if their codes are: words change. */
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

  /** In the folder of now. What the agent named, and is told again, stays in its own. */
  #here(text: string): string {
    return this.#folder === undefined ? text : text.replaceAll(this.#folder.before, this.#folder.after)
  }
}
