// What keystrokes leave in memory: `node heap.mjs SUBJECT [KEYSTROKES]`. The subject is `codemirror` (alone), `off` or `on` (Signalbox's
// editor, suggestions off or on). Real keys, as fast as they are taken, in a file of 1,000 lines that is in the end what it was. A tenth
// more comes before the first look, since what is compiled and what has a limit grows at first.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { report } from "../measure.mjs"
import { file } from "../processes.mjs"
import { openedBare } from "./bare.mjs"
import { opened } from "./opened.mjs"
import { emptyLine, typescript } from "./source.mjs"

const [subject, keystrokes = "200000"] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "bench-heap-"))
const [agentHeaps, serverHeaps, stamps] = ["agent", "server", "stamps"].map((name) => join(folder, name))
const looked = ["--expose-gc", "--import", file("editor/heaps.mjs")]

const text = typescript(1000)
const line = emptyLine(text)
const signalbox = () =>
  opened({
    text,
    line,
    suggestions: subject === "on" && { debounce: 20 },
    agentNode: [...looked, "--import", file("editor/stamps.mjs")],
    agentEnv: { BENCH_HEAPS: agentHeaps, BENCH_STAMPS: stamps },
    serverNode: looked,
    serverEnv: { BENCH_HEAPS: serverHeaps }
  })

const linesOf = (name) => (existsSync(name) ? readFileSync(name, "utf8").trim().split("\n") : [])

/** The memory of a process that loads `heaps.mjs`, after a collection. */
const heapOf = async (name) => {
  const before = linesOf(name)
  if (before.length === 0) return { heapMb: 0, codeMb: 0, outsideMb: 0 }
  process.kill(Number(before[0]), "SIGUSR2")
  while (linesOf(name).length === before.length) await wait(50)
  return JSON.parse(linesOf(name).at(-1))
}

const { close, page } = await (subject === "codemirror" ? openedBare(text, line) : signalbox())
try {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send("Performance.enable")
  const look = async () => {
    // What was asked is answered, and what is kept a moment later is kept.
    await wait(3000)
    for (let times = 0; times < 3; times++) await devtools.send("HeapProfiler.collectGarbage")
    const { metrics } = await devtools.send("Performance.getMetrics")
    const value = (wanted) => metrics.find(({ name }) => name === wanted).value
    return {
      page: { heapMb: value("JSHeapUsedSize") / 1e6, nodes: value("Nodes"), listeners: value("JSEventListeners") },
      server: await heapOf(serverHeaps),
      agent: await heapOf(agentHeaps)
    }
  }

  const key = (name, modifiers = 0) => {
    const isText = name.length === 1
    const code = { Tab: 9, Backspace: 8, Home: 36 }[name] ?? name.toUpperCase().charCodeAt(0)
    return devtools.send("Input.dispatchKeyEvent", {
      type: isText ? "keyDown" : "rawKeyDown",
      key: name,
      code: isText ? "" : name,
      windowsVirtualKeyCode: code,
      modifiers,
      ...(isText && { text: name })
    })
  }
  const shift = 8
  const ghost = page.locator(".cm-ghost").first()
  let accepted = 0
  /** Writes a line and takes it away again. Sometimes it waits for the suggestion, and takes it first. */
  const row = async (isPatient) => {
    await Promise.all("const row".split("").map((letter) => key(letter)))
    if (isPatient && subject === "on") {
      await ghost.waitFor()
      await key("Tab")
      await ghost.waitFor({ state: "detached" })
      accepted += 1
    }
    await Promise.all([key("Home", shift), key("Backspace")])
    return "const row".length + 2
  }
  const type = async (count) => {
    let typed = 0
    for (let rows = 0; typed < count; rows++) typed += await row(rows % 50 === 0)
    return typed
  }

  await type(Number(keystrokes) / 10)
  const before = await look()
  const from = performance.now()
  const typed = await type(Number(keystrokes))
  const seconds = (performance.now() - from) / 1000
  const after = await look()
  // What is suggested there is no part of the line.
  const content = await page.locator(".cm-activeLine").evaluateAll(([line]) => {
    const copy = line.cloneNode(true)
    for (const drawn of copy.querySelectorAll("[aria-hidden]")) drawn.remove()
    return copy.textContent
  })
  if (content !== "") throw new Error(`The line is not what it was: ${content}`)
  const grown = (where, what) => after[where][what] - before[where][what]
  report({
    keystrokes: typed,
    seconds,
    answers: linesOf(stamps).length,
    accepted,
    pageMb: after.page.heapMb,
    pageGrowthMb: grown("page", "heapMb"),
    nodesGrowth: grown("page", "nodes"),
    listenersGrowth: grown("page", "listeners"),
    serverMb: after.server.heapMb,
    serverGrowthMb: grown("server", "heapMb"),
    serverCodeGrowthMb: grown("server", "codeMb"),
    serverOutsideGrowthMb: grown("server", "outsideMb"),
    agentMb: after.agent.heapMb,
    agentGrowthMb: grown("agent", "heapMb"),
    agentCodeGrowthMb: grown("agent", "codeMb")
  })
} finally {
  await close()
  rmSync(folder, { recursive: true, force: true })
}
