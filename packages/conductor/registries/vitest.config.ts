/** `npm run test:registries`: package sources with the public registries. `npm test` does not run it. */
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    name: "registries",
    include: ["*.test.ts"],
    setupFiles: [fileURLToPath(new URL("../../../apps/server/test/support/TestFile.ts", import.meta.url))],
    testTimeout: 180_000,
    reporters: ["default"]
  }
})
