import { ProviderId, type ProviderStatus } from "@signalbox/contracts/Provider"
import { assert, describe, test } from "vitest"
import { lead } from "../src/agents/agentWords.ts"

const agent = (name: string, state: ProviderStatus["state"]): ProviderStatus => ({
  provider: { id: ProviderId.make(name.toLowerCase()), kind: "acp", name, simulated: false },
  description: "",
  state,
  checks: [],
  capabilities: { rollback: { supported: true }, resume: true, images: false }
})

describe("the words at the head of the agents’ page", () => {
  test("a few are named", () =>
    assert.include(lead([agent("Ada", "ready"), agent("Bo", "attention")]), "Ada is ready. Bo is one step away."))

  test("many are counted", () => {
    const some = ["Ada", "Bo", "Cy"].map((name) => agent(name, "ready"))
    assert.match(lead([...some, agent("Di", "unavailable")]), /3 of 4 agents are ready\.$/)
    assert.match(lead([...some, agent("Di", "checking")]), /We are looking for 4 agents\.$/)
  })

  test("counted is what is shown below, simulated agents too", () => {
    const real = ["Ada", "Bo", "Cy", "Di", "Ed"].map((name, place) => agent(name, place < 3 ? "ready" : "unavailable"))
    const simulated = ["Eliza", "Cursor (simulated)"].map((name) => {
      const status = agent(name, "ready")
      return { ...status, provider: { ...status.provider, simulated: true } }
    })
    assert.include(lead([...real, ...simulated]), "5 of 7 agents are ready.")
  })
})
