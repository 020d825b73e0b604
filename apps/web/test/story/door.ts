/** How one gets in. */
import { assert, describe } from "vitest"
import { test } from "../support/story.ts"

/** What browsers say of a server that doesn't let them in. */
const shut = [/status of 401/, /WebSocket connection to .* failed/]

// On a server on which nobody starts a thread: with one, the page would open it.
export const door = () =>
  describe("the door", () => {
    test("the printed link opens the page, and its token leaves the address", async ({
      openAnew,
      withoutCursor: server
    }) => {
      const tab = await openAnew(server.link)
      await tab.heading("Agents on this machine").waitFor()
      await tab.sees(`Connected, ${server.host}`)
      assert.strictEqual(tab.page.url(), `${server.url}/`)
      const [cookie, ...others] = await tab.cookies()
      assert.strictEqual(others.length, 0)
      assert.strictEqual(cookie?.httpOnly, true)
      assert.strictEqual(cookie?.sameSite, "Strict")
      const token = new URL(server.link).hash.replace("#token=", "")
      const kept = await tab.page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
      assert.notInclude(kept + cookie?.value, token)
      await tab.page.reload()
      await tab.heading("Agents on this machine").waitFor()
    })

    test("without a cookie the page says how to get in, and the link lets in", async ({
      openAnew,
      withoutCursor: server
    }) => {
      const tab = await openAnew(server.url)
      tab.expect(...shut)
      await tab.heading("This page needs its link").waitFor()
      await tab.sees("npx signalbox serve")
      assert.strictEqual(await tab.page.getByText("Eliza").count(), 0)
      await tab.page.goto(server.link)
      await tab.heading("Agents on this machine").waitFor()
      assert.strictEqual(tab.page.url(), `${server.url}/`)
    })

    test("a wrong token is refused, and leaves the address as well", async ({ openAnew, withoutCursor: server }) => {
      const tab = await openAnew(`${server.url}/#token=${"A".repeat(43)}`)
      tab.expect(...shut)
      await tab.heading("This link is from an earlier start").waitFor()
      await tab.sees("npx signalbox serve")
      assert.strictEqual(tab.page.url(), `${server.url}/`)
      assert.deepStrictEqual(await tab.cookies(), [])
    })
  })
