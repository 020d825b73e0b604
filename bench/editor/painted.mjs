// From the moment in which an agent's answer leaves the agent to the frame that shows its suggestion: `node painted.mjs SUBJECT [ROUNDS]`.
// The subject is `by-hand`, or the number of lines of the file in Signalbox's editor. Waiting for the next keystroke is not part of it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { percentile, report } from "../measure.mjs"
import { file, start } from "../processes.mjs"
import { launchChromium, newPage, opened } from "./opened.mjs"
import { emptyLine, typescript } from "./source.mjs"

const [subject, rounds = "100"] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "bench-painted-"))
const stamps = join(folder, "stamps")
const env = { BENCH_STAMPS: stamps }

/**
 * Notes when each ghost text came into the document, and when the frame with it was over. A frame that begins after the one with the text
 * proves that this was painted: so what is noted is up to a frame, 17 ms, more than people wait.
 */
const watch = (page) =>
  page.evaluate(() => {
    globalThis.painted = []
    const now = () => performance.timeOrigin + performance.now()
    const root = document.querySelector("[data-editor]")?.shadowRoot ?? document.body
    let last
    const look = () => {
      const text = root.querySelector(".cm-ghost")?.textContent
      if (text === last) return
      last = text
      if (text === undefined) return
      const one = { text, drawn: now(), painted: 0 }
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          one.painted = now()
          painted.push(one)
        })
      )
    }
    new MutationObserver(look).observe(root, { childList: true, subtree: true, characterData: true })
  })

/** Takes one suggestion after the other, as people do who write a list. */
const inEditor = async () => {
  const text = typescript(Number(subject))
  const line = emptyLine(text)
  const agentNode = ["--import", file("editor/stamps.mjs")]
  const { close, page } = await opened({ text, line, suggestions: { debounce: 20 }, agentNode, agentEnv: env })
  const take = async () => {
    await watch(page)
    const ghost = page.locator(".cm-ghost").first()
    for (let row = 3; row < 3 + Number(rounds); row++) {
      await page.keyboard.insertText("const row")
      await ghost.getByText(`${row} = ${row}`, { exact: true }).waitFor()
      await wait(100)
      await page.keyboard.press("Tab")
      await ghost.waitFor({ state: "detached" })
      await page.keyboard.press("Enter")
      await wait(100)
    }
  }
  return { close, page, take }
}

const byHand = async () => {
  const server = start("editor/by-hand.mjs", [], { env })
  const [, port] = await server.line(/^LISTENING (\d+)/)
  const browser = await launchChromium()
  const page = await newPage(browser)
  await page.goto(`http://127.0.0.1:${port}/`)
  const close = async () => {
    await browser.close()
    await server.stop()
  }
  const take = async () => {
    await watch(page)
    await page.waitForFunction((count) => painted.length >= count, Number(rounds), { timeout: 0 })
  }
  return { close, page, take }
}

const { close, page, take } = await (subject === "by-hand" ? byHand() : inEditor())
try {
  await take()
  const shown = await page.evaluate(() => painted)
  const left = new Map(
    readFileSync(stamps, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .map(({ at, text }) => [text, at])
  )
  // What the agent has not said was made by typing.
  const seen = shown.filter(({ text }) => left.has(text))
  const figures = (name) => seen.map((one) => one[name] - left.get(one.text))
  const [drawn, painted] = [figures("drawn"), figures("painted")]
  report({
    suggestions: seen.length,
    drawnP50: percentile(drawn, 0.5),
    drawnP95: percentile(drawn, 0.95),
    paintedP50: percentile(painted, 0.5),
    paintedP95: percentile(painted, 0.95),
    paintedMax: Math.max(...painted),
    paintedMin: Math.min(...painted)
  })
} finally {
  await close()
  rmSync(folder, { recursive: true, force: true })
}
