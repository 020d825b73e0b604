import { Account } from "./Account.ts"
import { CliConfig } from "./CliConfig.ts"
import type { CommandLine } from "./CommandLine.ts"
import { Connection } from "./Connection.ts"
import type { Environment } from "./Environment.ts"
import type { JsonObject } from "../Json.ts"
import { Log } from "./Log.ts"
import { chooseSlug } from "./ModelSlugs.ts"
import { ModelSelection } from "./ModelSelection.ts"
import { Random } from "./Random.ts"
import type { Session } from "./Session.ts"
import { SessionStore } from "./SessionStore.ts"
import { Timeline } from "./Timeline.ts"
import { Wire } from "./Wire.ts"

/** What the client said of itself in `initialize`. */
export interface Client {
  readonly parameterizedModelPicker: boolean
  readonly subagents: boolean
}

/** Everything that one `agent acp` process holds. */
export class Emulator {
  readonly environment: Environment
  readonly commandLine: CommandLine
  readonly random: Random
  readonly timeline: Timeline
  readonly log: Log
  readonly wire: Wire
  readonly connection: Connection
  readonly account: Account
  readonly config: CliConfig
  readonly store: SessionStore
  readonly sessions = new Map<string, Session>()
  /** What new sessions start with; shared by all of them when `model_global` is on. */
  readonly selection: ModelSelection
  client: Client | undefined
  prompted = false
  #fetches = 0
  #leaving = false
  #opened = false

  constructor(environment: Environment, commandLine: CommandLine, log: Log) {
    const { quirks } = environment
    this.environment = environment
    this.commandLine = commandLine
    this.log = log
    this.random = new Random(environment.seed)
    this.timeline = new Timeline(environment.timeScale)
    this.wire = new Wire(quirks, this.random)
    this.connection = new Connection(this.wire, log, quirks.has("id_zero") ? 0 : 1)
    this.account = new Account(environment, commandLine.key)
    this.config = new CliConfig(environment.state)
    this.store = new SessionStore(environment.state)
    this.selection = ModelSelection.stored(quirks.has("model_global") ? this.config.read() : {})
    if (commandLine.model !== undefined) chooseSlug(this.selection, commandLine.model)
    this.wire.onLimit = () => void this.exit(1, "crash_after")
  }

  update(sessionId: string, update: JsonObject): void {
    this.connection.notify("session/update", { sessionId, update })
  }

  /** In the shape of the model that is in use; opaque to clients. */
  toolCallId(): string {
    const { quirks } = this.environment
    if (quirks.has("newline_ids")) return `call-${this.random.hex(24)}\nfc_${this.random.hex(24)}`
    if (quirks.has("toolu_ids")) return `toolu_vrtx_01${this.random.hex(22)}`
    return `tool_${this.random.uuid().slice(0, -1)}`
  }

  /** Web fetches are numbered over the whole process. */
  nextFetch(): number {
    this.#fetches += 1
    return this.#fetches - 1
  }

  /** Whether this is the first time that a session is opened. */
  takeFirstNew(): boolean {
    const first = !this.#opened
    this.#opened = true
    return first
  }

  warn(line: string): void {
    process.stderr.write(`${line}\n`)
  }

  /** Leaves after everything sent so far is out, unless nobody reads it. */
  async exit(code: number, reason: string): Promise<void> {
    if (this.#leaving) return
    this.#leaving = true
    this.log.reason = reason
    setTimeout(() => process.exit(code), 100)
    await this.wire.flush()
    process.exit(code)
  }
}
