// The extension in VS Code itself: `node measure.mjs activation|empty|chat|long-page|long-chat|hidden`. Each window is a fresh one.
// Needs Chromium, and code-server, which `npm run test:vscode` installs.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { Bench } from "../../apps/vscode/host/Bench.ts"
import { fill } from "../../apps/web/test/support/LongThread.ts"
import { report } from "../measure.mjs"
import { file, start } from "../processes.mjs"

const what = process.argv[2]
/** Entries of the long thread. */
const entries = 50_000
/** Milliseconds in which a window comes to rest, before anything is measured. */
const rest = 6000
/** Milliseconds for what never comes. */
const patience = 120_000
/** Milliseconds for which a hidden view is watched. */
const watched = 20_000

const agents = { flood: { name: "Flood", command: process.execPath, args: [file("flood-agent.mjs")] } }
const bench = await Bench.open({ agents, env: (home) => ({ SIGNALBOX_BENCH_RESULT: join(home, "result.json") }) })
/** A server that runs already: starting one is no part of what is measured. */
const serve = async () => {
  const server = start("../apps/server/dist/bin.js", ["serve", "--port", "0", "--state-dir", bench.state])
  const [link] = await server.line(/http:\S+\/#token=\S+/)
  return { server, link }
}

const freshWindow = async (extension) => {
  const window = await bench.window(extension)
  await wait(rest)
  return window
}

/** Milliseconds from a press on the icon until a document of the view has the text. */
const shownAfter = async ({ page }, title, text) => {
  const from = performance.now()
  await page.locator(`.activitybar [aria-label^="${title}"]`).first().click()
  while (true) {
    for (const frame of page.frames().slice(1)) {
      const count = await frame
        .getByText(text)
        .count()
        .catch(() => 0)
      if (count > 0) return performance.now() - from
    }
    if (performance.now() - from > patience) throw new Error(`${title} did not show ${text} within ${patience} ms`)
    await wait(5)
  }
}

/** CPU milliseconds of the extension hosts, without what they have started, by the kernel's count of 10 ms. */
const hostCpu = () => {
  let ticks = 0
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8")
      if (!words.includes("--type=extensionHost") || !readFileSync(`/proc/${pid}/environ`, "utf8").includes(bench.home))
        continue
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")
      ticks += Number(fields[11]) + Number(fields[12])
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks * 10
}

const beginThread = async (page, link, agent) => {
  await page.goto(link)
  await page.getByRole("button", { name: "New thread" }).click()
  await page.getByRole("button", { name: `Start a thread with ${agent}` }).click()
  await page.getByLabel(`Folder in which ${agent} works`).fill(bench.folder)
  await page.getByRole("button", { name: /^Start in / }).click()
  await page.getByRole("region", { name: "Now" }).getByText("Ready").waitFor()
}

const send = async (page, text) => {
  await page.locator("#prompt").fill(text)
  await page.locator("#prompt").press("Control+Enter")
}

const lastWords = `Entry ${entries + 1}`

/** A thread with all those entries in the folder of the window, and a server that has just read it. */
const longThread = async () => {
  const first = await serve()
  const context = await bench.browser.newContext({ viewport: { width: 1280, height: 860 } })
  const page = await context.newPage()
  await beginThread(page, first.link, "Eliza")
  await send(page, "The very first words")
  await page.getByText("Completed", { exact: true }).waitFor()
  const { hash } = new URL(page.url())
  await page.goto("about:blank")
  await first.server.stop()
  fill(join(bench.state, "signalbox.sqlite"), entries)
  return { ...(await serve()), hash, page }
}

/** The extension in a folder of its own, without the event that activates it when a window has started. */
const unasked = () => {
  const source = file("../apps/vscode")
  const folder = join(bench.home, "extension")
  mkdirSync(folder)
  for (const part of ["dist", "media"]) symlinkSync(join(source, part), join(folder, part))
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, activationEvents: [] }))
  return folder
}

const measures = {
  activation: async () => {
    const { server } = await serve()
    const page = await bench.browser.newPage()
    await page.exposeFunction("codeAutomationLog", () => {})
    const exit = new Promise((resolve) => void page.exposeFunction("codeAutomationExit", resolve))
    const extension = unasked()
    await page.goto(bench.code.address(bench.folder, extension, file("vscode/activation.cjs")))
    await exit
    await server.stop()
    return JSON.parse(readFileSync(join(bench.home, "result.json"), "utf8"))
  },
  empty: async () => ({ shownMs: await shownAfter(await freshWindow(file("vscode/empty")), "Empty", "Empty") }),
  chat: async () => {
    const { server } = await serve()
    const shownMs = await shownAfter(await freshWindow(), "Signalbox", "New thread in ledger")
    await server.stop()
    return { shownMs }
  },
  "long-page": async () => {
    const { hash, link, page, server } = await longThread()
    await page.goto(link)
    await page.getByText("Connected").first().waitFor()
    await page.goto("about:blank")
    const from = performance.now()
    await page.goto(new URL(hash, link).href)
    await page.getByText(lastWords, { exact: true }).waitFor()
    const shownMs = performance.now() - from
    await server.stop()
    return { shownMs }
  },
  "long-chat": async () => {
    const { page, server } = await longThread()
    await page.close()
    const shownMs = await shownAfter(await freshWindow(), "Signalbox", lastWords)
    await server.stop()
    return { shownMs }
  },
  hidden: async () => {
    const { link, server } = await serve()
    const page = await (await bench.browser.newContext()).newPage()
    await beginThread(page, link, "Flood")
    const window = await freshWindow()
    await shownAfter(window, "Signalbox", "Ready")
    await window.go("Explorer")
    await wait(rest)
    const still = hostCpu()
    await wait(watched)
    const idleCpuMs = hostCpu() - still
    await send(page, `paced ${Math.round((watched * 1.5) / 1000) * 1000}`)
    await page.getByRole("button", { name: "Stop" }).waitFor()
    await page.close()
    await wait(2000)
    const before = hostCpu()
    await wait(watched)
    const floodCpuMs = hostCpu() - before
    const documents = window.page.frames().filter((frame) => frame.url().includes("/fake.html")).length
    await server.stop()
    return { idleCpuMs, floodCpuMs, addedShare: (floodCpuMs - idleCpuMs) / watched, documents }
  }
}

try {
  report(await measures[what]())
} finally {
  await bench.close()
}
