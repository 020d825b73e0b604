import { assert, describe, it } from "@effect/vitest"
import * as Glob from "../src/running/Glob.ts"

describe("globs of the protocol", () => {
  it("match as the protocol says", () => {
    const yes = (pattern: string, path: string) => assert.isTrue(Glob.matches(pattern, path), `${pattern} has ${path}`)
    const no = (pattern: string, path: string) =>
      assert.isFalse(Glob.matches(pattern, path), `${pattern} lacks ${path}`)
    yes("**/*.ts", "/a/b/c.ts")
    yes("**/*.ts", "c.ts")
    no("**/*.ts", "/a/b/c.tsx")
    yes("*.ts", "c.ts")
    no("*.ts", "a/c.ts")
    yes("**/{package,tsconfig}*.json", "/x/tsconfig.base.json")
    no("**/{package,tsconfig}*.json", "/x/jsconfig.json")
    yes("**/*.{ts,{js,jsx}}", "/x/a.jsx")
    yes("example.[0-9]", "example.0")
    no("example.[!0-9]", "example.0")
    yes("example.[!0-9]", "example.a")
    yes("a?c", "a😀c")
    no("a?c", "ac")
    yes("/src/**", "/src/deep/down.ts")
    yes("/src/**/end", "/src/end")
    no("/src/**/end", "/src/a/ending")
    yes("[x", "[x")
    yes("{x", "{x")
  })

  it("of a folder are about what is within it", () => {
    const pattern = { baseUri: { uri: "file:///project/a", name: "a" }, pattern: "*.ts" }
    assert.isTrue(Glob.matchesPattern(pattern, "/project/a/x.ts"))
    assert.isFalse(Glob.matchesPattern(pattern, "/project/ab/x.ts"))
    assert.isFalse(Glob.matchesPattern(pattern, "/project/a/b/x.ts"))
    assert.isTrue(Glob.matchesPattern({ baseUri: "file:///project/", pattern: "**/*.ts" }, "/project/b/x.ts"))
    for (const nonsense of [
      null,
      1,
      {},
      { baseUri: "http://x", pattern: "*" },
      { baseUri: "file:///project", pattern: 1 }
    ])
      assert.isFalse(Glob.matchesPattern(nonsense, "/project/x.ts"))
  })

  it("take no longer when they are made to take long", () => {
    const started = process.cpuUsage()
    assert.isFalse(Glob.matches(`${"*a".repeat(300)}b`, "a".repeat(1000)))
    assert.isFalse(Glob.matches(`${"**/a/".repeat(150)}b`, `${"a/".repeat(500)}c`))
    assert.isFalse(Glob.matches("{a,b}".repeat(150), "a".repeat(150)))
    assert.isFalse(Glob.matches(`${"{".repeat(400)}a${"}".repeat(400)}`, "b"))
    assert.isFalse(Glob.matches("*".repeat(2000), "a"))
    const { system, user } = process.cpuUsage(started)
    assert.isBelow(user + system, 2_000_000)
  })
})
