import type { TestProjectConfiguration } from "vitest/config"

/** Every suite in the repository, one per package; `vitest.config.ts` runs them all. */
const projects: Array<TestProjectConfiguration> = [
  { test: { name: "contracts", root: "packages/contracts", include: ["test/**/*.test.ts"] } },
  { test: { name: "acp", root: "packages/acp", include: ["test/**/*.test.ts"] } },
  {
    test: {
      name: "stand-in-agents",
      root: "packages/stand-in-agents",
      include: ["test/**/*.test.ts"],
      testTimeout: 20_000,
      hookTimeout: 20_000
    }
  },
  {
    test: {
      name: "server",
      root: "apps/server",
      include: ["test/**/*.test.ts"],
      testTimeout: 30_000,
      hookTimeout: 30_000
    }
  },
  {
    test: {
      name: "browser",
      root: "apps/web",
      include: ["test/**/*.test.ts"],
      testTimeout: 60_000,
      hookTimeout: 60_000
    }
  },
  {
    test: {
      name: "scripts",
      root: "scripts",
      include: ["test/**/*.test.ts"],
      testTimeout: 30_000,
      hookTimeout: 30_000
    }
  }
]

export default projects
