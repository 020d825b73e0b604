/** A test run that is killed leaves nothing running: what it started carries a mark, and a guard ends it. */
import { assert, describe, it } from "vitest"
import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { find } from "../../chaos/MarkedProcesses.ts"

const testRun = fileURLToPath(new URL("TestRun.ts", import.meta.url))

/** Plays a test run: starts a guard and a process that left its group, says so, and waits to be killed. */
const run = (mark: string): ChildProcess => {
  const [name = "", value = ""] = mark.split("=")
  const program = `
    import { guard } from ${JSON.stringify(testRun)}
    import { spawn } from "node:child_process"
    guard(${JSON.stringify(mark)})
    spawn("sleep", ["600"], { detached: true, stdio: "ignore" })
    console.log("started")
    setInterval(() => {}, 1000)`
  return spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, [name]: value }
  })
}

describe.runIf(process.platform === "linux")("a test run", () => {
  it("that is killed leaves nothing running", async () => {
    const mark = `SIGNALBOX_TEST_RUN=${randomUUID()}`
    const killed = run(mark)
    if (killed.stdout === null) throw new Error("There is no output to read.")
    await once(killed.stdout, "data")
    assert.isTrue(find(mark).some(({ command }) => command === "sleep 600"))
    killed.kill("SIGKILL")
    await once(killed, "exit")
    while (find(mark).length > 0) await pause(20)
    assert.deepStrictEqual(find(mark), [])
  })
})
