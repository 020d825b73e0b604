/** Which test files count as fast: those that load nothing which starts a process. */
import { afterEach, assert, describe, it } from "vitest"
import { singleProcessTests } from "../suite/SingleProcess.ts"
import { manifest, remove, repository } from "./support/Repositories.ts"

afterEach(remove)

/** The fast test files of one package with these files, without their folder. */
const fast = (files: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const within = Object.entries(files).map(([path, text]) => [`packages/one/${path}`, text])
  const root = repository({ "packages/one/package.json": manifest("@box/one"), ...Object.fromEntries(within) })
  return singleProcessTests(root).map((path) => path.replace("packages/one/test/", ""))
}

describe("a test file", () => {
  it("is fast where it loads only what starts no process", () => {
    const files = { "src/A.ts": `import "effect/Effect"`, "test/a.test.ts": `import { a } from "@box/one/A"` }
    assert.deepStrictEqual(fast(files), ["a.test.ts"])
  })

  for (const module of ["node:child_process", "child_process", "@effect/platform-node/NodeServices", "playwright-core"])
    it(`is not fast where it loads ${module}`, () => {
      assert.isEmpty(fast({ "test/a.test.ts": `import "${module}"` }))
    })

  it("is not fast where a file starts processes that it loads through others, on demand too", () => {
    const files = {
      "src/A.ts": `export const b = () => import("./B.ts")`,
      "src/B.ts": `export { spawn } from "node:child_process"`,
      "test/Harness.ts": `import "@box/one/A"`,
      "test/a.test.ts": `import "./Harness.ts"`,
      "test/deep/b.test.ts": `import "../a.test.ts"`,
      "test/c.test.ts": ""
    }
    assert.deepStrictEqual(fast(files), ["c.test.ts"])
  })

  it("is fast where it takes types only from what starts processes", () => {
    const text = `import type { A } from "./A.ts"\nimport { type B } from "./A.ts"\nexport type { C } from "./A.ts"\n`
    const files = { "test/A.ts": `import "node:child_process"`, "test/a.test.ts": `${text}let d: import("./A.ts").D` }
    assert.deepStrictEqual(fast(files), ["a.test.ts"])
  })

  it("is not fast where a file is missing that it loads", () => {
    assert.isEmpty(fast({ "test/a.test.ts": `import "./Gone.ts"` }))
  })
})
