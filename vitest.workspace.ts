import type { TestProjectConfiguration } from "vitest/config"

/**
 * Every suite in the repository, one per package; `vitest.config.ts` runs them all. Time limits are there for
 * what hangs: a busy machine must not reach them.
 */
const projects: Array<TestProjectConfiguration> = [
  { test: { name: "contracts", root: "packages/contracts", include: ["test/**/*.test.ts"], testTimeout: 60_000 } },
  { test: { name: "threads", root: "packages/threads", include: ["test/**/*.test.ts"], testTimeout: 60_000 } },
  { test: { name: "acp", root: "packages/acp", include: ["test/**/*.test.ts"], testTimeout: 60_000 } },
  {
    test: {
      name: "stand-in-agents",
      root: "packages/stand-in-agents",
      include: ["test/**/*.test.ts"],
      testTimeout: 120_000,
      hookTimeout: 120_000
    }
  },
  {
    test: {
      name: "server",
      root: "apps/server",
      include: ["test/**/*.test.ts"],
      testTimeout: 120_000,
      hookTimeout: 120_000
    }
  },
  {
    test: {
      name: "browser",
      root: "apps/web",
      include: ["test/**/*.test.ts"],
      testTimeout: 180_000,
      hookTimeout: 180_000
    }
  },
  {
    test: {
      name: "scripts",
      root: "scripts",
      include: ["test/**/*.test.ts"],
      testTimeout: 120_000,
      hookTimeout: 120_000
    }
  }
]

export default projects
