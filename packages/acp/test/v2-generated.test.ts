import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

describe("internal/generated/v2.ts", () => {
  it("is what the generator writes", () => {
    const folder = mkdtempSync(join(tmpdir(), "acp-schema-"))
    try {
      const again = join(folder, "schema.ts")
      execFileSync(process.execPath, [path("../scripts/generate-schema.mjs"), "v2", again])
      assert.strictEqual(readFileSync(again, "utf8"), readFileSync(path("../src/internal/generated/v2.ts"), "utf8"))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
