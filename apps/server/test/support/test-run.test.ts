/** A test run leaves nothing on the machine: no process and no temporary file, also when it is killed. */
import { assert, describe, it } from "vitest"
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { stripVTControlCharacters } from "node:util"
import { find } from "../../chaos/MarkedProcesses.ts"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Plays a test run: starts a guard and a process that left its group, says so, and waits to be killed. */
const run = (mark: string, folder: string): ChildProcess => {
  const [name = "", value = ""] = mark.split("=")
  const program = `
    import { guard } from ${JSON.stringify(fileOf("TestRun.ts"))}
    import { spawn } from "node:child_process"
    guard(${JSON.stringify(mark)}, ${JSON.stringify(folder)})
    spawn("sleep", ["600"], { detached: true, stdio: "ignore" })
    console.log("started")
    setInterval(() => {}, 1000)`
  return spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, [name]: value }
  })
}

describe.runIf(process.platform === "linux")("a test run", () => {
  it("that is killed leaves nothing running, and nothing in the temporary folder", async () => {
    const mark = `SIGNALBOX_TEST_RUN=${randomUUID()}`
    const folder = join(temporaryFolder("run"), "folder")
    mkdirSync(folder)
    writeFileSync(join(folder, "file"), "")
    const killed = run(mark, folder)
    if (killed.stdout === null) throw new Error("There is no output to read.")
    await once(killed.stdout, "data")
    assert.isTrue(find(mark).some(({ command }) => command === "sleep 600"))
    killed.kill("SIGKILL")
    await once(killed, "exit")
    while (find(mark).length > 0 || existsSync(folder)) await pause(20)
    assert.deepStrictEqual(find(mark), [])
  })
})

const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs")

/** Runs this as a test file, and returns what Vitest says of it. */
const verdictOn = (body: string) => {
  const root = temporaryFolder("suite")
  const temporary = join(root, "temporary")
  mkdirSync(temporary)
  writeFileSync(join(root, "a.test.ts"), `${body}\ntest("passes", () => {})\n`)
  const config = { globals: true, setupFiles: [fileOf("TestFile.ts")], globalSetup: [fileOf("TestRun.ts")] }
  writeFileSync(join(root, "vitest.config.mjs"), `export default { test: ${JSON.stringify(config)} }\n`)
  return new Promise<{ readonly passed: boolean; readonly output: string; readonly left: ReadonlyArray<string> }>(
    (resolve) => {
      execFile(
        process.execPath,
        [vitest, "run", "--root", root],
        { cwd: root, env: { ...process.env, TMPDIR: temporary } },
        (failure, stdout, stderr) =>
          resolve({
            passed: failure === null,
            output: stripVTControlCharacters(stdout + stderr),
            left: readdirSync(temporary)
          })
      )
    }
  )
}

describe.concurrent("a test file", () => {
  const helper = JSON.stringify(fileOf("../../../../packages/system/test/support/TemporaryFolder.ts"))

  it("lets the run pass where its temporary folders are made by the helper", async ({ expect }) => {
    const { left, output, passed } = await verdictOn(
      `import { temporaryFolder } from ${helper}\nafterAll(() => { temporaryFolder("late") })\ntemporaryFolder("early")`
    )
    expect([passed, left], output).toStrictEqual([true, []])
  })

  it("fails the run where it leaves a file in the temporary folder, which is removed all the same", async ({
    expect
  }) => {
    const { left, output, passed } = await verdictOn(
      `import { writeFileSync } from "node:fs"\nimport { tmpdir } from "node:os"\nwriteFileSync(tmpdir() + "/forgotten", "")`
    )
    expect(output).toContain("This is left in the temporary folder:\n  forgotten, by a.test.ts")
    expect([passed, left], output).toStrictEqual([false, []])
  })
})
