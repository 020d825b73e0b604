/** `npm run test:vscode`: the extension in VS Code itself. `npm test` does not run it. */
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const root = fileURLToPath(new URL(".", import.meta.url))

process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("../../../node_modules/.cache/signalbox", import.meta.url))

export default defineConfig({
  root,
  test: {
    name: "vscode-host",
    include: ["*.test.ts"],
    setupFiles: [fileURLToPath(new URL("../../server/test/support/TestFile.ts", import.meta.url))],
    globalSetup: fileURLToPath(new URL("../../server/test/support/TestRun.ts", import.meta.url)),
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Each file starts an editor, a browser and a server. Three at a time take as long on two processors, and load them more.
    maxWorkers: 2,
    reporters: ["default", ["json", { outputFile: "../../../.tmp/vscode-report.json" }]]
  }
})
