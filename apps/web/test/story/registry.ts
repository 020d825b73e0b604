/** Agents that can be had, and what is known of those that are there. */
import { assert, describe } from "vitest"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { keeper } from "../support/agents.ts"
import type { Server } from "../support/Server.ts"
import { test } from "../support/story.ts"

/** The file of settings, if there is one yet. */
const settingsOf = (server: Server): string => {
  const path = join(server.home, "state", "settings.json")
  return existsSync(path) ? readFileSync(path, "utf8") : ""
}

export const registry = () =>
  describe("the registry", () => {
    test("shows exactly what would be run, and does nothing before somebody agrees", async ({ alone, open }) => {
      const tab = await open(alone.link)
      await tab.button("More agents…").click()
      const dialog = tab.page.getByRole("dialog", { name: "Agents of the registry" })
      await dialog.getByText("As it came with Signalbox.").waitFor()
      const agents = dialog.getByRole("list", { name: "Agents of the registry" }).getByRole("listitem")
      const all = await agents.count()
      assert.isAbove(all, 5)
      await dialog.getByRole("searchbox", { name: "Find an agent" }).fill("claude")
      await agents.nth(1).waitFor({ state: "detached" })
      const install = agents.first().getByRole("button", { name: /^Install… Claude/ })
      await install.press("Enter")
      const command = /^npx .*@agentclientprotocol\/claude-agent-acp@\d+\.\d+\.\d+/
      await agents.first().getByText(command).waitFor()
      await dialog.getByRole("button", { name: "Cancel" }).press("Enter")
      assert.notInclude(settingsOf(alone), "claude-agent-acp")
      await install.press("Enter")
      await dialog.getByRole("button", { name: /^Install \d/ }).press("Enter")
      await dialog.getByText(/Installed as claude-acp/).waitFor()
      assert.include(settingsOf(alone), "claude-agent-acp@")
      await dialog.getByText(/installed as claude-acp, /).waitFor()
      assert.strictEqual(await tab.sideways(), 0)
      await tab.press("Escape")
      await tab.page.getByRole("article").getByText(command).waitFor()
    })

    test("marks a download without a checksum, and says how a package is checked and what it needs", async ({
      open,
      server
    }) => {
      const tab = await open(server.link)
      await tab.button("New thread").click()
      await tab.button("More agents…").click()
      const dialog = tab.page.getByRole("dialog", { name: "Agents of the registry" })
      const entry = (name: string) => dialog.getByRole("listitem").filter({ hasText: name })
      await entry("cursor").getByText("no checksum", { exact: true }).waitFor()
      assert.strictEqual(await dialog.getByText("no checksum", { exact: true }).count(), 1)
      await entry("Gemini CLI")
        .getByRole("button", { name: /^Install…/ })
        .press("Enter")
      await entry("Gemini CLI")
        .getByText(/^npm, which had sha512-/)
        .waitFor()
      await entry("Gemini CLI")
        .getByText(/^Node\.js >=\d/)
        .waitFor()
      assert.strictEqual(await tab.sideways(), 0)
    })

    test("says why an agent can’t be installed here", async ({ open, server }) => {
      const tab = await open(server.link)
      // With threads there are, the page opens one of them.
      await tab.button("New thread").click()
      await tab.button("More agents…").click()
      const dialog = tab.page.getByRole("dialog", { name: "Agents of the registry" })
      await dialog.getByRole("searchbox", { name: "Find an agent" }).fill("goose")
      const agent = dialog.getByRole("listitem").filter({ hasText: "goose" })
      await agent.getByText("Where it is loaded from is not known here").waitFor()
      assert.strictEqual(await agent.getByRole("button").count(), 0)
    })

    test("an agent is looked over when somebody asks, and the report is there afterwards", async ({ agent, open }) => {
      agent.settle(keeper(agent, { offers: { session: { list: {} } } }))
      const tab = await open(agent.server.link)
      await tab.button("New thread").click()
      await tab.button(`Protocol of ${agent.name}…`).click()
      const dialog = tab.page.getByRole("dialog", { name: `What ${agent.name} does of the protocol` })
      await dialog.getByText("Nobody has looked yet.").waitFor()
      await dialog.getByRole("button", { name: "Look now" }).press("Enter")
      await dialog.getByRole("button", { name: "Look again" }).waitFor({ timeout: 120_000 })
      await dialog.getByText(/hold/).first().waitFor()
      assert.isAbove(await dialog.getByRole("row").count(), 5)
      await tab.press("Escape")
      await tab.button(`Protocol of ${agent.name}…`).click()
      await dialog.getByText(/as of /).waitFor()
      assert.strictEqual(await tab.sideways(), 0)
    })
  })
