import { assert, describe, it } from "@effect/vitest"
import { ProviderId, type ProviderStatus } from "@signalbox/contracts/Provider"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { AgentCard } from "../src/agents/AgentCard.tsx"

const work: ProviderStatus = {
  provider: { id: ProviderId.make("cursor-work"), kind: "cursor", name: "Cursor (work)", simulated: false },
  description: "From your settings.",
  state: "ready",
  checks: [],
  capabilities: { rollback: { supported: true }, resume: true, images: true }
}

const draw = (status: ProviderStatus) =>
  renderToStaticMarkup(
    createElement(AgentCard, {
      status,
      preferred: false,
      onStart: undefined,
      onSessions: undefined,
      onAccount: undefined,
      onConformance: undefined
    })
  )

describe("the card of an agent", () => {
  it("shows how it is started: the command, and the names of its variables", () => {
    const drawn = draw({ ...work, commandLine: "cursor-agent --force acp", variables: ["CURSOR_CONFIG_DIR", "A_KEY"] })
    assert.include(drawn, "cursor-agent --force acp")
    assert.include(drawn, "Variables")
    assert.include(drawn, "CURSOR_CONFIG_DIR A_KEY")
  })

  it("says nothing of variables where there are none", () => {
    assert.notInclude(draw(work), "Variables")
  })
})
