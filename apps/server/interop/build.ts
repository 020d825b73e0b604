/**
 * Builds the programs of the reference into the cache. `npm run test:interop` begins with it. What is there in its version is
 * not built again. It always ends with 0: where a program is missing, its tests are skipped.
 *
 * `SIGNALBOX_INTEROP_SECONDS` is the time for all builds together, an hour if nothing is said.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdirSync, rmSync } from "node:fs"
import { constants, homedir, setPriority } from "node:os"
import { join } from "node:path"
import { cache, type Crate, crates, folderOf, isBuilt } from "./Crates.ts"

const seconds = Number(process.env["SIGNALBOX_INTEROP_SECONDS"] || 3600)
if (!Number.isFinite(seconds) || seconds < 0) {
  console.error(`SIGNALBOX_INTEROP_SECONDS is no number of seconds: ${seconds}`)
  process.exit(2)
}
const deadline = performance.now() + seconds * 1000
const target = join(cache, "target")

/** Cargo in the PATH, or where its installer puts it. */
const cargo = ["cargo", join(process.env["CARGO_HOME"] || join(homedir(), ".cargo"), "bin", "cargo")].find(
  (program) => spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0
)

/** Cargo and its compilers are one group, so that they end together. */
const endGroup = ({ pid }: ChildProcess) => {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL")
  } catch {
    // The group has ended.
  }
}

/** Builds without optimization and debug information: that takes half of the time, and these programs have little to do. */
const install = (cargo: string, crate: Crate, time: number) =>
  new Promise<string | undefined>((resolve) => {
    const words = ["install", "--locked", "--debug", "--quiet", "--root", folderOf(crate), "--target-dir", target]
    const child = spawn(cargo, [...words, ...(crate.selection ?? []), `${crate.name}@${crate.version}`], {
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        CARGO_NET_RETRY: "1",
        CARGO_HTTP_TIMEOUT: "20",
        ...process.env,
        CARGO_PROFILE_DEV_DEBUG: "0",
        CARGO_INCREMENTAL: "0"
      }
    })
    let said = ""
    let isLate = false
    child.stderr.on("data", (chunk) => (said = (said + String(chunk)).slice(-2000)))
    const timer = setTimeout(() => {
      isLate = true
      endGroup(child)
    }, time)
    const interrupted = () => {
      endGroup(child)
      process.exit(130)
    }
    process.once("SIGINT", interrupted)
    process.once("SIGTERM", interrupted)
    child.on("error", (error) => resolve(error.message))
    child.on("close", (code) => {
      clearTimeout(timer)
      process.off("SIGINT", interrupted)
      process.off("SIGTERM", interrupted)
      if (isLate) resolve(`it took longer than ${Math.round(time / 1000)} s`)
      else resolve(code === 0 && isBuilt(crate) ? undefined : said.trim() || `cargo ended with code ${code}`)
    })
  })

const missing = crates.filter((crate) => !isBuilt(crate))
const skip = (crate: Crate, because: string) =>
  console.log(`${crate.name} ${crate.version} is not built, and its tests are skipped: ${because}`)

if (missing.length === 0) console.log(`All programs of the reference are in ${cache}.`)
else if (cargo === undefined) for (const crate of missing) skip(crate, "there is no cargo on this machine.")
else {
  setPriority(constants.priority.PRIORITY_LOW)
  mkdirSync(cache, { recursive: true })
  for (const crate of missing) {
    const began = performance.now()
    const time = deadline - began
    if (time <= 0) {
      skip(crate, `the ${seconds} s for builds are over.`)
      continue
    }
    console.log(`Building ${crate.name} ${crate.version} into ${cache}…`)
    const problem = await install(cargo, crate, time)
    if (problem !== undefined) skip(crate, problem)
    else console.log(`${crate.name} is built after ${Math.round((performance.now() - began) / 1000)} s.`)
  }
  // The files of a build that was cut short stay, since they make the next build shorter.
  if (crates.every(isBuilt)) rmSync(target, { recursive: true, force: true })
}
