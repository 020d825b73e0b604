import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Bench, extensionFolder, missing } from "./Bench.ts"
import { build, built } from "./SuiteBundle.ts"
import type { Reported } from "./suite/Reported.ts"

describe.skipIf(missing !== undefined)("the extension host", () => {
  let bench: Bench
  let report: string

  beforeAll(async () => {
    await build()
    bench = await Bench.open({ env: (home) => ({ SIGNALBOX_SUITE_REPORT: join(home, "report.json") }) })
    report = join(bench.home, "report.json")
  })
  afterAll(() => bench.close())

  it("passes its own tests", async () => {
    const page = await bench.browser.newPage()
    await page.exposeFunction("codeAutomationLog", () => {})
    const exit = new Promise((resolve) => void page.exposeFunction("codeAutomationExit", resolve))
    await page.goto(bench.code.address(bench.folder, extensionFolder, built))
    const code = await exit
    const tests: ReadonlyArray<Reported> = JSON.parse(readFileSync(report, "utf8"))
    for (const { error, title } of tests) console.log(error === undefined ? `  ✓ ${title}` : `  × ${title}`)
    assert.deepStrictEqual(
      tests.filter(({ error }) => error !== undefined),
      []
    )
    assert.isAtLeast(tests.length, 10)
    assert.strictEqual(code, 0)
  })
})
