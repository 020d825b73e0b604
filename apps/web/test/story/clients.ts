/** Clients: who is let in, with which scope, and until when. */
import { assert, describe } from "vitest"
import { test } from "../support/story.ts"
import { simulated, type Tab } from "../support/Tab.ts"

/** What browsers say of a server that doesn't let them in, or lets them in no longer. */
const shut = [/status of 401/, /WebSocket connection to .* failed/, /WebSocket is already in CLOSING or CLOSED state/]

export const dialogOf = async ({ page }: Tab) => {
  await page.getByRole("button", { name: "Settings", exact: true }).click()
  await page.getByRole("button", { name: "Clients…" }).click()
  return page.getByRole("dialog", { name: "Clients" })
}

/** Invites a browser on the page, and returns the link that it shows. */
export const invite = async (tab: Tab, name: string, scope: string): Promise<string> => {
  const dialog = await dialogOf(tab)
  await dialog.getByLabel("Name of the browser").fill(name)
  await dialog.getByLabel("Scope of the invitation").selectOption(scope)
  await dialog.getByRole("button", { name: "Invite", exact: true }).click()
  const link = await dialog.locator("output code").textContent()
  await dialog.getByText("invited, not here yet").waitFor()
  await dialog.getByRole("button", { name: "Close" }).click()
  return link ?? ""
}

// Servers of one's own: on the one that stories share, they would shut out theirs.
export const clients = () =>
  describe("clients", () => {
    test("a button revokes all, this page too, and the link lets in again", async ({ alone, openAnew }) => {
      const tab = await openAnew(alone.link)
      tab.expect(...shut)
      await tab.sees(`Connected, ${alone.host}`)
      const dialog = await dialogOf(tab)
      await dialog.getByText("this page").waitFor()
      await dialog.getByRole("button", { name: "Revoke all…" }).click()
      await dialog.getByRole("button", { name: "Revoke all", exact: true }).click()
      await dialog.waitFor({ state: "detached" })
      await tab.page.getByText(`Connected, ${alone.host}`).waitFor({ state: "detached" })
      assert.strictEqual((await tab.page.request.get(`${alone.url}/session`)).status(), 401)
      const again = await openAnew(alone.link)
      await again.sees(`Connected, ${alone.host}`)
    })

    test("one that may only view sees requests, can do nothing, and says why", async ({
      alone,
      open,
      openAnew,
      project
    }) => {
      const tab = await open(alone.link)
      await tab.startThread(project)
      const link = await invite(tab, "wall display", "view")
      await tab.prompt("run `pwd`")
      await tab.asked(`${simulated} wants to run a command`).waitFor()
      const viewer = await openAnew(link)
      await viewer.sees(`Connected, ${alone.host}`)
      await viewer.page.goto(tab.page.url())
      const card = viewer.asked(`${simulated} wants to run a command`)
      await card.getByText(/This needs the scope approve\. This page has the scope view\./).waitFor()
      const allow = card.getByRole("button", { name: "Allow once" })
      assert.strictEqual(await allow.getAttribute("aria-disabled"), "true")
      assert.match((await allow.getAttribute("title")) ?? "", /needs the scope approve/)
      await allow.click({ force: true })
      await viewer.press("Escape", "1")
      const stop = viewer.page.getByRole("button", { name: "Stop" })
      assert.match((await stop.getAttribute("title")) ?? "", /needs the scope approve/)
      const rename = viewer.button("Rename this thread")
      assert.match((await rename.getAttribute("title")) ?? "", /needs the scope operate/)
      await viewer.page.getByRole("button", { name: "More about this thread" }).click()
      const remove = viewer.page.getByRole("button", { name: "Delete…" })
      assert.match((await remove.getAttribute("title")) ?? "", /needs the scope admin/)
      await viewer.press("Escape")
      await viewer.page.getByRole("button", { name: "Settings", exact: true }).click()
      const list = viewer.page.getByRole("button", { name: "Clients…" })
      assert.strictEqual(await list.getAttribute("aria-disabled"), "true")
      await viewer.press("Escape")
      await viewer.page.getByRole("link", { name: "Rules", exact: true }).click()
      const profile = viewer.page.getByRole("group", { name: `Profile of ${simulated}` })
      const changes = [
        viewer.button("Add a rule…"),
        viewer.button("Try"),
        profile.getByRole("button", { name: "Bypass…" })
      ]
      for (const change of changes) {
        assert.strictEqual(await change.getAttribute("aria-disabled"), "true")
        assert.match((await change.getAttribute("title")) ?? "", /needs the scope (admin|operate)/)
      }
      await viewer.page.goBack()

      // With more, the same page answers, and the transcript names it.
      const dialog = await dialogOf(tab)
      await dialog.getByLabel("Scope of wall display").selectOption("approve")
      await card.getByText("This needs the scope approve").waitFor({ state: "detached" })
      const reject = await viewer.settled("Reject")
      // A reason becomes a prompt: the key for it does nothing.
      const explain = card.getByRole("button", { name: /^Reject and say why/ })
      assert.match((await explain.getAttribute("title")) ?? "", /needs the scope operate/)
      await viewer.press("Escape", (await explain.getAttribute("aria-keyshortcuts")) ?? "")
      assert.strictEqual(await card.getByRole("textbox").count(), 0)
      await reject.click()
      const setting = viewer.page
        .getByRole("group", { name: `Settings of ${simulated}` })
        .getByRole("button")
        .first()
      await setting.waitFor()
      assert.match((await setting.getAttribute("title")) ?? "", /needs the scope operate/)
      await setting.click({ force: true })
      assert.strictEqual(await setting.getAttribute("aria-expanded"), "false")
      await dialog.getByRole("button", { name: "Close" }).click()
      await tab.transcript.getByRole("button", { name: /^Rejected/ }).click()
      await tab.reads("Answered on the page “wall display”.")
    })

    test("one that is revoked by another page is cut off, and has to be let in again", async ({
      alone,
      open,
      openAnew
    }) => {
      const tab = await open(alone.link)
      await tab.sees(`Connected, ${alone.host}`)
      const link = await invite(tab, "phone", "operate")
      const phone = await openAnew(link)
      phone.expect(...shut)
      await phone.sees(`Connected, ${alone.host}`)
      const dialog = await dialogOf(tab)
      await dialog.getByText(/^connected · here within the hour/).waitFor()
      await dialog.getByRole("button", { name: "Rename phone" }).click()
      await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("old phone")
      await dialog.getByRole("button", { name: "Rename", exact: true }).click()
      await dialog.getByRole("button", { name: "Revoke old phone…" }).click()
      await dialog.getByRole("button", { name: "Revoke", exact: true }).click()
      await dialog.getByText("old phone").waitFor({ state: "detached" })
      await phone.page.getByText(`Connected, ${alone.host}`).waitFor({ state: "detached" })
      assert.strictEqual((await phone.page.request.get(`${alone.url}/session`)).status(), 401)
      // The link was used up. Another page lies between: in the same document, only the fragment would change.
      await phone.page.goto("about:blank")
      await phone.page.goto(link)
      await phone.heading("This link is from an earlier start").waitFor()
      await phone.page.reload()
      await phone.heading("This page needs its link").waitFor()
      await tab.sees(`Connected, ${alone.host}`)
    })
  })
