/** What the system has run out of is named, with what helps. */
import { assert, describe, it } from "@effect/vitest"
import * as SystemLimit from "../src/SystemLimit.ts"

describe("a limit of the system", () => {
  const cases: ReadonlyArray<readonly [code: string, cause: RegExp, command: RegExp | undefined]> = [
    ["EMFILE", /^Signalbox may have \d+ files open, and has \d+ \(EMFILE\)\.$/, /^ulimit -n \d+$/],
    ["ENFILE", /^The whole system has as many files open as it may have \(ENFILE\)\.$/, /^sysctl fs\.file-nr$/],
    ["EAGAIN", /^This user may have no more processes.* \(EAGAIN\)\.$/, undefined],
    ["ENOMEM", /^There is not enough memory to start another program \(ENOMEM\)\.$/, undefined],
    ["ENOSPC", /^The disk is full, .+ \(ENOSPC\)\.$/, undefined],
    ["EDQUOT", /^The disk is full, .+ \(EDQUOT\)\.$/, undefined]
  ]
  for (const [code, cause, command] of cases)
    it.skipIf(process.platform !== "linux")(`is named by its effect: ${code}`, () => {
      const limit = SystemLimit.limitOf(code)
      assert.match(limit?.cause ?? "", cause)
      assert.isTrue(limit?.nextSteps.some(({ action }) => action === "wait"))
      if (command !== undefined) assert.isTrue(limit?.nextSteps.some((step) => command.test(step.command ?? "")))
    })

  it("is none where the error is about something else", () => {
    assert.isUndefined(SystemLimit.limitOf("ENOENT"))
    assert.isUndefined(SystemLimit.limitOf(""))
  })
})
