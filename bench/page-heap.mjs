// What one live message of 1.15 million characters holds in the page: `node page-heap.mjs [CHARACTERS]`. The real server and agent,
// Chromium, and its heap after collection: on the open thread before the prompt, and while the message is shown and its turn goes on.
// Needs Chromium; $SIGNALBOX_CHROMIUM names another one.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromium } from "playwright-core"
import { report } from "./measure.mjs"
import { file, start } from "./processes.mjs"

const chunk = 4_000
const chunks = Math.ceil(Number(process.argv[2] ?? 1_150_000) / chunk)
const home = mkdtempSync(join(tmpdir(), "bench-page-"))
const agent = { name: "Flood", command: process.execPath, args: [file("flood-agent.mjs")] }
writeFileSync(join(home, "settings.json"), JSON.stringify({ agents: { flood: agent } }))

const server = start("../apps/server/dist/bin.js", ["serve", "--port", "0", "--state-dir", home])
const [link] = await server.line(/http:\S+\/#token=\S+/)
const browser = await chromium.launch({
  executablePath: process.env.SIGNALBOX_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
})
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send("Performance.enable")
  const heapMb = async () => {
    await devtools.send("HeapProfiler.collectGarbage")
    const { metrics } = await devtools.send("Performance.getMetrics")
    return metrics.find(({ name }) => name === "JSHeapUsedSize").value / 1e6
  }
  await page.goto(link)
  await page.getByRole("button", { name: "New thread" }).click()
  await page.getByRole("button", { name: "Start a thread with Flood" }).click()
  await page.getByLabel("Folder in which Flood works").fill(home)
  await page.getByRole("button", { name: /^Start in / }).click()
  await page.getByRole("region", { name: "Now" }).getByText("Ready").waitFor()
  const heapBeforeMb = await heapMb()
  const from = performance.now()
  await page.locator("#prompt").fill(`held ${chunks} ${chunk}`)
  await page.locator("#prompt").press("Control+Enter")
  await page.getByText("That was all of it.").waitFor({ timeout: 90_000 })
  const shownMs = performance.now() - from
  const heapWithMb = await heapMb()
  report({ characters: chunks * chunk, heapBeforeMb, heapWithMb, heapGrowthMb: heapWithMb - heapBeforeMb, shownMs })
} finally {
  await browser.close()
  await server.stop()
  rmSync(home, { recursive: true, force: true })
}
