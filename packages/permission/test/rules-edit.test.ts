/** Changes of a rules file: what is not meant stays as it is. */
import { assert, describe, it } from "@effect/vitest"
import type { Rule } from "@signalbox/contracts/Rule"
import * as RulesEdit from "../src/rules/RulesEdit.ts"
import * as RulesText from "../src/rules/RulesText.ts"

const rule: Rule = { effect: "deny", match: { command: "rm **" } }
const line = '{ "effect": "deny", "match": { "command": "rm **" } }'
const a = '{ "effect": "ask", "match": { "tool": "a" } }'
const b = '{ "effect": "ask",\n      "match": { "tool": "b" } }'
const c = '{ "effect": "ask", "match": { "tool": "c" } }'

const rulesIn = (text: string) => {
  const { faults, rules } = RulesText.read("/f", text, { source: "user", folder: undefined, now: 0 })
  assert.deepStrictEqual(faults, [], text)
  return rules.map(({ effect, match }) => ({ effect, match }))
}

describe("a rule that is added", () => {
  it("begins an empty file", () => {
    assert.strictEqual(
      RulesEdit.add("", rule, "file:///rules.schema.json"),
      `{\n  "$schema": "file:///rules.schema.json",\n  "rules": [\n    ${line}\n  ]\n}\n`
    )
    assert.strictEqual(RulesEdit.add("// mine", rule), `// mine\n{\n  "rules": [\n    ${line}\n  ]\n}\n`)
  })

  it("stands behind the others, and their comments stay with them", () => {
    assert.strictEqual(
      RulesEdit.add(
        `\uFEFF{\n  "rules": [\n    // one\n    ${a}, // first\n    ${b} /* second */ // too\n  ] // end\n}`,
        rule
      ),
      `\uFEFF{\n  "rules": [\n    // one\n    ${a}, // first\n    ${b}, /* second */ // too\n    ${line}\n  ] // end\n}`
    )
    assert.strictEqual(
      RulesEdit.add(`{\n\t"rules": [\n\t\t${a}, // first\n\t\t// none\n\t],\n}\n`, rule),
      `{\n\t"rules": [\n\t\t${a}, // first\n\t\t// none\n\t\t${line},\n\t],\n}\n`
    )
  })

  it("takes the form of the file", () => {
    assert.strictEqual(RulesEdit.add(`{"rules": [${a}]}`, rule), `{"rules": [${a}, ${line}]}`)
    assert.strictEqual(RulesEdit.add(`{"rules": [${a} // x\n]}`, rule), `{"rules": [${a}, // x\n  ${line}\n]}`)
    assert.strictEqual(RulesEdit.add('{"rules": []}', rule), `{"rules": [\n  ${line}\n]}`)
    assert.strictEqual(
      RulesEdit.add('{\r\n  "rules": [\r\n    // none\r\n  ]\r\n}\r\n', rule),
      `{\r\n  "rules": [\r\n    // none\r\n    ${line}\r\n  ]\r\n}\r\n`
    )
    const long: Rule = { ...rule, why: "x".repeat(100) }
    const added = RulesEdit.add(`{\n  "rules": [\n    ${a}\n  ]\n}`, long)
    assert.include(added, '\n    {\n      "effect": "deny",\n')
    assert.lengthOf(rulesIn(added), 2)
  })
})

describe("a rule that is removed", () => {
  it("leaves every comment and every other rule as they were", () => {
    const text = `{\n  "rules": [\n    // one\n    ${a}, // first\n    // two\n    ${b},\n    // three\n    ${c} // last\n  ]\n}\n`
    assert.strictEqual(
      RulesEdit.remove(text, 1),
      `{\n  "rules": [\n    // one\n    // first\n    // two\n    ${b},\n    // three\n    ${c} // last\n  ]\n}\n`
    )
    assert.strictEqual(
      RulesEdit.remove(text, 2),
      `{\n  "rules": [\n    // one\n    ${a}, // first\n    // two\n    // three\n    ${c} // last\n  ]\n}\n`
    )
    assert.strictEqual(
      RulesEdit.remove(text, 3),
      `{\n  "rules": [\n    // one\n    ${a}, // first\n    // two\n    ${b}\n    // three\n    // last\n  ]\n}\n`
    )
    assert.strictEqual(RulesEdit.remove(text, 4), text)
  })

  it("leaves no comma and no empty line behind", () => {
    assert.strictEqual(RulesEdit.remove(`{"rules": [${a}, ${b}, ${c}]}`, 1), `{"rules": [${b}, ${c}]}`)
    assert.strictEqual(RulesEdit.remove(`{"rules": [${a}, ${b}, ${c}]}`, 2), `{"rules": [${a}, ${c}]}`)
    assert.strictEqual(RulesEdit.remove(`{"rules": [${a}, ${b}, ${c}]}`, 3), `{"rules": [${a}, ${b}]}`)
    assert.strictEqual(RulesEdit.remove(`{"rules": [\n  ${a},\n  ${b}\n]}`, 2), `{"rules": [\n  ${a}\n]}`)
    assert.strictEqual(RulesEdit.remove(`{"rules": [\n  ${a},\n  ${b},\n]}`, 2), `{"rules": [\n  ${a},\n]}`)
    assert.strictEqual(RulesEdit.remove(`{"rules": [\n  ${a}\n]}`, 1), '{"rules": [\n]}')
  })

  it("can be any of them, in any form of the file", () => {
    const forms = [
      (rules: ReadonlyArray<string>) => `{"rules":[${rules.join(",")}]}`,
      (rules: ReadonlyArray<string>) => `{ "rules": [ ${rules.join(" , ")} , ] }`,
      (rules: ReadonlyArray<string>) => `{ "rules": [\n${rules.join(" // x\n, /* y */")} // z\n] }`,
      (rules: ReadonlyArray<string>) => `{ "rules": [\r\n${rules.map((each) => `  ${each}, // ,\r\n`).join("")}] }`,
      (rules: ReadonlyArray<string>) => `{ "rules": /* [ */ [ // ]\n${rules.join("/*,*/,//,\n")}\n/* } */ ] }`
    ]
    for (const form of forms)
      for (const count of [1, 2, 3]) {
        const text = form([a, b, c].slice(0, count))
        const before = rulesIn(text)
        assert.deepStrictEqual(rulesIn(RulesEdit.add(text, rule)), [...before, rule])
        for (let number = 1; number <= count; number++)
          assert.deepStrictEqual(rulesIn(RulesEdit.remove(text, number)), before.toSpliced(number - 1, 1))
      }
  })
})
