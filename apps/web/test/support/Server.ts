/** The real server as people start it: a process of its own, with real SQLite in a state folder of its own, on a free port. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { groupsBelow, remainsOf } from "./Processes.ts"

const repository = fileURLToPath(new URL("../../../..", import.meta.url))
const { entryIn }: { readonly entryIn: (root: string) => string } = createRequire(import.meta.url)(
  join(repository, "scripts", "entry.cjs")
)
/** What the launcher runs: the bundle, or the sources where any of them is newer. */
export const entry = entryIn(repository)

/** The folder with the emulator under Cursor's two names. */
export const emulatorFolder = join(repository, "packages", "stand-in-agents", "bin")

/** `PATH` as it is, without folders that hold a Cursor, or what goes by its name. */
const pathWithoutCursor = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !["cursor-agent", "agent"].some((name) => existsSync(join(folder, name))))
  .join(delimiter)

/**
 * Variables that a server takes over from the tests. By the first a run finds what it started (`apps/server/test/support/TestRun.ts`).
 * The second says where Node keeps compiled modules, those of agents too.
 */
const inherited = ["SIGNALBOX_TEST_RUN", "NODE_COMPILE_CACHE"]

/** How fast the emulator goes: its delays are those of a person at work, multiplied by this. */
const timeScale = 0.2

export interface ServerOptions {
  /** Whether a Cursor is found in `PATH`: the emulator, which then has `quirks` as well. */
  readonly cursor?: boolean
  readonly quirks?: string
  readonly env?: Readonly<Record<string, string>>
}

/**
 * What browsers say of a server that was killed. Nothing listens any more; a request that the server had not read is
 * reset; one that it had read ends without an answer. The page may write before it hears of the end.
 */
export const gone = [
  /ERR_CONNECTION_REFUSED/,
  /ERR_CONNECTION_RESET/,
  /ERR_EMPTY_RESPONSE/,
  /WebSocket connection to .* failed/,
  /WebSocket is already in CLOSING or CLOSED state/
]

export class Server {
  /** Its home, and that of its agents. */
  readonly home: string
  readonly #options: ServerOptions
  #child: ChildProcessWithoutNullStreams | undefined
  #port = 0
  #link = ""
  #output = ""
  #agents: Readonly<Record<string, object | undefined>> = {}
  #names = 0

  private constructor(parent: string, options: ServerOptions) {
    this.home = mkdtempSync(join(parent, "server-"))
    this.#options = options
  }

  /** `parent`: the folder in which it gets one of its own. */
  static async start(parent: string, options: ServerOptions = {}): Promise<Server> {
    const server = new Server(parent, options)
    await server.start()
    return server
  }

  /** With the token in its fragment. Another one after each start. */
  get link(): string {
    return this.#link
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get host(): string {
    return `127.0.0.1:${this.#port}`
  }

  /** Writes the settings that people write by hand. It sees them while it runs. */
  settle(settings: object): void {
    mkdirSync(join(this.home, "state"), { recursive: true, mode: 0o700 })
    const file = join(this.home, "state", "settings.json")
    // In one step: other tests may use the server meanwhile.
    writeFileSync(`${file}.new`, JSON.stringify(settings), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }

  /** Writes one agent into the settings, or takes it out, and leaves the others that came in this way. */
  settleAgent(id: string, entry: object | undefined): void {
    // What is undefined is not written.
    this.#agents = { ...this.#agents, [id]: entry }
    this.settle({ agents: this.#agents })
  }

  /** A name for an agent, which is another one each time. */
  nextName(): string {
    this.#names += 1
    return `Agent ${this.#names}`
  }

  /** Starts it, on the port and the state folder of before if there was one. */
  async start(): Promise<void> {
    const { cursor, env, quirks } = this.#options
    const args = [entry, "serve", "--port", String(this.#port), "--state-dir", join(this.home, "state")]
    const child = spawn(process.execPath, args, {
      cwd: this.home,
      env: {
        // Nothing of whoever runs the tests: no login, no settings, no Cursor.
        HOME: this.home,
        ...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
        LANG: "C.UTF-8",
        PATH: cursor ? `${emulatorFolder}${delimiter}${pathWithoutCursor}` : pathWithoutCursor,
        FAKE_CURSOR_STATE: join(this.home, "cursor"),
        FAKE_CURSOR_TIME_SCALE: String(timeScale),
        ...(quirks !== undefined && { FAKE_CURSOR_QUIRKS: quirks }),
        ...env
      }
    })
    this.#child = child
    const link = await new Promise<string>((resolve, reject) => {
      const before = this.#output.length
      const hear = (data: Buffer) => {
        this.#output += data.toString()
        const [found] = /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(this.#output.slice(before)) ?? []
        if (found !== undefined) resolve(found)
      }
      child.stdout.on("data", hear)
      child.stderr.on("data", hear)
      child.once("exit", () => reject(new Error(`The server ended instead of printing its link:\n${this.#output}`)))
    })
    this.#link = link
    this.#port = Number(new URL(link).port)
  }

  /** Ends it at once, as a crash would. */
  async crash(): Promise<void> {
    await this.#end("SIGKILL")
  }

  /** Ends it as Ctrl-C does. Returns what is left of the agents that it ran, which should be nothing. */
  async stop(): Promise<ReadonlyArray<number>> {
    const groups = groupsBelow(this.#child?.pid ?? 0)
    await this.#end("SIGTERM")
    const left = (await remainsOf(groups)).map(({ pid }) => pid)
    for (const pid of left) process.kill(pid, "SIGKILL")
    return left
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once("exit", resolve))
    child.kill(signal)
    await exited
  }
}
