/** VS Code itself, served to a browser: the server inside of code-server, with folders and settings of its own. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { serverProgram } from "./Installation.ts"

export interface CodeServerOptions {
  /** The folder of all that it writes. */
  readonly home: string
  /** Settings that count for the machine, by their full names. */
  readonly settings?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
  /** Asks people whether they trust a folder, as VS Code does for its users. */
  readonly trustIsAsked?: boolean
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() =>
        address === null || typeof address === "string" ? reject(new Error("no port")) : resolve(address.port)
      )
    })
  })

/** What keeps VS Code from doing anything that a test has not asked for. */
const quiet = {
  "telemetry.telemetryLevel": "off",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "chat.disableAIFeatures": true,
  "window.restoreWindows": "none",
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true
}

/** Writes the settings of the machine. */
const settle = (home: string, settings: Readonly<Record<string, unknown>>): void => {
  const machine = join(home, "data", "Machine")
  mkdirSync(machine, { recursive: true })
  writeFileSync(join(machine, "settings.json"), JSON.stringify({ ...quiet, ...settings }))
}

export class CodeServer {
  readonly port: number
  readonly #child: ChildProcess
  #output = ""

  private constructor(port: number, child: ChildProcess) {
    this.port = port
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: unknown) => (this.#output = `${this.#output}${String(chunk)}`.slice(-20_000)))
  }

  static async start({ env = {}, home, settings = {}, trustIsAsked = false }: CodeServerOptions): Promise<CodeServer> {
    const port = await freePort()
    settle(home, settings)
    const child = spawn(
      process.execPath,
      [
        serverProgram,
        "--host",
        "127.0.0.1",
        "--port",
        String(port),
        "--without-connection-token",
        "--accept-server-license-terms",
        "--enable-smoke-test-driver",
        "--server-data-dir",
        home,
        "--extensions-dir",
        join(home, "extensions"),
        "--telemetry-level",
        "off",
        ...(trustIsAsked ? [] : ["--disable-workspace-trust"])
      ],
      { env: { ...process.env, HOME: home, ...env }, stdio: ["ignore", "pipe", "pipe"], detached: true }
    )
    const server = new CodeServer(port, child)
    await server.#listening()
    return server
  }

  /** The address of a window with the folder open, or with those of a `.code-workspace` file. `tests`: the module that the extension host runs. */
  address(folder: string | undefined, extension?: string, tests?: string): string {
    const remote = (path: string): string => `vscode-remote://127.0.0.1:${this.port}${path}`
    const payload = [
      ...(extension === undefined ? [] : [["extensionDevelopmentPath", remote(extension)]]),
      ...(tests === undefined ? [] : [["extensionTestsPath", remote(tests)]]),
      ["skipWelcome", "true"]
    ]
    const kind = folder?.endsWith(".code-workspace") === true ? "workspace" : "folder"
    const opened = folder === undefined ? "ew=true" : `${kind}=${encodeURIComponent(folder)}`
    return `http://127.0.0.1:${this.port}/?${opened}&payload=${encodeURIComponent(JSON.stringify(payload))}`
  }

  /** What it has printed last, for a failure's message. */
  get output(): string {
    return this.#output
  }

  /** Ends it with its extension hosts, which would wait for their window to come back. */
  async stop(): Promise<void> {
    const { pid } = this.#child
    if (pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = new Promise((resolve) => this.#child.once("exit", resolve))
    process.kill(-pid, "SIGKILL")
    await exited
  }

  async #listening(): Promise<void> {
    while (true) {
      if (this.#child.exitCode !== null)
        throw new Error(`code-server ended with ${this.#child.exitCode}: ${this.#output}`)
      const answer = await fetch(`http://127.0.0.1:${this.port}/version`).catch(() => undefined)
      if (answer?.ok === true) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
