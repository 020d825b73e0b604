/** What a server that dies in the middle of a turn leaves behind, and how it goes on. */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, vi } from "vitest"
import { noteTexts, pressAtOnce } from "../support/Passing.ts"
import { remainsOf } from "../support/Processes.ts"
import { gone, type Server } from "../support/Server.ts"
import { test } from "../support/story.ts"
import { patience } from "../support/Tab.ts"

/** Waits until the log on the disk has this text. */
const isLogged = async ({ home }: Server, text: string): Promise<void> => {
  const database = new DatabaseSync(join(home, "state", "signalbox.sqlite"), { readOnly: true, timeout: patience })
  try {
    const events = database.prepare("SELECT count(*) AS found FROM events WHERE instr(payload, ?) > 0")
    await vi.waitFor(() => assert.isAbove(Number(events.get(text)?.["found"]), 0, text), { timeout: patience })
  } finally {
    database.close()
  }
}

export const restart = () => {
  describe("a server that dies", () => {
    test("its turn is lost and said to be, its text is kept, and the thread goes on", async ({
      open,
      project,
      alone
    }) => {
      const tab = await open(alone.link)
      tab.expect(...gone)
      await tab.startThread(project)
      // The second one waits for longer than any test.
      const prompt = "Count slowly [[fake:stream n=80 ms=10]] [[fake:stream n=1 ms=10000000]]"
      await tab.prompt(prompt)
      await tab.reads(/chunk 80 of 80/)
      // Text is shown before it is on the disk: only what is there is kept.
      await isLogged(alone, "chunk 80 of 80")
      const orphans = new Set([await tab.agentPid()])
      await alone.crash()
      assert.deepStrictEqual(await remainsOf(orphans), [], "its agents go with it")
      await tab.page.getByRole("region", { name: "Connection" }).getByText("stopped answering").waitFor()
      await tab.nowLine.getByText("Not connected").waitFor()
      await tab.reads(/chunk 80 of 80/)

      await alone.start()
      await tab.ended("Lost")
      await tab.reads(/chunk 80 of 80/)
      await tab.reads("Cut off here.")
      await tab.button("Edit first").click()
      assert.strictEqual(await tab.composer.inputValue(), prompt)

      await tab.prompt("Are you there?")
      await tab.reads("Resumed by session/load")
      await tab.reads(/You said:/)
      await tab.ended("Completed")
      const story = await tab.story()
      assert.strictEqual(story.split("chunk 1 of 80").length, 2, "the replay is not shown a second time")
    })

    test("changes no row of a quiet thread, and lets in again who was in", async ({ openAnew, project, alone }) => {
      const tab = await openAnew(alone.link)
      tab.expect(...gone)
      for (const word of ["First", "Second"]) {
        await tab.startThread(project)
        await tab.prompt(word)
        await tab.ended("Completed")
      }
      await tab.page.goto(`${alone.url}/#/agents`)
      await tab.heading("Agents on this machine").waitFor()
      const rows = tab.page.getByRole("complementary").getByRole("list").filter({ hasText: "First" })
      const before = await rows.first().innerHTML()
      assert.match(before, /First.*Second|Second.*First/s)
      await alone.crash()
      await tab.page.getByRole("region", { name: "Connection" }).getByText("stopped answering").waitFor()
      await alone.start()
      await tab.sees(`Connected, ${alone.host}`)
      assert.strictEqual(await rows.first().innerHTML(), before)
      await tab.page.reload()
      await tab.sees(`Connected, ${alone.host}`)
      await rows.first().waitFor()
      assert.strictEqual(await rows.first().innerHTML(), before)
    })

    test("keeps out who was not in, and whose entry has expired, until they come by the link", async ({
      open,
      openAnew,
      alone
    }) => {
      const tab = await open(alone.link)
      await tab.sees(`Connected, ${alone.host}`)
      const stranger = await openAnew(alone.url)
      for (const page of [tab, stranger]) page.expect(...gone, /status of 401/)
      await stranger.heading("This page needs its link").waitFor()
      await alone.crash()
      const file = join(alone.home, "state", "clients.json")
      writeFileSync(file, readFileSync(file, "utf8").replaceAll(/"lastHereAt":\d+/g, '"lastHereAt":0'))
      await alone.start()
      await tab.sees("Signalbox doesn’t know this browser any more.")
      await stranger.heading("This page needs its link").waitFor()
      await tab.page.goto(alone.link)
      await tab.sees(`Connected, ${alone.host}`)
    })

    test("its prompt is sent again by one button, once, as a turn of its own", async ({ open, project, alone }) => {
      const tab = await open(alone.link)
      tab.expect(...gone)
      await tab.startThread(project)
      await tab.prompt("Say it once run `pwd`")
      await tab.settled("Allow once")
      await alone.crash()
      await tab.nowLine.getByText("Not connected").waitFor()

      await alone.start()
      await tab.ended("Lost")
      await tab.button("Send again").dblclick()
      await tab.button("Sent again").waitFor()
      await (await tab.settled("Allow once")).click()
      await tab.ended("Completed")
      await tab.nowLine.getByText("Ready").waitFor()
      const story = await tab.story()
      assert.strictEqual(story.split(/You ?Say it once/).length, 3, "as it was lost, and as it was sent again")
      assert.strictEqual(await tab.composer.inputValue(), "")
    })

    test("a prompt that waited is held when the server is back, and sent once by Resume", async ({
      open,
      project,
      alone
    }) => {
      const tab = await open(alone.link)
      tab.expect(...gone)
      await tab.startThread(project)
      await tab.hang()
      await tab.prompt("After that, please")
      const queue = tab.page.getByRole("list", { name: "Queued prompts" })
      await queue.getByText("After that, please").waitFor()
      await alone.crash()
      await tab.nowLine.getByText("Not connected").waitFor()
      await queue.getByRole("button", { name: "Edit" }).and(tab.page.locator("[aria-disabled]")).waitFor()

      await alone.start()
      await tab.ended("Lost")
      await tab.desk.getByText("1 prompt held").waitFor()
      await tab.desk.getByText("the turn is lost").waitFor()
      assert.notInclude(await tab.story(), "You said")
      await tab.button("Resume").click()
      await tab.ended("Completed")
      const story = await tab.story()
      for (const said of [/You ?hang/, /You ?After that, please/, /You said: ?After that, please/])
        assert.strictEqual(story.split(said).length, 2, String(said))
    })
  })

  describe("an agent that ends by itself", () => {
    test("holds what waits, and is started again later each time that somebody resumes, until they stop that", async ({
      open,
      project,
      server
    }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.prompt("run `pwd`")
      await tab.settled("Allow once")
      for (let times = 0; times < 4; times++) await tab.prompt("[[fake:crash code=3]]")
      await tab.prompt("Never mind")
      await tab.answer("Allow once").click()
      for (let times = 1; times <= 4; times++) {
        await tab.ended("Failed", times)
        await tab.page
          .getByText(`${5 - times} prompt${times < 4 ? "s" : ""} held`)
          .first()
          .waitFor()
        if (times < 4) await tab.button("Resume").click()
      }
      // It is tried again after some seconds, and people can stop that until then.
      const said = await noteTexts(tab, '[aria-label="Now"]', /trying again/)
      const stopped = await pressAtOnce(tab, /^Stop trying$/)
      await tab.button("Resume").click()
      await stopped.first()
      await said.first()
      await tab.reads("Not sent: the session was stopped before its turn came")
      assert.strictEqual(await tab.button("Resume").count(), 0)
      const unsent = tab.transcript.locator("[data-entry]", { hasText: /^\S* ?You never handed to/ }).last()
      await unsent.getByText("Never mind").waitFor()
      await tab.button("Edit first").last().click()
      assert.strictEqual(await tab.composer.inputValue(), "Never mind")
      await tab.press("Control+Enter")
      await tab.ended("Completed")
      await tab.reads("Resumed by session/load")
    })

    test("asks how to go on where its agent has lost the session, and hands the transcript over", async ({
      open,
      project,
      alone
    }) => {
      const tab = await open(alone.link)
      tab.expect(...gone)
      await tab.startThread(project)
      await tab.prompt("The word is heron")
      await tab.ended("Completed")
      await alone.crash()
      await tab.nowLine.getByText("Not connected").waitFor()
      rmSync(join(alone.home, "state", "cursor-simulated", "acp-sessions"), { recursive: true })
      await alone.start()
      await tab.nowLine.getByText("Not connected").waitFor({ state: "detached" })
      await tab.prompt("Which word was it?")
      await tab.desk.getByText("1 prompt held").waitFor()
      await tab.button("Resume without").waitFor()
      const reason = tab.desk.getByText("has lost the session")
      await tab.resize({ width: 390, height: 800 })
      assert.isAtLeast((await reason.boundingBox())?.width ?? 0, 150, "it is read in lines, not letter by letter")
      await tab.resize({ width: 1440, height: 900 })
      assert.notInclude(await tab.story(), "You said: Which word was it?", "nothing is sent unasked")
      await tab.button("Resume with the transcript").click()
      await tab.ended("Completed", 2)
      assert.match(await tab.story(), /The word is heron/)
    })
  })
}
