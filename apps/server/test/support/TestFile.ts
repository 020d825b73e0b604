/**
 * Gives each test file a temporary folder that is named after it, within that of the run. What a test or the product leaves in there fails
 * the run (`TestRun.ts`). Vitest loads this before each test file, so that the hook runs after all others.
 */
import { afterAll, expect } from "vitest"
import { mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { removeAll } from "../../../../packages/system/test/support/TemporaryFolder.ts"

const ofTheRun = tmpdir()
const folder = join(ofTheRun, basename(expect.getState().testPath ?? "", ".test.ts"))
mkdirSync(folder, { recursive: true })
process.env["TMPDIR"] = folder

afterAll(() => {
  removeAll()
  // The next file of this worker begins where this one began.
  process.env["TMPDIR"] = ofTheRun
})
