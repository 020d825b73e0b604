/** What an agent says, from the first words to the end of its turn, however that end comes. */
import { assert, describe } from "vitest"
import { scripted } from "../support/agents.ts"
import { gateIn } from "../support/Gate.ts"
import { openHeldBack } from "../support/HeldBack.ts"
import { gone } from "../support/Server.ts"
import { test } from "../support/story.ts"
import type { Tab } from "../support/Tab.ts"

/** What the emulator says to `[[fake:stream n=…]]`. */
const chunks = (count: number): string =>
  Array.from({ length: count }, (_, index) => `chunk ${index + 1} of ${count}`).join(" ")

/** Steps that say some of these chunks, the first and the last of them included. */
const says = (first: number, last: number, count: number): ReadonlyArray<object> =>
  Array.from({ length: last - first + 1 }, (_, index) => ({ text: `chunk ${first + index} of ${count}\n` }))

/** Steps that add six entries to a transcript. */
const round = (number: number): ReadonlyArray<object> => [
  { thought: `Thinking about ${number}.` },
  ...Array.from({ length: 4 }, (_, index) => ({
    update: {
      sessionUpdate: "tool_call",
      toolCallId: `call-${number}-${index}`,
      title: `Look at ${number}, ${index}`,
      kind: "fetch",
      status: "completed"
    }
  })),
  { text: `Done with ${number}.` }
]

/** The paragraphs that the agent wrote, without what stands around them. */
const written = async (tab: Tab): Promise<string> => {
  const paragraphs = await tab.transcript.locator("p").filter({ hasText: "chunk" }).allTextContents()
  return paragraphs
    .filter((text) => text.startsWith("chunk"))
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .trim()
}

