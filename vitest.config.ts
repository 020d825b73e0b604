import { defineConfig } from "vitest/config"
import projects from "./vitest.workspace.ts"

export default defineConfig({
  test: {
    projects,
    passWithNoTests: false,
    // `.ci/run` prints its closing line from this report.
    reporters: ["default", ["json", { outputFile: ".tmp/test-report.json" }]]
  }
})
