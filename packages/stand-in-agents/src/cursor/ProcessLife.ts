import { spawn } from "node:child_process"
import type { Emulator } from "./Emulator.ts"

/** So that nothing started by a test outlives it for ever. */
const longestLife = 15 * 60_000

/** Ends the process as Cursor's does: readily when it was idle, hardly ever after a prompt. */
export const superviseProcess = (emulator: Emulator): void => {
  const { quirks, state } = emulator.environment
  if (quirks.has("worker_child")) startWorker(emulator)
  if (quirks.has("list_models_kills_acp")) {
    const file = `${process.pid}.json`
    state.write(`${JSON.stringify({ pid: process.pid })}\n`, "running", file)
    process.on("exit", () => state.remove("running", file))
  }
  process.stdin.on("end", () => {
    if (emulator.prompted && quirks.has("no_exit_on_eof")) {
      emulator.log.write("eof", { exits: false })
      setTimeout(() => void emulator.exit(0, "lingered too long after the end of input"), longestLife)
    } else emulator.timeline.after(564, () => void emulator.exit(0, "end of input"))
  })
  process.on("SIGTERM", () => {
    if (quirks.has("ignore_sigterm")) emulator.log.write("signal", { signal: "SIGTERM", ignored: true })
    else void emulator.exit(143, "SIGTERM")
  })
  process.on("SIGINT", () => void emulator.exit(130, "SIGINT"))
}

/** A process in our group that goes on when only we are killed. */
const startWorker = (emulator: Emulator): void => {
  const child = spawn(process.execPath, ["-e", `setTimeout(() => {}, ${longestLife})`, "worker-server"], {
    stdio: "ignore"
  })
  emulator.log.write("child", { childPid: child.pid })
  child.unref()
}
