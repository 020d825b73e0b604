/** An agent of one test, on a server that many tests share: to start a server costs more than most tests do. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Server } from "./Server.ts"

export class OwnAgent {
  readonly server: Server
  /** No other agent of the server has it. */
  readonly name: string
  /** A folder for what the agent keeps. */
  readonly home: string

  private constructor(server: Server, name: string) {
    this.server = server
    this.name = name
    this.home = join(server.home, name)
  }

  /** Gets its name. The server does not know it before `settle`. */
  static on(server: Server): OwnAgent {
    const agent = new OwnAgent(server, server.nextName())
    mkdirSync(agent.home)
    return agent
  }

  /** Writes it into the settings of the server, in place of what it was before. */
  settle(entry: object): void {
    this.server.settleAgent(this.#id, { ...entry, name: this.name })
  }

  /** Takes it out of the settings: pages that list many agents cost more than a server. */
  leave(): void {
    this.server.settleAgent(this.#id, undefined)
  }

  get #id(): string {
    return this.name.replace(" ", "-").toLowerCase()
  }
}
