// A file in Signalbox's editor: the real server, the reference agent for suggestions, and Chromium. $SIGNALBOX_CHROMIUM names another one.
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromium } from "playwright-core"
import { file, start } from "../processes.mjs"

const agentProgram = file("../packages/stand-in-agents/src/nes/main.ts")

export const launchChromium = () =>
  chromium.launch({
    executablePath: process.env.SIGNALBOX_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
  })

export const newPage = async (browser) => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" })
  page.setDefaultTimeout(60_000)
  return page
}

/**
 * Opens a file of the text in a thread, with the caret in a line. `suggestions`: its settings beside the agent; without any, nobody suggests.
 * `agentNode`, `serverNode`: options of their Node.
 */
export const opened = async ({
  agentEnv = {},
  agentNode = [],
  line,
  name = "main.ts",
  serverEnv = {},
  serverNode = [],
  suggestions,
  text
}) => {
  const home = mkdtempSync(join(tmpdir(), "bench-editor-"))
  const [project, state] = ["project", "state"].map((folder) => join(home, folder))
  mkdirSync(state, { mode: 0o700 })
  execFileSync("git", ["init", "--quiet", project])
  writeFileSync(join(project, name), text)
  const agents = {
    flood: { name: "Flood", command: process.execPath, args: [file("flood-agent.mjs")] },
    nes: { name: "Next Edit", command: process.execPath, args: [...agentNode, agentProgram], env: agentEnv }
  }
  writeFileSync(
    join(state, "settings.json"),
    JSON.stringify({ agents, ...(suggestions && { suggestions: { provider: "nes", ...suggestions } }) })
  )
  const server = start("../apps/server/dist/bin.js", ["serve", "--port", "0", "--state-dir", state], {
    nodeArgs: serverNode,
    env: serverEnv
  })
  const browser = await launchChromium()
  const close = async () => {
    await browser.close()
    await server.stop()
    rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  }
  try {
    const [link] = await server.line(/http:\S+\/#token=\S+/)
    const page = await newPage(browser)
    await page.goto(link)
    await page.getByRole("button", { name: "New thread" }).click()
    await page.getByRole("button", { name: "Start a thread with Flood" }).click()
    await page.getByLabel("Folder in which Flood works").fill(project)
    await page.getByRole("button", { name: /^Start in / }).click()
    await page.getByRole("region", { name: "Now" }).getByText("Ready").waitFor()
    await page.goto(`${page.url()}/files/${name}:${line}`)
    const code = page.getByRole("textbox", { name: `Text of ${name}` })
    await code.waitFor()
    const status = page.getByRole("region", { name: "State of the file" })
    await status.getByText(suggestions ? "Suggestions by Next Edit" : "Suggestions off").waitFor()
    await status.getByText(`Ln ${line}, Col 1`).waitFor()
    await code.focus()
    return { page, browser, server, home, project, code, status, close }
  } catch (error) {
    await close()
    throw error
  }
}
