import type { Environment } from "./Environment.ts"
import { isObject, parseJson } from "../Json.ts"

const file = "auth.json"

export const email = "simulated@example.com"

/** Who is signed in. The file can change while we run: every question is answered anew. */
export class Account {
  readonly #environment: Environment
  readonly #key: boolean

  /** @param key whether the command line brought a key */
  constructor(environment: Environment, key: boolean) {
    this.#environment = environment
    this.#key = key
  }

  /** A login is there: `agent status` shows it and `authenticate` succeeds. */
  get loggedIn(): boolean {
    const { login, quirks, state } = this.#environment
    if (login === "apikey" || quirks.has("auth_required")) return false
    if (login === "ok") return true
    const text = state.read(file)
    return text !== undefined && isObject(parseJson(text))
  }

  /** Sessions may be opened: by a login or by a key. */
  get authenticated(): boolean {
    if (this.#environment.quirks.has("auth_required")) return false
    return this.#key || this.#environment.login === "apikey" || this.loggedIn
  }

  logIn(): void {
    this.#environment.state.write(`${JSON.stringify({ email })}\n`, file)
  }

  logOut(): void {
    this.#environment.state.remove(file)
  }
}
