/** An agent that wants to know who is there. */
import { assert, describe } from "vitest"
import { keeper } from "../support/agents.ts"
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

const card = (tab: Tab) => tab.desk.getByRole("article", { name: "Keeper wants you to sign in" })

export const signing = () =>
  describe("signing in", () => {
    test("in a terminal on the page, with keys alone; the agent is then started by itself", async ({
      alone,
      open,
      project
    }) => {
      alone.settle({
        agents: { keeper: keeper(alone, { authMethods: [web, code, key], wantsLogin: ["session/new"] }) }
      })
      const tab = await open(alone.link)
      await tab.startThread(project, "Keeper")
      await card(tab).getByText("export KEEPER_KEY=…").waitFor()
      // One login is one card: the transcript points to it.
      await tab.reads("How to sign in is on the desk below.")
      assert.strictEqual(await tab.page.getByRole("article").count(), 1)
      await card(tab).getByRole("link", { name: "https://keeper.example/keys" }).waitFor()
      await card(tab).getByRole("button", { name: "Sign in: By a code" }).press("Enter")
      const terminal = card(tab).getByRole("textbox", { name: "Terminal of Keeper" })
      await card(tab).getByText("Code:").waitFor()
      await terminal.and(tab.page.locator(":focus")).waitFor()
      await tab.page.keyboard.type("12x")
      await tab.press("Backspace")
      await tab.page.keyboard.type("34")
      await tab.press("Enter")
      await tab.nowLine.getByText("Ready").waitFor()
      await card(tab).waitFor({ state: "detached" })
      await tab.prompt("hello")
      await tab.ended("Completed")
    })

    test("by a program that is not the agent's own: its command is shown, and nothing runs it", async ({
      alone,
      open,
      project
    }) => {
      const other = {
        id: "other",
        name: "By another program",
        _meta: { "terminal-auth": { command: "/opt/other/program", args: ["login"] } }
      }
      alone.settle({
        agents: { keeper: keeper(alone, { authMethods: [web, other], wantsLogin: ["session/new"] }) }
      })
      const tab = await open(alone.link)
      await tab.startThread(project, "Keeper")
      await card(tab).getByText("Run this yourself, in a terminal:").waitFor()
      await card(tab).getByText("/opt/other/program login").waitFor()
      assert.strictEqual(await card(tab).getByRole("button", { name: "Sign in: By another program" }).count(), 0)
    })

    test("by what the agent does itself: its addresses are shown, Cancel gives up, and another try works", async ({
      alone,
      open,
      project
    }) => {
      const waits = [{ stdout: "Visit https://keeper.example/login?a=1\n" }, { forCancel: true }]
      alone.settle({
        agents: { keeper: keeper(alone, { authMethods: [web], wantsLogin: ["session/new"], onAuthenticate: waits }) }
      })
      const tab = await open(alone.link)
      await tab.startThread(project, "Keeper")
      await card(tab).getByRole("button", { name: "Sign in: In the browser" }).click()
      const address = card(tab).getByRole("link", { name: "https://keeper.example/login?a=1" })
      await address.waitFor()
      assert.strictEqual(await address.getAttribute("rel"), "noreferrer")
      await card(tab).getByRole("button", { name: "Cancel" }).click()
      await card(tab).getByRole("button", { name: "Sign in: In the browser" }).waitFor()
      alone.settle({ agents: { keeper: keeper(alone, { authMethods: [web], wantsLogin: ["session/new"] }) } })
      await card(tab).getByRole("button", { name: "Sign in: In the browser" }).click()
      await tab.nowLine.getByText("Ready").waitFor()
    })

    test("for a prompt: nothing is sent by itself, and one button sends it again", async ({ alone, open, project }) => {
      alone.settle({ agents: { keeper: keeper(alone, { authMethods: [web], wantsLogin: ["session/prompt"] }) } })
      const tab = await open(alone.link)
      await tab.startThread(project, "Keeper")
      await tab.nowLine.getByText("Ready").waitFor()
      await tab.prompt("hello")
      await tab.ended("Failed")
      await tab.reads("How to sign in is on the desk below.")
      assert.strictEqual(await tab.page.getByRole("article").count(), 1)
      await card(tab).getByRole("button", { name: "Sign in: In the browser" }).click()
      await card(tab).getByRole("button", { name: "Send it again" }).click()
      await tab.ended("Completed")
      await card(tab).waitFor({ state: "detached" })
    })
  })
