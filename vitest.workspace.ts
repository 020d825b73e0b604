import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import type { TestProjectConfiguration } from "vitest/config"
import { singleProcessTests } from "./scripts/suite/SingleProcess.ts"

// A project that extends the root reads its configuration anew, and with it every file of the repository: half a second each.
// So a project inherits nothing of the root's, and what each project needs is said here.

/** A test file often waits for processes: three at a time keep two processors busy. More only make each of them slower. */
const maxWorkers = Math.max(3, availableParallelism() - 1)

/** Test files that start no process, by what they import. `npm run test:fast` runs them alone. */
const fast = singleProcessTests(fileURLToPath(new URL(".", import.meta.url)))

/** What each test file begins with. */
const setupFiles = [fileURLToPath(new URL("apps/server/test/support/TestFile.ts", import.meta.url))]

/** Every other test file of a package. Time limits are there for what hangs: a busy machine must not reach them. */
const suite = (name: string, root: string, timeout: number): TestProjectConfiguration => ({
  extends: false,
  test: {
    name,
    root,
    maxWorkers,
    // A worker for each file would read all modules again: a third of the whole run. So each file restores what it changes.
    isolate: false,
    include: ["test/**/*.test.ts"],
    exclude: fast.filter((file) => file.startsWith(`${root}/`)).map((file) => file.slice(root.length + 1)),
    setupFiles,
    testTimeout: timeout,
    hookTimeout: timeout
  }
})

/** Every suite in the repository: one for what is fast, and one for each package. `vitest.config.ts` runs them all. */
const projects: Array<TestProjectConfiguration> = [
  {
    extends: false,
    test: {
      name: "fast",
      include: [...fast],
      setupFiles,
      maxWorkers,
      // These files share nothing but modules: to read those once for all of them is most of the speed.
      isolate: false,
      testTimeout: 120_000,
      hookTimeout: 120_000
    }
  },
  suite("loopback", "packages/loopback", 60_000),
  suite("redaction", "packages/redaction", 60_000),
  suite("permission", "packages/permission", 60_000),
  suite("process", "packages/process", 120_000),
  suite("archive", "packages/archive", 60_000),
  suite("system", "packages/system", 60_000),
  suite("contracts", "packages/contracts", 60_000),
  suite("client", "packages/client", 60_000),
  suite("threads", "packages/threads", 60_000),
  suite("acp", "packages/acp", 60_000),
  suite("lsp", "packages/lsp", 120_000),
  suite("ide", "packages/ide", 120_000),
  suite("conductor", "packages/conductor", 120_000),
  suite("stand-in-agents", "packages/stand-in-agents", 120_000),
  suite("server", "apps/server", 120_000),
  suite("browser", "apps/web", 180_000),
  suite("attach", "packages/attach", 60_000),
  suite("vscode", "apps/vscode", 120_000),
  suite("scripts", "scripts", 120_000)
]

export default projects
