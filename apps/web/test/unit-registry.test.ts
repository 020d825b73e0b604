import type { InstallPlan, RegistryAgent } from "@signalbox/contracts/Registry"
import { assert, describe, test } from "vitest"
import { commandOf, isMeant, isUnchecked, offerOf, progressWords, sourceWords } from "../src/agents/registryWords.ts"

const plan: InstallPlan = {
  way: "npx",
  version: "1.2.0",
  package: "@some/agent@1.2.0",
  command: "npx",
  args: ["-y", "@some/agent@1.2.0", "--say", "it's me"],
  env: { MODE: "a b" }
}
const agent: RegistryAgent = { id: "some", name: "Some Agent", installed: [], plan }

describe("an agent of the registry", () => {
  test("is shown with exactly what would be run, as one would type it", () => {
    assert.strictEqual(commandOf(plan), String.raw`MODE='a b' npx -y @some/agent@1.2.0 --say 'it'\''s me'`)
  })

  test("is installed, brought up to date, or can’t be", () => {
    assert.strictEqual(offerOf(agent), "install")
    assert.strictEqual(offerOf({ ...agent, installed: [{ name: "some", version: "1.1.0" }] }), "update")
    assert.strictEqual(offerOf({ ...agent, installed: [{ name: "some", version: "1.2.0" }] }), "again")
    const { plan: _, ...without } = agent
    assert.isUndefined(offerOf(without))
  })

  test("is marked where nobody has published a checksum of its download", () => {
    const download = {
      archive: "https://example.com/a",
      folder: "/a",
      command: "/a/b",
      args: [],
      env: {},
      version: "1"
    }
    assert.isTrue(isUnchecked({ way: "binary", ...download }))
    assert.isFalse(isUnchecked({ way: "binary", ...download, sha256: "0".repeat(64) }))
    assert.isFalse(isUnchecked(plan))
  })

  test("is found by each word of its name", () => {
    assert.isTrue(isMeant(agent, "agent some"))
    assert.isFalse(isMeant(agent, "agent other"))
  })

  test("is not said to be right where nothing could be checked", () => {
    assert.strictEqual(
      progressWords({ type: "downloading", received: 1_500_000, total: 3_000_000 }),
      "Downloading, 1.5 MB of 3.0 MB"
    )
    assert.include(progressWords({ type: "downloaded", sha256: "", verified: false }), "nothing to check it against")
    assert.strictEqual(sourceWords({ source: "shipped", agents: [], unreadable: [] }), "As it came with Signalbox.")
  })
})
