/** What each test in VS Code begins with: folders of its own, VS Code, a browser, and no server of Signalbox yet. */
import { type Browser, chromium, type Frame, type Locator, type Page } from "playwright-core"
import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as RunningServer from "@signalbox/attach/RunningServer"
import { CodeServer } from "./CodeServer.ts"
import { isInstalled, isRequired } from "./Installation.ts"

export const repository = fileURLToPath(new URL("../../..", import.meta.url))
export const extensionFolder = join(repository, "apps", "vscode")
const { entryIn }: { readonly entryIn: (root: string) => string } = createRequire(import.meta.url)(
  join(repository, "scripts", "entry.cjs")
)

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
const chromiumPath = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin"]
  .flatMap((folder) => names.map((name) => join(folder, name)))
  .find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** Why the tests can't run here. Undefined if they can, or have to. */
export const missing: string | undefined = isRequired
  ? undefined
  : !isInstalled()
    ? "code-server is not installed, so the tests in VS Code are skipped."
    : chromiumPath === undefined
      ? "No Chromium was found, so the tests in VS Code are skipped."
      : undefined

export interface BenchOptions {
  readonly settings?: Readonly<Record<string, unknown>>
  /** Asks people whether they trust a folder, as VS Code does for its users. */
  readonly trustIsAsked?: boolean
  /** Agents of the server's settings, by their ids. */
  readonly agents?: Readonly<Record<string, object>>
  /** The server's settings of suggestions. */
  readonly suggestions?: object
  /** Further files of the folder, by their paths. */
  readonly files?: Readonly<Record<string, string>>
  /** Further variables for VS Code, by the home of the test. */
  readonly env?: (home: string) => Readonly<Record<string, string>>
}

/** Milliseconds for what hangs: a busy machine must not reach them. */
const patience = 90_000

/** The command that runs Signalbox from this repository. */
export const ownCommand = [process.execPath, entryIn(repository)]

export class Bench {
  readonly home: string
  /** The folder that the window opens. */
  readonly folder: string
  readonly state: string
  readonly code: CodeServer
  readonly browser: Browser

  private constructor(home: string, code: CodeServer, browser: Browser) {
    this.home = home
    this.folder = join(home, "ledger")
    this.state = join(home, "state")
    this.code = code
    this.browser = browser
  }

  static async open({
    agents,
    env,
    files = {},
    settings = {},
    suggestions,
    trustIsAsked = false
  }: BenchOptions = {}): Promise<Bench> {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-vscode-")))
    mkdirSync(join(home, "ledger", "src"), { recursive: true })
    writeFileSync(join(home, "ledger", "src", "deliver.ts"), "export const tries = 3\nexport const wait: string = 2\n")
    for (const [path, text] of Object.entries(files)) writeFileSync(join(home, "ledger", path), text)
    mkdirSync(join(home, "state"), { mode: 0o700 })
    if (agents !== undefined || suggestions !== undefined)
      writeFileSync(join(home, "state", "settings.json"), JSON.stringify({ agents, suggestions }), { mode: 0o600 })
    mkdirSync(join(home, "user"))
    mkdirSync(join(home, "tmp"))
    const all = { "signalbox.command": ownCommand, "signalbox.stateFolder": join(home, "state"), ...settings }
    const code = await CodeServer.start({
      home: join(home, "code"),
      env: { TMPDIR: join(home, "tmp"), ...env?.(home) },
      trustIsAsked,
      settings: all
    })
    const browser = await chromium.launch({
      executablePath: chromiumPath ?? "chromium",
      args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
      env: { ...process.env, HOME: join(home, "user") }
    })
    return new Bench(home, code, browser)
  }

  /** A window with the folder, and the extension from its source folder. `null`: the one that is installed. */
  async window(extension: string | null = extensionFolder, folder = this.folder): Promise<ChatWindow> {
    const page = await this.browser.newPage({ viewport: { width: 1280, height: 860 } })
    page.setDefaultTimeout(patience)
    await page.goto(this.code.address(folder, extension ?? undefined))
    await page.waitForSelector(".monaco-workbench")
    return new ChatWindow(page)
  }

