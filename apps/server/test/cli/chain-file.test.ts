import { assert, describe, it } from "@effect/vitest"
import * as BuiltInComponents from "@signalbox/conductor/components/BuiltInComponents"
import { ChainConfig } from "@signalbox/contracts/ChainConfig"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as ChainFile from "../../src/cli/conductor/ChainFile.ts"
import * as ChainPlan from "../../src/cli/conductor/ChainPlan.ts"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

const command = "conductor agent"
const file = join(temporaryFolder("chain-file"), "chain.json")

/** Reads a chain with this text. */
const read = (text: string) => {
  writeFileSync(file, text)
  return Effect.flatMap(ChainFile.read(command, file), (chain) => ChainPlan.named(command, chain, chain.given))
}

const faultsOf = (text: string) => Effect.map(Effect.flip(read(text)), ({ message, offered }) => [message, ...offered])

describe("the file of a chain", () => {
  it.effect("names programs and built-in components, and leaves out those that are disabled", () =>
    Effect.gen(function* () {
      const { agent, proxies } = yield* read(`{
        "$schema": "chain.schema.json",
        "components": [
          { "name": "mine", "command": "node", "args": ["a b.js", "$X"], "env": { "A": "1" }, "proxyDialect": "_proxy" },
          { "command": "node", "disabled": true },
          { "component": "pass" },
          { "component": "pass", "name": "another pass" },
          { "command": "node", "args": ["c.js"] },
          { "command": "node", "args": ["c.js"] }
        ],
        "agent": { "command": "agent", "args": ["acp", "--token", "hidden"] }
      }`)
      assert.deepStrictEqual(
        proxies.map(({ name }) => name),
        ["mine", "pass", "another pass", "node c.js", "node c.js (2)"]
      )
      assert.deepStrictEqual(proxies[0], {
        type: "program",
        name: "mine",
        command: "node",
        args: ["a b.js", "$X"],
        env: { A: "1" },
        proxyDialect: "_proxy"
      })
      assert.deepStrictEqual(agent?.args, ["acp", "--token", "hidden"])
      assert.notInclude(agent?.name, "hidden")
    })
  )

  it.effect("has all its faults named at once, with line, path and next step", () =>
    Effect.gen(function* () {
      const next = "Next: Correct the file. docs/CONDUCTOR.md says what it may hold."
      const faults = yield* faultsOf(`{
  "components": [
    { "args": ["a"], "proxyDialect": "old" },
    { "component": "nope" },
    { "component": "pass", "args": ["--x"], "comand": "x" }
  ],
  "agent": { "command": "", "env": { "A": 1 } },
  "agents": []
}`)
      assert.deepStrictEqual(faults, [
        `--config: ${file} can't be used.`,
        "Line 8, agents: This is not known here.",
        "Line 3, components[0].command: This is missing.",
        `Line 3, components[0].proxyDialect: Expected "proxy" | "_proxy" | "meta".`,
        'Line 4, components[1].component: There is no component "nope". The components are:',
        ...BuiltInComponents.all.map((one) => `  ${one.name}  (${BuiltInComponents.described(one)})`),
        "Line 5, components[2].comand: This is not known here.",
        "Line 7, agent.command: Expected a value with a length of at least 1.",
        "Line 7, agent.env.A: Expected string.",
        next
      ])
      assert.deepStrictEqual(yield* faultsOf('{ "components": [,] }'), [
        `--config: ${file} can't be used.`,
        "Line 1, column 18: expected a value.",
        next
      ])
      assert.include(yield* faultsOf("[]"), "It has to be an object, in braces.")
      assert.include(yield* faultsOf(`{}${" ".repeat(2 ** 20)}`), "It is longer than a megabyte.")
    })
  )

  it.effect("has its first faults named, and the others counted", () =>
    Effect.gen(function* () {
      const faults = yield* faultsOf(JSON.stringify({ components: Array.from({ length: 1000 }, () => 1) }))
      assert.lengthOf(faults, 23)
      assert.strictEqual(faults.at(-3), "Line 1, components[19]: Expected object.")
      assert.strictEqual(faults.at(-2), "980 more")
    })
  )

  it.effect("gives no name twice", () =>
    Effect.gen(function* () {
      const twice = '{ "components": [{ "component": "pass" }, { "command": "x", "name": "pass" }] }'
      assert.include(yield* faultsOf(twice), "The chain names pass twice. Leave one of them out.")
    })
  )

  it.effect("has to be there", () =>
    Effect.gen(function* () {
      const { offered } = yield* Effect.flip(ChainFile.read(command, "/no/such/file"))
      assert.match(offered[0] ?? "", /ENOENT/)
    })
  )

  it("is described by the schema in docs", () => {
    const path = fileURLToPath(new URL("../../../../docs/chain.schema.json", import.meta.url))
    const { schema } = Schema.toJsonSchemaDocument(ChainConfig, { onExcessProperty: "error" })
    const expected = { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }
    assert.deepStrictEqual(JSON.parse(readFileSync(path, "utf8")), JSON.parse(JSON.stringify(expected)))
  })
})
