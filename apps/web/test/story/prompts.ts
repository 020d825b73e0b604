/** What goes along with a prompt. */
import { assert, describe } from "vitest"
import { drawFrame, holdFrames } from "../support/Frames.ts"
import { attached, give, note, shot } from "../support/Given.ts"
import { test } from "../support/story.ts"

export const prompts = () =>
  describe("what goes along with a prompt", () => {
    test("a file is mentioned by some letters of its name, with keys alone", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.composer.focus()
      await tab.page.keyboard.type("echo @grts")
      const files = tab.page.getByRole("listbox", { name: "Files" })
      await files.getByRole("option", { name: "src/greet.ts", selected: true }).waitFor()
      await tab.press("Enter")
      assert.strictEqual(await tab.composer.inputValue(), "echo @src/greet.ts ")
      await files.waitFor({ state: "detached" })
      // Esc leaves it as it is written.
      await tab.page.keyboard.type("and @note")
      await files.waitFor()
      await tab.press("Escape")
      await files.waitFor({ state: "detached" })
      await tab.press("Control+Enter")
      await tab.ended("Completed")
      const prompt = tab.transcript.locator("code", { hasText: /^src\/greet\.ts$/ })
      assert.strictEqual(await prompt.count(), 1)
    })

    test("a file that is mentioned leaves the caret to whoever writes on, though the page is slow", async ({
      open,
      project,
      server
    }) => {
      const tab = await open(server.link, holdFrames)
      await tab.beginThread(project)
      await tab.composer.focus()
      await tab.page.keyboard.type("look at @grts")
      await tab.page.getByRole("option", { name: "src/greet.ts", selected: true }).waitFor()
      await tab.press("Enter")
      await tab.page.keyboard.type("and ")
      await drawFrame(tab)
      await tab.page.keyboard.type("say more")
      assert.strictEqual(await tab.composer.inputValue(), "look at @src/greet.ts and say more")
    })

    test("a picture that is pasted and a file that is dropped reach an agent that takes them", async ({
      open,
      project,
      server
    }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.nowLine.getByText("Ready").waitFor()
      await give(tab, "paste", [shot])
      await attached(tab).getByText("shot.png").waitFor()
      await give(tab, "drop", [note])
      // The simulated Cursor takes pictures, and no embedded files.
      await attached(tab).filter({ hasText: "note.txt" }).getByText("sent as text").waitFor()
      assert.notInclude(await attached(tab).first().textContent(), "takes no")
      await tab.prompt("[[fake:image-in]]")
      await tab.ended("Completed")
      await tab.reads(/image\/png/)
      await tab.reads(/takes no embedded files: the content of one was sent as text/)
      assert.strictEqual(await attached(tab).count(), 0)
    })

    test("what an agent does not take is said before it is sent, and can be taken out", async ({
      open,
      project,
      server
    }) => {
      const tab = await open(server.link)
      await tab.startThread(project, "Eliza")
      await tab.nowLine.getByText("Ready").waitFor()
      await give(tab, "paste", [shot])
      await attached(tab).getByText("Eliza takes no images: this is left out").waitFor()
      const sendButton = tab.button(/^Send/)
      assert.strictEqual(await sendButton.getAttribute("aria-disabled"), "true")
      await tab.button("Remove shot.png").click()
      await attached(tab).waitFor({ state: "detached" })
      await give(tab, "drop", [{ name: "blob.bin", type: "", base64: "AAECAw==" }])
      await tab.desk
        .getByRole("alert")
        .getByText("blob.bin is no image, no sound and no text that we can read.")
        .waitFor()
      await give(tab, "paste", [shot])
      await tab.prompt("I feel fine")
      await tab.ended("Completed")
      // Why a file was refused is no matter of the next prompt.
      assert.strictEqual(await tab.desk.getByRole("alert").count(), 0)
      await tab.reads("Eliza takes no images: one was left out.")
    })
  })