export const turns = () =>
  describe("a turn", () => {
    test("its first words are there before it has ended", async ({ agent, open, project }) => {
      const gate = gateIn(project)
      agent.settle(scripted({ prompts: [[...says(1, 50, 100), gate.step, ...says(51, 100, 100)]] }))
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      await tab.prompt("Count for me")
      await tab.reads(/chunk 50 of 100/)
      const story = await tab.story()
      assert.notInclude(story, "chunk 51 of 100")
      assert.notInclude(story, "end_turn")
      gate.open()
      await tab.ended("Completed")
      assert.strictEqual(await written(tab), chunks(100))
      // The prompt names the thread.
      await tab.heading(/^Count For Me$/i).waitFor()
    })

    test("a reload in its middle loses nothing and doubles nothing", async ({ agent, open, project }) => {
      const [begin, end] = [gateIn(project), gateIn(project)]
      const during = says(11, 199, 200).flatMap((step) => [step, { wait: 10 }])
      agent.settle(
        scripted({ prompts: [[...says(1, 10, 200), begin.step, ...during, end.step, ...says(200, 200, 200)]] })
      )
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      await tab.prompt("Count")
      await tab.reads(/chunk 10 of 200/)
      begin.open()
      await tab.page.reload()
      await tab.reads(/chunk 10 of 200/)
      assert.notInclude(await tab.story(), "end_turn")
      end.open()
      await tab.ended("Completed")
      assert.strictEqual(await written(tab), chunks(200))
    })

    test("whoever scrolls up is left there and told what came, and follows again at the end", async ({
      agent,
      open,
      project
    }) => {
      const more = gateIn(project)
      const rounds = Array.from({ length: 60 }, (_, index) => round(index + 1))
      const prompt = [...rounds.slice(0, 15), [more.step], ...rounds.slice(15), [{ waitForCancel: true }]].flat()
      agent.settle(scripted({ prompts: [prompt] }))
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      await tab.prompt("Look around")
      await tab.transcript.locator("[data-entry]").nth(60).waitFor()
      const place = () => tab.transcript.evaluate(({ scrollTop }) => scrollTop)
      const missed = tab.button(/^[\d,]+ new entr(?:y|ies), go to the end/)
      assert.strictEqual(await missed.count(), 0)
      await tab.transcript.hover()
      // The page lets go when the wheel turns; the browser scrolls some time later. Only the wheel takes it up.
      await tab.transcript.evaluate((transcript) => {
        let [before, still] = [transcript.scrollTop, 0]
        const look = () => {
          const now = transcript.scrollTop
          still = now < before || (still > 0 && now === before) ? still + 1 : 0
          before = now
          // Three frames in a row: the wheel's way is done.
          if (still > 3) transcript.setAttribute("data-scrolled", "")
          else requestAnimationFrame(look)
        }
        transcript.addEventListener("wheel", look, { once: true })
      })
      await tab.page.mouse.wheel(0, -200)
      await tab.transcript.and(tab.page.locator("[data-scrolled]")).waitFor()
      more.open()
      await missed.waitFor()
      const left = await place()
      // What came is drawn below, however much it is, and nothing goes at the top.
      await tab.transcript.locator("[data-entry]").nth(180).waitFor()
      assert.strictEqual(await place(), left)
      // In the composer, End goes to the end of the line.
      await tab.press("Escape", "End")
      await missed.waitFor({ state: "detached" })
      // Where it follows, the earliest entries leave, so the end is not always further down than the place that was left. What came
      // in this very frame may still be below.
      await tab.page.waitForFunction((left) => {
        const { clientHeight = 0, scrollHeight = 0, scrollTop = 0 } = document.querySelector("#register") ?? {}
        return scrollTop > 0 && scrollTop !== left && scrollHeight - clientHeight - scrollTop < clientHeight
      }, left)
      assert.strictEqual(await missed.count(), 0)
      await tab.press("Control+.")
      await tab.ended("Cancelled")
    })

    test("a queued prompt runs after it; one that is taken back never does", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      // An answer that is not given yet holds it for as long as it takes.
      await tab.prompt("run `pwd`")
      await tab.settled("Allow once")
      await tab.prompt("Second, please")
      await tab.prompt("Third, never mind")
      const queue = tab.page.getByRole("list", { name: "Queued prompts" }).getByRole("listitem")
      await queue.nth(1).getByText("Third, never mind").waitFor()
      await queue.nth(1).getByRole("button", { name: "Remove this prompt from the queue" }).click()
      await queue.nth(1).waitFor({ state: "detached" })
      assert.notInclude(await tab.story(), "Second")
      await tab.answer("Allow once").click()
      await tab.ended("Completed", 2)
      const story = await tab.story()
      assert.match(story, /ended with exit code 0.*end_turn.*You said: ?Second, please/)
      assert.notInclude(story, "Third")
      await tab.nowLine.getByText("Ready").waitFor()
    })

    test("a queued prompt is changed where it waits, and sent earlier, with keys alone", async ({
      open,
      project,
      server
    }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.prompt("run `pwd`")
      await tab.settled("Allow once")
      await tab.prompt("First of them")
      await tab.prompt("Second of them")
      const queue = tab.page.getByRole("list", { name: "Queued prompts" }).getByRole("listitem")
      await queue.nth(1).getByRole("button", { name: "Edit" }).press("Enter")
      await tab.page.getByRole("textbox", { name: "Prompt that waits" }).and(tab.page.locator(":focus")).waitFor()
      await tab.press("Control+a")
      await tab.page.keyboard.type("Second, changed")
      await tab.press("Control+Enter")
      await queue.nth(1).getByText("Second, changed").waitFor()
      const earlier = queue
        .filter({ hasText: "Second, changed" })
        .getByRole("button", { name: "Send this prompt earlier" })
      await earlier.press("Enter")
      await queue.nth(0).getByText("Second, changed").waitFor()
      // The focus goes with the row; what can't be done any more leaves it to the other button.
      await queue
        .nth(0)
        .getByRole("button", { name: "Send this prompt later" })
        .and(tab.page.locator(":focus"))
        .waitFor()
      await tab.answer("Allow once").click()
      await tab.ended("Completed", 3)
      assert.match(await tab.story(), /You said: ?Second, changed.*You said: ?First of them/)
    })

    test("what waits is held over the end of a turn and a restart of the server, until somebody lets it go", async ({
      alone,
      open,
      project
    }) => {
      const tab = await open(alone.link)
      tab.expect(...gone)
      await tab.startThread(project)
      await tab.prompt("run `pwd`")
      await tab.settled("Allow once")
      await tab.prompt("Not yet")
      await tab.button("Hold").press("Enter")
      await tab.button("Resume").waitFor()
      await tab.answer("Allow once").click()
      await tab.ended("Completed")
      await tab.desk.getByText("1 prompt held").waitFor()
      await alone.crash()
      await tab.nowLine.getByText("Not connected").waitFor()
      await alone.start()
      await tab.nowLine.getByText("until you resume").waitFor()
      await tab.desk.getByText("1 prompt held").waitFor()
      assert.notInclude(await tab.story(), "Not yet")
      await tab.button("Resume").press("Enter")
      await tab.ended("Completed", 2)
      assert.match(await tab.story(), /You said: ?Not yet/)
    })

    test("a prompt goes into the turn that runs where the agent takes it, and the page says so before", async ({
      agent,
      open,
      project
    }) => {
      agent.settle(
        scripted({
          initialize: { _meta: { steering: { supported: true } } },
          prompts: [[{ text: "Begun." }, { waitForCancel: true }]]
        })
      )
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      await tab.prompt("Begin")
      await tab.reads("Begun.")
      await tab.composer.fill("More of it")
      await tab.button("Say it now").waitFor()
      assert.strictEqual(await tab.button("Stop and send").count(), 0)
      await tab.press("Control+.")
      await tab.ended("Cancelled")
    })

    test("a prompt comes between: the turn is stopped for it, and the page says so before", async ({
      open,
      project,
      server
    }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.hang()
      await tab.prompt("After all that")
      await tab.composer.fill("Rather this")
      const between = tab.button("Stop and send")
      assert.include(await between.getAttribute("title"), "The turn that runs is stopped, and this is sent next")
      await between.click()
      await tab.ended("Cancelled")
      await tab.ended("Completed", 2)
      assert.match(await tab.story(), /for which the one before was stopped.*Rather this.*After all that/)
    })

    test("a change of a queued prompt that has run meanwhile is refused, and goes into the composer", async ({
      open,
      project,
      server
    }) => {
      const one = await open(server.link)
      await one.startThread(project)
      const { hold, refusal, tab: two } = await openHeldBack(open, one.page.url())
      await one.prompt("run `pwd`")
      await one.settled("Allow once")
      await one.prompt("Second, please")
      const edit = two.page.getByRole("list", { name: "Queued prompts" }).getByRole("button", { name: "Edit" })
      await edit.waitFor()
      hold()
      await one.answer("Allow once").click()
      await one.ended("Completed", 2)
      await edit.click()
      await two.page.getByRole("textbox", { name: "Prompt that waits" }).fill("Second, changed too late")
      await two.button("Keep the change").click()
      await refusal
      await two.desk.getByText("This prompt does not wait any more").waitFor()
      // What was written is not lost, and not sent.
      assert.strictEqual(await two.composer.inputValue(), "Second, changed too late")
      assert.notInclude(await one.story(), "too late")
    })

    test("a queued prompt that the agent got meanwhile is not stopped by taking it back", async ({
      open,
      project,
      server
    }) => {
      const one = await open(server.link)
      await one.startThread(project)
      const { hold, refusal, tab: two } = await openHeldBack(open, one.page.url())
      await one.prompt("run `pwd`")
      await one.settled("Allow once")
      await one.prompt("hang")
      const remove = two.page
        .getByRole("list", { name: "Queued prompts" })
        .getByRole("button", { name: "Remove this prompt from the queue" })
      await remove.waitFor()
      hold()
      await one.answer("Allow once").click()
      await one.ended("Completed")
      await one.nowLine.getByText("Working").waitFor()
      await remove.click()
      await refusal
      await two.desk.getByText("This turn has started meanwhile").waitFor()
      await one.prompt("Last, please")
      await one.page.getByRole("list", { name: "Queued prompts" }).getByText("Last, please").waitFor()
      assert.notInclude(await one.story(), "Cancelled")
      await one.press("Control+.")
      await one.ended("Cancelled")
    })

    test("a crash names the exit code and the last words, keeps the text, and the next prompt works", async ({
      open,
      project,
      difficult
    }) => {
      const tab = await open(difficult.link)
      await tab.startThread(project, "Cursor")
      await tab.prompt("[[fake:crash code=3]]")
      await tab.ended("Failed")
      const evidence = tab.transcript.getByLabel("Evidence").first()
      await evidence.getByText("exit: code 3").waitFor()
      await evidence.getByText(/^stderr, last [\d,]+ of [\d,]+ lines/).waitFor()
      await evidence.getByText("debug: the same line again and again").last().waitFor()
      await tab.reads("About to")
      await tab.button("Edit first").first().click()
      assert.strictEqual(await tab.composer.inputValue(), "[[fake:crash code=3]]")
      await tab.prompt("Are you there?")
      await tab.reads(/You said:/)
      await tab.ended("Completed")
      await tab.reads("Resumed by session/load")
    })

    test("[60] a prompt that was refused is said to be forgotten, and the next one is answered", async ({
      agent,
      open,
      project
    }) => {
      const prompts = [[{ text: "Not that." }, { stop: "refusal" }], [{ text: "Gladly." }]]
      agent.settle(scripted({ prompts }))
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      await tab.prompt("Do something bad")
      await tab.ended("Refused")
      await tab.reads(`${agent.name} knows nothing of this prompt, and of what followed it, in the turns to come.`)
      await tab.prompt("Do something good")
      await tab.ended("Completed")
      await tab.reads("Gladly.")
    })

    test("garbage between an agent's messages disturbs nothing", async ({ open, project, difficult }) => {
      const tab = await open(difficult.link)
      await tab.startThread(project, "Cursor")
      await tab.prompt("[[fake:stream n=50]]")
      await tab.ended("Completed")
      assert.strictEqual(await written(tab), chunks(50))
    })

    test("the thread can be renamed, and its agent's title then no longer counts", async ({
      open,
      project,
      server
    }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.button("Rename this thread").click()
      await tab.page.getByLabel("Title of this thread").fill("The greeting")
      await tab.button("Rename").click()
      await tab.page.getByRole("heading", { level: 1, name: "The greeting" }).waitFor()
      await tab.page
        .getByRole("navigation", { name: "Threads" })
        .getByRole("link", { name: /The greeting/ })
        .waitFor()
      await tab.prompt("Something else entirely [[fake:echo]]")
      await tab.ended("Completed")
      await tab.page.reload()
      await tab.page.getByRole("heading", { level: 1, name: "The greeting" }).waitFor()
    })
  })
