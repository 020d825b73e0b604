import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Acp from "../src/AcpSchema.ts"

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

describe("internal/generated/v1.ts", () => {
  it("is what the generator writes", () => {
    const folder = mkdtempSync(join(tmpdir(), "acp-schema-"))
    try {
      const again = join(folder, "schema.ts")
      execFileSync(process.execPath, [path("../scripts/generate-schema.mjs"), again])
      assert.strictEqual(readFileSync(again, "utf8"), readFileSync(path("../src/internal/generated/v1.ts"), "utf8"))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("has every definition but the envelopes, every method and every kind of update", () => {
    const file = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.unstable.json")
    const { $defs } = JSON.parse(readFileSync(file, "utf8"))
    const missing = Object.keys($defs).filter((name) => !(name in Acp))
    assert.deepStrictEqual(missing, [
      "AgentRequest",
      "AgentResponse",
      "AgentNotification",
      "ClientRequest",
      "ClientResponse",
      "ClientNotification",
      "ProxyRequest",
      "ProxyResponse",
      "ProxyNotification"
    ])
    const kinds: Array<{ properties: { sessionUpdate: { const: string } } }> = $defs.SessionUpdate.oneOf
    assert.deepStrictEqual(
      Object.keys(Acp.sessionUpdates),
      kinds.map((kind) => kind.properties.sessionUpdate.const)
    )
    const methods = new Set<string>([
      ...Object.keys(Acp.agentRequests),
      ...Object.keys(Acp.agentNotifications),
      ...Object.keys(Acp.clientRequests),
      ...Object.keys(Acp.clientNotifications)
    ])
    const definitions: Array<{ "x-side"?: string; "x-method"?: string }> = Object.values($defs)
    const expected = definitions
      .filter((each) => each["x-side"] === "agent" || each["x-side"] === "client")
      .map((each) => String(each["x-method"]))
    assert.deepStrictEqual([...methods].toSorted(), [...new Set(expected)].toSorted())
  })
})
