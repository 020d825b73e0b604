/** What a server that dies in the middle of a turn leaves behind, and how it goes on. */
import { assert, describe } from "vitest"
import { remainsOf } from "../support/Processes.ts"
import { test } from "../support/story.ts"

export const restart = () =>
  describe("a server that dies", () => {
    test("its turn is lost and said to be, its text is kept, and the thread goes on", async ({
      open,
      project,
      alone
    }) => {
      const tab = await open(alone.link)
      tab.expect(/ERR_CONNECTION_REFUSED/, /WebSocket connection to .* failed/, /status of 401/)
      await tab.startThread(project)
      const prompt = "Count slowly [[fake:stream n=400 ms=100]]"
      await tab.prompt(prompt)
      await tab.reads(/chunk 20 of 400/)
      const orphans = new Set([await tab.agentPid()])
      await alone.crash()
      assert.deepStrictEqual(await remainsOf(orphans), [], "its agents go with it")
      await tab.page.getByRole("region", { name: "Connection" }).getByText("stopped answering").waitFor()
      await tab.nowLine.getByText("Not connected").waitFor()
      await tab.reads(/chunk 20 of 400/)

      await alone.start()
      await tab.button("Try now").click()
      await tab.sees("Signalbox was started anew and doesn’t know this browser.")
      await tab.page.goto(alone.link)
      await tab.ended("Lost")
      assert.notInclude(tab.page.url(), "token")
      await tab.reads(/chunk 20 of 400/)
      assert.notInclude(await tab.story(), "chunk 400 of 400")
      await tab.button("Put it in the composer").click()
      assert.strictEqual(await tab.composer.inputValue(), prompt)

      await tab.prompt("Are you there?")
      await tab.reads("Resumed by session/load")
      await tab.reads(/You said:/)
      await tab.ended("Completed")
      const story = await tab.story()
      assert.strictEqual(story.split("chunk 1 of 400").length, 2, "the replay is not shown a second time")
    })
  })
