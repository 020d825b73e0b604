/** `npm run test:interop`: our conductor and its components with the programs of the reference. `npm test` does not run it. */
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const root = fileURLToPath(new URL(".", import.meta.url))

process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("../../../node_modules/.cache/signalbox", import.meta.url))

export default defineConfig({
  root,
  test: {
    name: "interop",
    include: ["*.test.ts"],
    setupFiles: [fileURLToPath(new URL("../test/support/TestFile.ts", import.meta.url))],
    globalSetup: fileURLToPath(new URL("../test/support/TestRun.ts", import.meta.url)),
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    reporters: ["default", ["json", { outputFile: "../../../.tmp/interop-report.json" }]]
  }
})
