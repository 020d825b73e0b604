/** Commands that change one file at the same time: what each of them reports as done is in the file. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { call, temporaryFolder } from "./support/Signalbox.ts"

const numbers = [1, 2, 3, 4, 5, 6]

describe("commands that run at once", () => {
  it.live("all have their change in the settings", () =>
    Effect.gen(function* () {
      const env = { SIGNALBOX_STATE_DIR: temporaryFolder("state") }
      const add = (number: number) => call(["mcp", "add", `server-${number}`, "--", "true"], { env })
      const ended = yield* Effect.forEach(numbers, add, { concurrency: "unbounded" })
      for (const { code, stderr } of ended) assert.strictEqual(code, 0, stderr)
      const settings = readFileSync(join(env.SIGNALBOX_STATE_DIR, "settings.json"), "utf8")
      for (const number of numbers) assert.include(settings, `"server-${number}"`)
    })
  )

  it.live("have each rule in the file that they report as added, and refuse the others", () =>
    Effect.gen(function* () {
      const env = { SIGNALBOX_STATE_DIR: temporaryFolder("state") }
      const add = (number: number) => call(["rules", "add", "deny", "--command", `program-${number}`], { env })
      const ended = yield* Effect.forEach(numbers, add, { concurrency: "unbounded" })
      const rules = readFileSync(join(env.SIGNALBOX_STATE_DIR, "rules.json"), "utf8")
      for (const [index, { code, stderr }] of ended.entries()) {
        assert.strictEqual(rules.includes(`"program-${index + 1}"`), code === 0, stderr)
        if (code !== 0) assert.include(stderr, "The rules were changed meanwhile.")
      }
      assert.isTrue(ended.some(({ code }) => code === 0))
    })
  )

  it.live("all have the project that they trust in the list", () =>
    Effect.gen(function* () {
      const env = { SIGNALBOX_STATE_DIR: temporaryFolder("state") }
      const projects = temporaryFolder("projects")
      const trust = (number: number) => {
        const project = join(projects, `project-${number}`)
        mkdirSync(join(project, ".signalbox"), { recursive: true })
        writeFileSync(join(project, ".signalbox", "rules.json"), '{ "rules": [] }')
        return call(["rules", "trust", "--cwd", project], { env })
      }
      const ended = yield* Effect.forEach(numbers, trust, { concurrency: "unbounded" })
      for (const { code, stderr } of ended) assert.strictEqual(code, 0, stderr)
      const trusted = readFileSync(join(env.SIGNALBOX_STATE_DIR, "trusted-projects.json"), "utf8")
      for (const number of numbers) assert.include(trusted, `project-${number}`)
    })
  )
})
