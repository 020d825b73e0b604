/**
 * Marks every process that a test run starts, so that none outlives the run. Vitest calls `setup` before the first test; its result
 * runs after the last one. Linux only: elsewhere the environment of a process can't be read, and nothing is marked.
 */
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { find, type MarkedProcess } from "../../chaos/MarkedProcesses.ts"

/** Stands in the environment of each process of the run. Workers inherit it from this process, and all else from them. */
export const variable = "SIGNALBOX_TEST_RUN"

/** Time for the last processes to end by themselves, in milliseconds. */
const patience = 30_000

const guardProgram = fileURLToPath(new URL("TestRunGuard.ts", import.meta.url))

/**
 * Starts a process that ends everything marked with `mark` once our end of its input closes: also when we are killed.
 * The guard has a session of its own and no mark, so that it does not end itself.
 */
export const guard = (mark: string) => {
  const child = spawn(process.execPath, [guardProgram, mark], {
    detached: true,
    stdio: ["pipe", "ignore", "inherit"],
    env: { PATH: process.env["PATH"] }
  })
  child.unref()
  return child
}

/** Those that still run after a while, this process and its own workers left out. */
const leftOf = async (mark: string): Promise<ReadonlyArray<MarkedProcess>> => {
  const left = () => find(mark).filter(({ command, pid }) => pid !== process.pid && !command.includes("vitest"))
  const until = Date.now() + patience
  while (left().length > 0 && Date.now() < until) await pause(50)
  return left()
}

/** Throws when a test left something running: the run fails then, and the guard ends what is left. */
const setup = () => {
  if (process.platform !== "linux") return undefined
  const value = randomUUID()
  process.env[variable] = value
  const mark = `${variable}=${value}`
  const { stdin } = guard(mark)
  return async () => {
    const left = await leftOf(mark)
    stdin.end()
    if (left.length === 0) return
    const list = left.map(({ command, pid }) => `  ${pid} ${command}`).join("\n")
    throw new Error(`These processes outlived the tests that started them, and are ended now:\n${list}`)
  }
}

export default setup
