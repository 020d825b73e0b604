#!/usr/bin/env node
// Makes docs/thread.png, the picture in the README: `npx turbo run build && node_modules/.bin/node scripts/screenshots.mjs` (needs Chromium; $SIGNALBOX_CHROMIUM names another one).
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { chromium } from "playwright-core"

const repository = fileURLToPath(new URL("..", import.meta.url))
const picture = join(repository, "docs", "thread.png")
const agent = "Cursor (simulated)"

// --- The project that the picture shows

const files = {
  "package.json": `{ "name": "fetch-kit", "type": "module", "scripts": { "test": "vitest run" } }\n`,
  "README.md": "# fetch-kit\n\nFetch with retries, time limits and a cache.\n",
  "src/retry.ts": `import { wait } from './wait.ts'

/** Tries again while the server is busy: 0.5 s, 1 s, 2 s. */
export const retry = async (send: () => Promise<Response>, times = 3) => {
  for (let attempt = 0; ; attempt++) {
    const response = await send()
    if (response.status !== 429 || attempt === times) return response
    await wait(500 * 2 ** attempt)
  }
}
`,
  "src/wait.ts": "export const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))\n"
}

const prompt =
  "The server tells us when to come back, and we ignore it. Honour `Retry-After` in `src/retry.ts`, keep the backoff for servers that say nothing, then run the tests."

/** What the simulated agent does with any prompt that has no directives of its own. */
const scenario = `
[[fake:todos]]
[[fake:grep pattern="status !== 429"]]
[[fake:edit path=src/retry.ts old="    await wait(500 * 2 ** attempt)" new="    const told = Number(response.headers.get('retry-after'))
    await wait(told > 0 ? told * 1000 : 500 * 2 ** attempt)"]]
[[fake:shell cmd="npm test -- retry && git diff --stat"]]`

const makeProject = (parent, name) => {
  const folder = join(parent, name)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  spawnSync("git", ["init", "-q", folder])
  return folder
}

// --- The server and the page

const startServer = async (home) => {
  const child = spawn(
    process.execPath,
    [join(repository, "apps/server/src/bin.ts"), "serve", "--port", "0", "--state-dir", join(home, ".state")],
    {
      cwd: home,
      env: { HOME: home, PATH: process.env.PATH, FAKE_CURSOR_SCENARIO: scenario, FAKE_CURSOR_SEED: "7" },
      stdio: ["ignore", "pipe", "inherit"]
    }
  )
  let printed = ""
  for await (const chunk of child.stdout) {
    printed += chunk
    const link = /http:\S+#token=\S+/.exec(printed)?.[0]
    if (link !== undefined) return { child, link }
  }
  throw new Error(`The server printed no link:\n${printed}`)
}

const startThread = async (page, folder, name) => {
  await page.getByRole("button", { name: "New thread" }).click()
  await page.getByRole("button", { name: `Start a thread with ${name}` }).click()
  await page.getByLabel(`Folder in which ${name} works`).fill(folder)
  await page.getByRole("button", { name: /^Start in / }).click()
  await page.getByRole("region", { name: "Now" }).getByText("Ready").waitFor()
}

const send = async (page, text) => {
  await page.locator("#prompt").fill(text)
  await page.locator("#prompt").press("Control+Enter")
}

const rename = async (page, title) => {
  await page.getByRole("button", { name: "Rename this thread" }).click()
  await page.getByLabel("Title of this thread").fill(title)
  await page.getByRole("button", { name: "Rename", exact: true }).click()
  await page.getByRole("heading", { level: 1, name: title }).waitFor()
}

/** Threads that have been there before: titles beside which the new one stands. */
const settle = async (page, folder, title, text) => {
  await startThread(page, folder, agent)
  await send(page, text)
  await page.getByRole("heading", { name: "Completed" }).waitFor()
  await rename(page, title)
}

const take = async (page, projects) => {
  const fetchKit = makeProject(projects, "fetch-kit")
  const billing = makeProject(projects, "billing-api")
  await settle(page, billing, "Round once, at the end", "[[fake:echo]]")
  await settle(page, billing, "Why is the nightly export slow?", "[[fake:echo]]")
  await settle(page, fetchKit, "Cache by the whole URL", "[[fake:echo]]")
  await startThread(page, fetchKit, agent)
  await send(page, prompt)
  await page.getByRole("article", { name: /wants to run a command/ }).waitFor()
  await rename(page, "Honour Retry-After")
  await page.locator("[data-ask] fieldset button:not([aria-disabled])").first().waitFor()
  await page.evaluate(() => document.activeElement?.blur())
  await page.mouse.move(0, 0)
  mkdirSync(dirname(picture), { recursive: true })
  await page.screenshot({ path: picture })
}

const projectsFolder = () => {
  const wanted = join(tmpdir(), "projects")
  if (existsSync(wanted)) return mkdtempSync(`${wanted}-`)
  mkdirSync(wanted)
  return wanted
}

const home = mkdtempSync(join(tmpdir(), "signalbox-screenshots-"))
const projects = projectsFolder()
const { child, link } = await startServer(home)
const browser = await chromium.launch({
  executablePath: process.env.SIGNALBOX_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
})
try {
  const page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    reducedMotion: "reduce"
  })
  await page.goto(link)
  await take(page, projects)
  console.log(picture)
} finally {
  await browser.close()
  const ended = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGTERM")
  await ended
  rmSync(home, { recursive: true, force: true })
  rmSync(projects, { recursive: true, force: true })
}
