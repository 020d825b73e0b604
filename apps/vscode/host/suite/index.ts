/**
 * Tests that run in the extension host itself. VS Code calls `run` there. It writes a report for whoever has started it.
 * `SIGNALBOX_SUITE_GREP` chooses tests by their names.
 */
import Mocha from "mocha"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { conversations } from "./conversations.ts"
import type { Reported } from "./Reported.ts"
import { window } from "./window.ts"

/** The file of the report. */
const reportFile = process.env["SIGNALBOX_SUITE_REPORT"] ?? "suite-report.json"

/** Rejects where a test failed, as VS Code wants it. */
export const run = async (): Promise<void> => {
  const mocha = new Mocha({
    ui: "bdd",
    timeout: 60_000,
    reporter: "min",
    grep: process.env["SIGNALBOX_SUITE_GREP"] ?? ""
  })
  for (const [title, tests] of Object.entries({ ...window, ...conversations }))
    mocha.suite.addTest(new Mocha.Test(title, tests))
  const report: Array<Reported> = []
  const failures = await new Promise<number>((resolve) => {
    mocha
      .run(resolve)
      .on("pass", ({ title }) => report.push({ title }))
      .on("fail", ({ title }, error: Error) => report.push({ title, error: error.stack ?? error.message }))
  })
  mkdirSync(dirname(reportFile), { recursive: true })
  writeFileSync(reportFile, JSON.stringify(report))
  if (failures > 0) throw new Error(`${failures} of ${report.length} tests failed`)
}
