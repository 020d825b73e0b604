import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { LongestFirst } from "./scripts/suite/LongestFirst.ts"
import projects from "./vitest.workspace.ts"

// The tests start hundreds of processes; with their modules compiled already, each costs a third.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/signalbox", import.meta.url))

export default defineConfig({
  test: {
    projects,
    // What a test starts, and what it writes to the temporary folder, ends with the run, however the run ends.
    globalSetup: ["apps/server/test/support/TestRun.ts", "scripts/suite/Programs.ts"],
    passWithNoTests: false,
    sequence: { sequencer: LongestFirst },
    // `.ci/run` prints its closing line from this report.
    reporters: ["default", ["json", { outputFile: ".tmp/test-report.json" }]]
  }
})