  /** The server that the extension has found or started. */
  server(): RunningServer.RunningServer | undefined {
    return RunningServer.announcedIn(this.state)
  }

  async close(): Promise<void> {
    await this.browser.close()
    await this.code.stop()
    const server = this.server()
    if (server !== undefined) await ended(server.pid, "SIGTERM")
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 })
  }
}

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Signals a process, and resolves when it is gone. */
export const ended = async (pid: number, signal: NodeJS.Signals): Promise<void> => {
  process.kill(pid, signal)
  while (lives(pid)) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Runs in the window: whether any of its databases has the text. */
const isKept = `async (sought) => {
  const answered = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  for (const { name } of await indexedDB.databases()) {
    const database = await answered(indexedDB.open(name))
    try {
      for (const store of database.objectStoreNames) {
        const values = await answered(database.transaction(store).objectStore(store).getAll())
        if (JSON.stringify(values).includes(sought)) return true
      }
    } finally {
      database.close()
    }
  }
  return false
}`

/** One window of VS Code with the chat. */
export class ChatWindow {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** The documents that people see: the window's own, and those of its views. */
  documents(): ReadonlyArray<Frame> {
    const isSeen = (frame: Frame): boolean =>
      frame.parentFrame() === null || (frame.childFrames().length === 0 && frame.url().includes("/fake.html"))
    return this.page.frames().filter(isSeen)
  }

  /** Opens the view of an icon in the activity bar. */
  async go(title: "Signalbox" | "Explorer"): Promise<void> {
    await this.page.locator(`.activitybar [aria-label^="${title}"]`).first().click()
    // The name of the icon would float over the view.
    await this.page.mouse.move(700, 500)
  }

  /** The document of the chat in which `selector` is found. */
  async chat(selector = "#root *"): Promise<Frame> {
    while (true) {
      for (const frame of this.page.frames())
        if (
          (await frame
            .locator(`body:has(#root) ${selector}`)
            .count()
            .catch(() => 0)) > 0
        )
          return frame
      await this.page.waitForTimeout(50)
    }
  }

  /** Runs a command of the palette by its title. */
  async run(title: string): Promise<void> {
    await this.page.keyboard.press("F1")
    await this.page.keyboard.type(title)
    await this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: title }).first().waitFor()
    await this.page.keyboard.press("Enter")
  }

  /** Opens a file of the folder in the editor. */
  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press("Control+P")
    await this.page.keyboard.type(name)
    await this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name }).first().waitFor()
    await this.page.keyboard.press("Enter")
    await this.page.locator(".tab.active").filter({ hasText: name }).waitFor()
  }

  /** Resolves when the field of the prompt has the text. The policy of the view lets in no script that could wait for it there. */
  async fieldHas(text: string): Promise<void> {
    const chat = await this.chat("textarea")
    while (!(await chat.locator("textarea").inputValue()).includes(text)) await this.page.waitForTimeout(50)
  }

  /** Resolves when VS Code has written down, in its browser, what its tabs keep, and the text is in it. */
  async keeps(text: string): Promise<void> {
    while (!(await this.page.evaluate<boolean>(`(${isKept})(${JSON.stringify(text)})`)))
      await this.page.waitForTimeout(100)
  }

  /** Finds a notification. VS Code shows none by itself while it is driven by tests, and keeps them in its list. */
  async notification(text: string): Promise<Locator> {
    await this.page.locator('.statusbar-item[id="status.notifications"]').click()
    const found = this.page.locator(".notification-list-item").filter({ hasText: text }).first()
    await found.waitFor()
    return found
  }

  /** Keeps what the window shows, for whoever looks into a failure. */
  async photograph(name: string): Promise<void> {
    await this.page.screenshot({ path: join(repository, ".tmp", "vscode", `${name.replace(/\W+/g, "-")}.png`) })
  }

  status(): Locator {
    return this.page.locator('.statusbar-item[id*="signalbox.status"]')
  }
}
