/**
 * Marks every process that a test run starts, so that none outlives the run. Gives the run a temporary folder of its own, so that nothing
 * stays there. Vitest calls `setup` before the first test; its result runs after the last one. Processes are marked on Linux only:
 * elsewhere their environment can't be read.
 */
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { find, type MarkedProcess } from "../../chaos/MarkedProcesses.ts"

/** Stands in the environment of each process of the run. Workers inherit it from this process, and all else from them. */
export const variable = "SIGNALBOX_TEST_RUN"

/** Time for the last processes to end by themselves, in milliseconds. */
const patience = 30_000

const guardProgram = fileURLToPath(new URL("TestRunGuard.ts", import.meta.url))

/**
 * Starts a process that ends everything marked with `mark`, and then removes `folder`, once our end of its input closes: also when we are
 * killed. The guard has a session of its own and no mark, so that it does not end itself.
 */
export const guard = (mark: string, folder: string) => {
  const child = spawn(process.execPath, [guardProgram, mark, folder], {
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

/** Throws when a test left a process running: the run fails then, and the guard ends what is left. */
const watchProcesses = (folder: string) => {
  const value = randomUUID()
  process.env[variable] = value
  const mark = `${variable}=${value}`
  const { stdin } = guard(mark, folder)
  return async () => {
    const left = await leftOf(mark)
    stdin.end()
    if (left.length === 0) return
    const list = left.map(({ command, pid }) => `  ${pid} ${command}`).join("\n")
    throw new Error(`These processes outlived the tests that started them, and are ended now:\n${list}`)
  }
}

/** What is in the folders of test files (`TestFile.ts`), or beside them. */
const leftIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [`  ${entry.name}`]
    return readdirSync(join(folder, entry.name)).map((name) => `  ${name}, by ${entry.name}.test.ts`)
  })

/** The run fails if anything is left: a process, or a file in the temporary folder. */
const setup = () => {
  const before = process.env["TMPDIR"]
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sb-")))
  process.env["TMPDIR"] = folder
  const endProcesses = process.platform === "linux" ? watchProcesses(folder) : undefined
  return async () => {
    try {
      await endProcesses?.()
      const left = leftIn(folder)
      if (left.length > 0) throw new Error(`This is left in the temporary folder:\n${left.join("\n")}`)
    } finally {
      if (before === undefined) delete process.env["TMPDIR"]
      else process.env["TMPDIR"] = before
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    }
  }
}

export default setup
