// Loaded into a server (`node --import`): at the end of its process it prints, as one JSON line that begins with `WATCHED `, how long
// its event loop stood still at most since SIGUSR2, how much of that its main thread was at work, and the peak of its memory.
import { writeSync } from "node:fs"
import { isMainThread } from "node:worker_threads"

const everyMs = 10

const watch = () => {
  let longest = { wallMs: 0, cpuMs: 0 }
  let before
  const look = () => {
    const { system, user } = process.threadCpuUsage()
    const now = { wallMs: performance.now(), cpuMs: (user + system) / 1000 }
    if (before !== undefined) {
      const wallMs = now.wallMs - before.wallMs - everyMs
      if (wallMs > longest.wallMs) longest = { wallMs, cpuMs: now.cpuMs - before.cpuMs }
    }
    before = now
  }
  setInterval(look, everyMs).unref()
  process.on("SIGUSR2", () => {
    longest = { wallMs: 0, cpuMs: 0 }
    before = undefined
  })
  process.on("exit", () => {
    look()
    const serverPeakMb = process.resourceUsage().maxRSS / 1024
    const watched = { standstillMs: longest.wallMs, standstillCpuMs: longest.cpuMs, serverPeakMb }
    writeSync(1, `WATCHED ${JSON.stringify(watched)}\n`)
  })
}

if (isMainThread) watch()
