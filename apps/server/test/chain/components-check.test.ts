/** What a check of an agent says of its components, and what people can choose from. */
import { assert, describe, it } from "@effect/vitest"
import type { ChainComponent } from "@signalbox/contracts/ChainConfig"
import * as ComponentsCheck from "../../src/provider/catalog/ComponentsCheck.ts"
import * as PlannedComponents from "../../src/provider/chain/PlannedComponents.ts"

const check = (components: ReadonlyArray<ChainComponent>) => {
  const { checks, problem, state } = ComponentsCheck.withComponents({ components }, { state: "ready", checks: [] })
  return { state, says: checks.map(({ detail, name, state }) => `${name} ${state}: ${detail}`), cause: problem?.cause }
}

describe("the check of an agent", () => {
  it("names its components, and those that are off", () => {
    assert.deepStrictEqual(check([{ component: "git" }, { command: "node", args: ["style.mjs"], disabled: true }]), {
      state: "ready",
      says: ["components ok: git, node style.mjs (off)"],
      cause: undefined
    })
    assert.deepStrictEqual(check([]), { state: "ready", says: [], cause: undefined })
  })

  it("says which component can’t be started, and why", () => {
    const twice = "The settings name the component git twice. Give one of them another name."
    assert.deepStrictEqual(check([{ component: "git" }, { component: "git" }]), {
      state: "attention",
      says: [`components failed: ${twice}`],
      cause: twice
    })
    assert.include(check([{ component: "git", args: ["--fast"] }]).cause, "git: It takes no arguments.")
    assert.include(check([{ component: "gti" }]).cause, "There is no component gti. There are: pass, tee, git")
  })
})

describe("the list of components", () => {
  it("has each with what it is, without secrets, and its fault", () => {
    const infos = PlannedComponents.infos([
      { command: "node", args: ["x.mjs", "--api-key", "sk-ant-api03-0123456789abcdef0123456789"], name: "Style" },
      { component: "pass" },
      { component: "gti", disabled: true }
    ])
    assert.deepStrictEqual(
      infos.map(({ enabled, name }) => `${name} ${enabled}`),
      ["Style true", "pass true", "gti false"]
    )
    assert.notInclude(JSON.stringify(infos), "0123456789abcdef")
    assert.strictEqual(infos[1]?.summary, "Passes everything on as it came")
    assert.include(infos[2]?.problem, "There is no component gti.")
  })
})
