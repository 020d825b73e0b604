import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Assembly from "../src/Assembly.ts"
import type * as Component from "../src/Component.ts"

const component = (name: string): Component.Component => ({ name, start: Effect.die("not started here") })

const ide: Assembly.Feature = {
  component: component("ide"),
  isEnabled: true,
  adapter: { primitive: "ide_operations", component: component("ide adapter") }
}
const walkthrough: Assembly.Feature = {
  component: component("walkthrough"),
  isEnabled: true,
  adapter: { primitive: "present", component: component("present adapter") }
}
const sources: Assembly.Feature = { component: component("sources"), isEnabled: true }
const disabled = (feature: Assembly.Feature): Assembly.Feature => ({ ...feature, isEnabled: false })

const mcp: Assembly.Bridge = {
  component: component("mcp bridge"),
  neededBecause: (agent) => (agent["mcp"] === true ? undefined : "the agent takes no MCP servers over ACP")
}

const offers = (...primitives: ReadonlyArray<string>) => ({
  _meta: { symposium: { version: "1.0", ...Object.fromEntries(primitives.map((key) => [key, true])) } }
})

const cases: ReadonlyArray<{
  readonly title: string
  readonly gaps: Assembly.Gaps
  readonly features: ReadonlyArray<Assembly.Feature>
  readonly expected: ReadonlyArray<string>
}> = [
  {
    title: "a minimal client and agent get every adapter and bridge",
    gaps: { client: undefined, agent: {} },
    features: [ide, sources, walkthrough],
    expected: ["ide adapter", "ide", "sources", "present adapter", "walkthrough", "mcp bridge"]
  },
  {
    title: "a primitive that the client has needs no adapter",
    gaps: { client: offers("ide_operations"), agent: {} },
    features: [ide, walkthrough],
    expected: ["ide", "present adapter", "walkthrough", "mcp bridge"]
  },
  {
    title: "a primitive that is false or null is not there",
    gaps: { client: { _meta: { symposium: { ide_operations: false, present: null } } }, agent: { mcp: true } },
    features: [ide, walkthrough],
    expected: ["ide adapter", "ide", "present adapter", "walkthrough"]
  },
  {
    title: "a capable client and agent get the components alone",
    gaps: { client: offers("ide_operations", "present"), agent: { mcp: true } },
    features: [ide, sources, walkthrough],
    expected: ["ide", "sources", "walkthrough"]
  },
  {
    title: "what is switched off leaves, together with its adapter",
    gaps: { client: undefined, agent: { mcp: true } },
    features: [disabled(ide), sources, disabled(walkthrough)],
    expected: ["sources"]
  },
  {
    title: "two features on one primitive share the adapter of the first",
    gaps: { client: undefined, agent: { mcp: true } },
    features: [
      ide,
      { ...walkthrough, adapter: { primitive: "ide_operations", component: component("second adapter") } }
    ],
    expected: ["ide adapter", "ide", "walkthrough"]
  },
  {
    title: "the adapter of a feature that is switched off is not shared",
    gaps: { client: undefined, agent: { mcp: true } },
    features: [
      disabled(ide),
      { ...walkthrough, adapter: { primitive: "ide_operations", component: component("second adapter") } }
    ],
    expected: ["second adapter", "walkthrough"]
  },
  {
    title: "an agent that was not asked gets every bridge",
    gaps: { client: undefined, agent: undefined },
    features: [sources],
    expected: ["sources", "mcp bridge"]
  },
  { title: "nothing is switched on", gaps: { client: undefined, agent: { mcp: true } }, features: [], expected: [] }
]

describe("The components of a chain", () => {
  it.each(cases)("$title", ({ expected, features, gaps }) => {
    const placed = Assembly.of(gaps, features, [mcp])
    assert.deepStrictEqual(
      placed.map((each) => each.component.name),
      expected
    )
  })

  it("say why they are there", () => {
    const placed = Assembly.of({ client: undefined, agent: {} }, [ide], [mcp])
    assert.deepStrictEqual(
      placed.map(({ because, role }) => [role, because]),
      [
        ["adapter", "the client lacks ide_operations"],
        ["component", "it is switched on"],
        ["bridge", "the agent takes no MCP servers over ACP"]
      ]
    )
  })
})
