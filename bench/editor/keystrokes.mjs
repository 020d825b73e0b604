// What a keystroke costs in a file of 20,000 lines: `node keystrokes.mjs SUBJECT [KEYSTROKES [PROFILE]]`. The subject is `codemirror`
// (alone, with TypeScript), `plain` (Signalbox's editor, without a language), `off` or `on` (with TypeScript; suggestions off or on). Real
// keys, 80 ms apart, with a pause after each tenth in which suggestions come. Event Timing says when the handlers of a key ran, and when the frame after them was shown; a trace says how much CPU
// they took. Into PROFILE goes a CPU profile of the page, which makes all of it slower.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { percentile, report } from "../measure.mjs"
import { file } from "../processes.mjs"
import { openedBare } from "./bare.mjs"
import { opened } from "./opened.mjs"
import { emptyLine, typescript } from "./source.mjs"

const [subject, keystrokes = "2400", profile] = process.argv.slice(2)
const lines = 20_000
const apart = 80
const pause = 400

/** What people type: names, a template literal, a comment, ends of lines, and what they take back. */
const typed = [
  ["const row3 = 3", "Enter"],
  ['log(`row ${row2 + "x"}` /* all */)', "Enter", "Enter"],
  ["if (isOpen) { send(rows.map(({ id }) => id))", "ArrowLeft", "ArrowRight"],
  ["xxxx", "Backspace", "Backspace", "Backspace", "Backspace", " }", "Enter"]
].flatMap((words) => words.flatMap((word) => (/^(?:Enter|Backspace|Arrow\w+)$/.test(word) ? word : word.split(""))))

const text = typescript(lines)
const line = emptyLine(text)

const folder = mkdtempSync(join(tmpdir(), "bench-keystrokes-"))
const stamps = join(folder, "stamps")

const signalbox = () =>
  opened({
    text,
    line,
    name: subject === "plain" ? "main.txt" : "main.ts",
    suggestions: subject === "on" && {},
    agentNode: ["--import", file("editor/stamps.mjs")],
    agentEnv: { BENCH_STAMPS: stamps }
  })

/** How many answers with a suggestion the agent has given. */
const answers = () => (existsSync(stamps) ? readFileSync(stamps, "utf8").split("\n").length - 1 : 0)

/** Milliseconds of CPU that the main thread spent in the handlers of each key. What a handler causes at once belongs to it. */
const cpuOfKeys = (traceEvents) => {
  const all = []
  for (const { args, name, tdur } of traceEvents.toSorted((one, other) => one.ts - other.ts)) {
    if (name !== "EventDispatch" || tdur === undefined) continue
    if (args.data.type === "keydown") all.push(tdur / 1000)
    if (args.data.type === "keypress") all[all.length - 1] += tdur / 1000
  }
  return all
}

const { browser, close, page } = await (subject === "codemirror" ? openedBare(text, line, !profile) : signalbox())
try {
  // What was begun with the file has ended.
  await wait(3000)
  await page.evaluate(() => {
    globalThis.keys = []
    globalThis.entries = []
    const own = ({ timeStamp }) => keys.push(timeStamp)
    addEventListener("keydown", own, { capture: true })
    // An editor hears of its change by a MutationObserver, which runs once a handler of this event has ended. Without any it runs later, unseen.
    addEventListener("input", () => {}, { capture: true })
    new PerformanceObserver((list) => {
      for (const { duration, name, processingEnd, processingStart, startTime } of list.getEntries())
        entries.push({ name, startTime, processingStart, processingEnd, duration })
    }).observe({ type: "event", durationThreshold: 16 })
  })
  const devtools = profile && (await page.context().newCDPSession(page))
  if (devtools) {
    await devtools.send("Profiler.enable")
    await devtools.send("Profiler.setSamplingInterval", { interval: 200 })
    await devtools.send("Profiler.start")
  }
  await browser.startTracing(page, { categories: ["devtools.timeline"] })
  let next = performance.now()
  for (let count = 0; count < Number(keystrokes); count++) {
    await wait(Math.max(0, next - performance.now()))
    next += count % 10 === 9 ? pause : apart
    await page.keyboard.press(typed[count % typed.length])
  }
  await wait(1000)
  if (devtools) writeFileSync(profile, JSON.stringify((await devtools.send("Profiler.stop")).profile))
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString())
  const cpu = cpuOfKeys(traceEvents)
  const { entries, keys } = await page.evaluate(() => ({ entries, keys }))
  const strokes = keys.map((at, index) => {
    const until = keys[index + 1] ?? Number.POSITIVE_INFINITY
    const own = entries.filter(
      ({ name, startTime }) => /^key(?:down|press)$|input$/.test(name) && startTime >= at && startTime < until
    )
    if (own.length === 0) return undefined
    return {
      handler: Math.max(...own.map((one) => one.processingEnd)) - Math.min(...own.map((one) => one.processingStart)),
      duration: Math.max(...own.map((one) => one.duration))
    }
  })
  // One without an entry took less than 16 ms from the key to the frame.
  const figures = (name) => {
    const all = strokes.map((one) => one?.[name] ?? 0)
    return [percentile(all, 0.5), percentile(all, 0.95), Math.max(...all)]
  }
  const [handlerP50, handlerP95, handlerMax] = figures("handler")
  const [durationP50, durationP95, durationMax] = figures("duration")
  report({
    keystrokes: keys.length,
    answers: answers(),
    cpuP50: percentile(cpu, 0.5),
    cpuP95: percentile(cpu, 0.95),
    handlerP50,
    handlerP95,
    handlerMax,
    durationP50,
    durationP95,
    durationMax
  })
} finally {
  await close()
  rmSync(folder, { recursive: true, force: true })
}
