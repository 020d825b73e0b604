/** One page of Signalbox as a person has it: with what can be seen, read and pressed. */
import type { Browser, BrowserContext, Locator, Page } from "playwright-core"

export interface Size {
  readonly width: number
  readonly height: number
}

export const desktop: Size = { width: 1440, height: 900 }

/** How long anything that must happen may take on a machine that is busy with other tests, milliseconds. */
export const patience = 60_000

/** How many times slower than elsewhere a page may be on a machine that is busy with other tests. */
const slowest = 12

/** Gives the page more time before it gives up, for example moving the focus to what is not drawn yet. Runs in the page. */
const waitLonger = (times: number) => {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  AbortSignal.timeout = (milliseconds) => timeout(milliseconds * times)
}

/** A browser that has been nowhere: no cookies, nothing kept. */
export const newBrowserContext = async (browser: Browser): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: desktop, reducedMotion: "reduce" })
  context.setDefaultTimeout(patience)
  return context
}

/** The agent in most of the story. */
export const simulated = "Cursor (simulated)"

/** How the words of an end appear in the transcript. */
export type Ended = "Completed" | "Cancelled" | "Failed" | "Lost" | "Refused" | "Limited"

/**
 * The error of a script that Playwright puts into each page of a context where a WebSocket was routed once. In a new page it may run before
 * the script that it needs. Nothing of the page has this name.
 */
const ofPlaywright = /^TypeError: Cannot read properties of undefined \(reading 'addBinding'\)$/

export class Tab {
  readonly page: Page
  #expected: ReadonlyArray<RegExp> = []
  readonly #complaints: Array<string> = []

  private constructor(page: Page) {
    this.page = page
    // Scripts and styles that the content security policy stops are complained about here, too.
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.#complaints.push(message.text())
    })
    page.on("pageerror", (error) => this.#complaints.push(String(error)))
  }

  /** `before` gets at the page before it is opened. */
  static async open(context: BrowserContext, address: string, before?: (page: Page) => Promise<void>): Promise<Tab> {
    const page = await context.newPage()
    const tab = new Tab(page)
    await page.addInitScript(waitLonger, slowest)
    await before?.(page)
    await page.goto(address)
    return tab
  }

  /** Names complaints of the browser that belong to the test, such as a connection that is refused on purpose. */
  expect(...complaints: ReadonlyArray<RegExp>): void {
    this.#expected = [...this.#expected, ...complaints]
  }

  /** What the browser complained about and no test asked for. */
  complaints(): ReadonlyArray<string> {
    const expected = [...this.#expected, ofPlaywright]
    return this.#complaints.filter((text) => !expected.some((pattern) => pattern.test(text)))
  }

  async close(): Promise<void> {
    await this.page.close()
  }

  /** Closes it as people do: the page hears of it first. */
  async leave(): Promise<void> {
    const closed = this.page.waitForEvent("close")
    await this.page.close({ runBeforeUnload: true })
    await closed
  }

  cookies() {
    return this.page.context().cookies()
  }

  get transcript(): Locator {
    return this.page.getByRole("log", { name: "Transcript" })
  }

  get desk(): Locator {
    return this.page.getByRole("region", { name: "Desk" })
  }

  get nowLine(): Locator {
    return this.page.getByRole("region", { name: "Now" })
  }

  get composer(): Locator {
    return this.page.locator("#prompt")
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name, ...(typeof name === "string" && { exact: true }) })
  }

  /** An answer on the desk; it carries its key besides its name. */
  answer(name: string): Locator {
    return this.desk.getByRole("button", { name: new RegExp(`^${name}( ?\\d)?$`) })
  }

  /** What is asked on the desk, by its title. */
  asked(title: string | RegExp): Locator {
    return this.desk.getByRole("article", { name: title })
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole("heading", { name })
  }

  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor()
  }

  /** Waits until the transcript says it. */
  async reads(text: string | RegExp): Promise<void> {
    await this.transcript.getByText(text).first().waitFor()
  }

  /** Waits until so many turns have ended like this. */
  async ended(how: Ended, count = 1): Promise<void> {
    await this.transcript
      .getByRole("heading", { name: how, exact: true })
      .nth(count - 1)
      .waitFor()
  }

  /** The transcript as text, in one line. */
  async story(): Promise<string> {
    return ((await this.transcript.textContent()) ?? "").replaceAll(/\s+/g, " ")
  }

  /** Starts a thread as people do: the agents' page, the folder, the button. The page then moves the focus, and may do so late. */
  async startThread(folder: string, agent = simulated): Promise<void> {
    await this.beginThread(folder, agent)
    await this.composer.and(this.page.locator(":focus")).waitFor()
  }

  /** Starts a thread, and goes on before the page has moved the focus. */
  async beginThread(folder: string, agent = simulated): Promise<void> {
    await this.button("New thread").click()
    await this.button(`Start a thread with ${agent}`).click()
    await this.page.getByLabel(`Folder in which ${agent} works`).fill(folder)
    await this.page.getByRole("button", { name: /^Start in / }).click()
    await this.composer.waitFor()
  }

  /** Writes a prompt and sends it off, or into the queue. */
  async prompt(text: string): Promise<void> {
    await this.composer.fill(text)
    await this.composer.press("Control+Enter")
    await this.page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("#prompt")?.value === "")
  }

  /** Gives the agent a prompt that it works on until it is stopped, and waits until it does. */
  async hang(): Promise<void> {
    await this.prompt("hang")
    await this.nowLine.getByText("Working").waitFor()
  }

  /** Waits for the card to take answers, which it does half a second after it came. */
  async settled(answer: string): Promise<Locator> {
    const button = this.answer(answer)
    await button.and(this.page.locator(":not([aria-disabled])")).waitFor()
    return button
  }

  async press(...keys: ReadonlyArray<string>): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key)
  }

  /** The process of the thread's agent, which leads a group of its own. */
  async agentPid(): Promise<number> {
    const panel = this.page.getByRole("complementary", { name: "State of the thread" })
    const told = await panel.getByText(/^running, pid \d+$/).textContent()
    return Number(/\d+$/.exec(told ?? "")?.[0])
  }

  /** Gives the window a size, and waits until the page is laid out for it: the browser answers before that. */
  async resize(size: { readonly width: number; readonly height: number }): Promise<void> {
    await this.page.setViewportSize(size)
    await this.page.waitForFunction(({ height, width }) => innerWidth === width && innerHeight === height, size)
    await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  }

  /** Whether the page can be scrolled sideways, and by how many pixels. */
  sideways(): Promise<number> {
    return this.page.evaluate(() => {
      const { clientWidth, scrollWidth } = document.documentElement
      return scrollWidth - clientWidth
    })
  }
}
