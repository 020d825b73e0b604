// How long a person waits: `npm start` (all built and installed) until the page is served, and `signalbox --version`.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "./processes.mjs"

export const startPage = async () => {
  const state = mkdtempSync(join(tmpdir(), "bench-start-"))
  const from = performance.now()
  const npm = spawn("npm", ["start", "--silent", "--", "--port", "0", "--state-dir", state], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" }
  })
  let text = ""
  const url = await new Promise((found, fail) => {
    npm.stdout.setEncoding("utf8").on("data", (chunk) => {
      text += chunk
      const link = /(http:\S+)\/#token=/.exec(text)
      if (link) found(link[1])
    })
    npm.on("exit", () => fail(new Error(`npm start ended: ${text}`)))
  })
  const page = await fetch(`${url}/`)
  await page.text()
  const wallMs = performance.now() - from
  if (page.status !== 200) throw new Error(`The page was answered with ${page.status}.`)
  if (npm.pid !== undefined) process.kill(-npm.pid, "SIGTERM")
  await once(npm, "exit")
  rmSync(state, { recursive: true, force: true })
  return { wallMs }
}

export const startVersion = async () => {
  const from = performance.now()
  const launcher = spawn(process.execPath, [join(root, "bin", "signalbox.cjs"), "--version"], { stdio: "ignore" })
  await once(launcher, "exit")
  return { wallMs: performance.now() - from }
}
