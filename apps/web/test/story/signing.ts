/** An agent that wants to know who is there. */
import { assert, describe } from "vitest"
import { keeper } from "../support/agents.ts"
import type { OwnAgent } from "../support/OwnAgent.ts"
import { test } from "../support/story.ts"
import type { Tab } from "../support/Tab.ts"

const web = { id: "web", name: "In the browser" }
const code = { type: "terminal", id: "code", name: "By a code", args: ["login"] }
const key = {
  type: "env_var",
  id: "key",
  name: "By a key",
  vars: [{ name: "KEEPER_KEY", label: "A key" }],
  link: "https://keeper.example/keys"
}

const cardOf = (tab: Tab, { name }: OwnAgent) => tab.desk.getByRole("article", { name: `${name} wants you to sign in` })

export const signing = () =>
  describe("signing in", () => {
    test("in a terminal on the page, with keys alone; the agent is then started by itself", async ({
      agent,
      open,
      project
    }) => {
      agent.settle(keeper(agent, { authMethods: [web, code, key], wantsLogin: ["session/new"] }))
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      const card = cardOf(tab, agent)
      await card.getByText("export KEEPER_KEY=…").waitFor()
      // One login is one card: the transcript points to it.
      await tab.reads("How to sign in is on the desk below.")
      assert.strictEqual(await tab.page.getByRole("article").count(), 1)
      await card.getByRole("link", { name: "https://keeper.example/keys" }).waitFor()
      await card.getByRole("button", { name: "Sign in: By a code" }).press("Enter")
      const terminal = card.getByRole("textbox", { name: `Terminal of ${agent.name}` })
      await card.getByText("Code:").waitFor()
      await terminal.and(tab.page.locator(":focus")).waitFor()
      await tab.page.keyboard.type("12x")
      await tab.press("Backspace")
      await tab.page.keyboard.type("34")
      await tab.press("Enter")
      await tab.nowLine.getByText("Ready").waitFor()
      await card.waitFor({ state: "detached" })
      await tab.prompt("hello")
      await tab.ended("Completed")
    })

    test("by a program that is not the agent's own: its command is shown, and nothing runs it", async ({
      agent,
      open,
      project
    }) => {
      const other = {
        id: "other",
        name: "By another program",
        _meta: { "terminal-auth": { command: "/opt/other/program", args: ["login"] } }
      }
      agent.settle(keeper(agent, { authMethods: [web, other], wantsLogin: ["session/new"] }))
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      const card = cardOf(tab, agent)
      await card.getByText("Run this yourself, in a terminal:").waitFor()
      await card.getByText("/opt/other/program login").waitFor()
      assert.strictEqual(await card.getByRole("button", { name: "Sign in: By another program" }).count(), 0)
    })

    test("by what the agent does itself: its addresses are shown, Cancel gives up, and another try works", async ({
      agent,
      open,
      project
    }) => {
      const waits = [{ stdout: "Visit https://keeper.example/login?a=1\n" }, { forCancel: true }]
      agent.settle(keeper(agent, { authMethods: [web], wantsLogin: ["session/new"], onAuthenticate: waits }))
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      const card = cardOf(tab, agent)
      await card.getByRole("button", { name: "Sign in: In the browser" }).click()
      const address = card.getByRole("link", { name: "https://keeper.example/login?a=1" })
      await address.waitFor()
      assert.strictEqual(await address.getAttribute("rel"), "noreferrer")
      await card.getByRole("button", { name: "Cancel" }).click()
      await card.getByRole("button", { name: "Sign in: In the browser" }).waitFor()
      agent.settle(keeper(agent, { authMethods: [web], wantsLogin: ["session/new"] }))
      await card.getByRole("button", { name: "Sign in: In the browser" }).click()
      await tab.nowLine.getByText("Ready").waitFor()
    })

    test("for a prompt: nothing is sent by itself, and one button sends it again", async ({ agent, open, project }) => {
      agent.settle(keeper(agent, { authMethods: [web], wantsLogin: ["session/prompt"] }))
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      const card = cardOf(tab, agent)
      await tab.nowLine.getByText("Ready").waitFor()
      await tab.prompt("hello")
      await tab.ended("Failed")
      await tab.reads("How to sign in is on the desk below.")
      assert.strictEqual(await tab.page.getByRole("article").count(), 1)
      await card.getByRole("button", { name: "Sign in: In the browser" }).click()
      await card.getByRole("button", { name: "Send it again" }).click()
      await tab.ended("Completed")
      await card.waitFor({ state: "detached" })
    })
  })
