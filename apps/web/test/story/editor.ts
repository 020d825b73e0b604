/** Files in the editor beside the transcript, held against the disk. */
import { assert, describe } from "vitest"
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { editorOf, onDisk, watchPolicy } from "../support/EditorPane.ts"
import { test } from "../support/story.ts"
import type { Tab } from "../support/Tab.ts"

const assets = new URL("../../dist/assets/", import.meta.url)

/** The scripts that a page has loaded, by their names. */
const scriptsOf = (tab: Tab): Promise<ReadonlyArray<string>> =>
  tab.page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => name.slice(name.lastIndexOf("/") + 1))
      .filter((name) => name.endsWith(".js"))
  )

/** Starts a thread, and opens `notes.txt` of its folder in the editor. */
const openNotes = async (tab: Tab, project: string) => {
  await tab.startThread(project)
  await tab.button("Editor").click()
  const editor = editorOf(tab)
  await editor.open("notes", "notes.txt")
  return editor
}

export const editor = () =>
  describe("the editor", () => {
    test("comes when it is first opened, in 120 kB at most before its first language, and fits every width", async ({
      open,
      project,
      swift
    }) => {
      const tab = await open(swift.link, watchPolicy)
      await tab.startThread(project)
      const before = await scriptsOf(tab)
      assert.isFalse(before.some((name) => /Editor/.test(name)))
      await tab.button("Editor").click()
      await tab.sees("No file is open.")
      // The tree of files is no part of the text's way: it comes beside it.
      const loaded = (await scriptsOf(tab)).filter((name) => !before.includes(name) && !name.startsWith("FileTree-"))
      const bytes = loaded.map((name) => gzipSync(readFileSync(new URL(name, assets)), { level: 9 }).length)
      assert.isAtLeast(loaded.length, 1)
      assert.isAtMost(
        bytes.reduce((sum, length) => sum + length, 0),
        120_000,
        loaded.join(" ")
      )
      const editor = editorOf(tab)
      await editor.open("greet", "src/greet.ts")
      await editor.open("notes", "notes.txt")
      for (const width of [320, 390, 768, 1100, 1440, 1700]) {
        await tab.resize({ width, height: 900 })
        assert.strictEqual(await tab.sideways(), 0, `The editor can be scrolled sideways at ${width} px`)
        assert.strictEqual(await tab.transcript.isVisible(), width >= 1100, `${width} px`)
      }
    })

    test("costs the first load of the page nothing", () => {
      const index = readFileSync(new URL("../index.html", assets), "utf8")
      const loaded = [...index.matchAll(/\/assets\/([^"]+)"/g)].map(([, name = ""]) => name)
      assert.isAtLeast(loaded.length, 3)
      const bytes = loaded.map((name) => gzipSync(readFileSync(new URL(name, assets)), { level: 9 }).length)
      // What is added to the first load has to be taken out elsewhere, or loaded when it is first needed.
      assert.isAtMost(
        bytes.reduce((sum, length) => sum + length, 0),
        285_000,
        loaded.join(" ")
      )
    })

    test("a file is found in the tree by keyboard, and the edge beside the transcript is moved and remembered", async ({
      open,
      project,
      swift
    }) => {
      const tab = await open(swift.link, watchPolicy)
      await tab.startThread(project)
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      const tree = editor.room.getByRole("tree")
      const entry = (name: RegExp) => tree.getByRole("treeitem", { name })
      await entry(/^src/).waitFor()
      await tree.focus()
      await tab.press("Home")
      await tab.press("ArrowRight")
      await entry(/^greet\.ts/).waitFor()
      // What comes on the disk comes into the tree; its letters lead to it.
      writeFileSync(join(project, "src/words.ts"), "export {}\n")
      await entry(/^words\.ts/).waitFor()
      await tab.page.keyboard.type("wo")
      await tab.press("Enter")
      await editor.code("src/words.ts").waitFor()
      await tree.getByRole("treeitem", { name: /words/, selected: true }).waitFor()
      const edge = editor.room.getByRole("separator", { name: "Width of the transcript" })
      await edge.focus()
      for (let times = 0; times < 3; times++) await tab.press("Shift+ArrowRight")
      assert.strictEqual(await edge.getAttribute("aria-valuenow"), "712")
      const widthOf = async () => Math.round((await tab.transcript.boundingBox())?.width ?? 0)
      const width = await widthOf()
      assert.isAbove(width, 680)
      await tab.button("Beside the transcript").click()
      await tab.transcript.waitFor({ state: "hidden" })
      await tab.button("Files of the folder").click()
      await tree.waitFor({ state: "hidden" })
      await tab.page.reload()
      await editor.code("src/words.ts").waitFor()
      assert.isFalse(await tab.transcript.isVisible())
      assert.isFalse(await tree.isVisible())
      await tab.button("Files of the folder").click()
      await tree.waitFor()
      await tab.button("Beside the transcript").click()
      await tab.transcript.waitFor()
      assert.strictEqual(await widthOf(), width)
      await edge.dblclick()
      await edge.and(tab.page.locator("[aria-valuenow='424']")).waitFor()
    })

    test("a file is opened from the transcript, edited and saved, byte by byte", async ({ open, project, swift }) => {
      const tab = await open(swift.link, watchPolicy)
      await tab.startThread(project)
      await tab.prompt("[[fake:read path=src/greet.ts]]")
      await tab.ended("Completed")
      await tab.page.getByRole("link", { name: "Open src/greet.ts in the editor" }).first().click()
      const editor = editorOf(tab)
      await editor.code("src/greet.ts").waitFor()
      await editor.says("Saved")
      await editor.says("TypeScript")
      // Letters that are shortcuts elsewhere are letters here.
      await editor.write("src/greet.ts", "n[]?j")
      await editor.says("Unsaved")
      await editor.tab(/greet\.ts, unsaved/).waitFor()
      const before = "export const greet = (name: string) => `Hello, ${name}`\n"
      assert.strictEqual(readFileSync(join(project, "src/greet.ts"), "utf8"), before)
      await tab.press("Control+s")
      await editor.says("Saved")
      assert.strictEqual(readFileSync(join(project, "src/greet.ts"), "utf8"), `${before}n[]?j`)
      // Undo makes it unsaved again, as one text among others.
      await tab.press("Control+z")
      await editor.says("Unsaved")
      await tab.press("Control+y")
      await editor.says("Saved")
    })

    test("line ends and byte order marks stay as they are", async ({ open, project, swift }) => {
      const texts = { "crlf.txt": "one\r\ntwo\r\n", "bom.txt": "\ufeffone\n", "mixed.txt": "one\r\ntwo\nthree\r\n" }
      for (const [name, text] of Object.entries(texts)) writeFileSync(join(project, name), text)
      const tab = await open(swift.link, watchPolicy)
      await tab.startThread(project)
      const editor = editorOf(tab)
      await tab.button("Editor").click()
      for (const [name, words, added] of [
        ["crlf.txt", "UTF-8, CRLF", "a\r\nb"],
        ["bom.txt", "UTF-8 with BOM, LF", "a\nb"],
        ["mixed.txt", "UTF-8, Mixed line ends", "a\nb"]
      ] as const) {
        await editor.open(name, name)
        await editor.says(words)
        await editor.write(name, "a\nb")
        await editor.says("Unsaved")
        await tab.press("Control+s")
        await editor.says("Saved")
        assert.strictEqual(readFileSync(join(project, name), "utf8"), texts[name] + added)
      }
    })

    test("a reload keeps the unsaved text, and a change of other lines is merged", async ({ open, project, swift }) => {
      const tab = await open(swift.link, watchPolicy)
      const editor = await openNotes(tab, project)
      await editor.write("notes.txt", "four")
      await editor.says("Unsaved")
      await tab.page.reload()
      await editor.code("notes.txt").getByText("four").waitFor()
      await editor.says("Unsaved")
      assert.strictEqual(readFileSync(join(project, "notes.txt"), "utf8"), "one\ntwo\nthree\n")
      // Somebody else changes the file meanwhile, in other lines.
      writeFileSync(join(project, "notes.txt"), "ONE\ntwo\nthree\n")
      await editor.bar("notes.txt changed on disk.").getByText("The changes are merged").waitFor()
      await tab.press("Control+s")
      await onDisk(project, "notes.txt", "ONE\ntwo\nthree\nfour")
    })

    test("a reload keeps the unsaved text, though the page before is slow to go", async ({
      openAnew,
      project,
      swift
    }) => {
      const tab = await openAnew(swift.link, watchPolicy)
      const editor = await openNotes(tab, project)
      await editor.write("notes.txt", "four")
      await editor.says("Unsaved")
      const lock = await tab.page.evaluate(async () => (await navigator.locks.query()).held?.[0]?.name)
      // Another page takes the lock over, as if the page were slow to go, until somebody waits for it.
      const other = await tab.page.context().newPage()
      await other.goto(`${swift.url}/health`)
      await other.evaluate((name) => {
        const isWaitedFor = async () =>
          (await navigator.locks.query()).pending?.some((one) => one.name === name) === true
        void navigator.locks.request(name, async () => {
          while (!(await isWaitedFor())) await new Promise((resolve) => setTimeout(resolve, 20))
        })
      }, lock ?? "")
      await tab.page.reload()
      await editor.code("notes.txt").getByText("four").waitFor()
      await editor.says("Unsaved")
      await other.close()
    })

    test("the unsaved text of a page that is gone comes back in the next page", async ({ open, project, swift }) => {
      const tab = await open(swift.link, watchPolicy)
      const editor = await openNotes(tab, project)
      await editor.write("notes.txt", "four")
      const address = tab.page.url().replace(/\/files.*/, "/files")
      await tab.leave()
      writeFileSync(join(project, "notes.txt"), "ONE\ntwo\nthree\n")
      // The address names no file: the unsaved text opens its tab.
      const next = await open(address, watchPolicy)
      await editorOf(next).code("notes.txt").getByText("four").waitFor()
      await editorOf(next).says("Unsaved")
      await editorOf(next).bar("notes.txt changed on disk.").getByText("The changes are merged").waitFor()
      await editorOf(next).code("notes.txt").getByText("ONE").waitFor()
      await next.button("Close notes.txt").click()
      await editorOf(next)
        .bar("notes.txt has unsaved text.")
        .getByRole("button", { name: "Close without saving" })
        .click()
      await next.sees("No file is open.")
      await next.page.reload()
      await next.sees("No file is open.")
      assert.strictEqual(readFileSync(join(project, "notes.txt"), "utf8"), "ONE\ntwo\nthree\n")
    })

    test("unsaved text is kept before a page goes, whatever becomes of its last moment", async ({
      open,
      project,
      swift
    }) => {
      const tab = await open(swift.link, async (page) => {
        await watchPolicy(page)
        await page.addInitScript(() => {
          addEventListener("pagehide", (event) => event.stopImmediatePropagation(), { capture: true })
        })
      })
      const editor = await openNotes(tab, project)
      for (const letter of ["a", "b", "c"]) {
        await editor.write("notes.txt", letter)
        await tab.page.reload()
        await editor.code("notes.txt").getByText(letter).waitFor()
      }
      await editor.code("notes.txt").getByText("abc").waitFor()
      assert.strictEqual(readFileSync(join(project, "notes.txt"), "utf8"), "one\ntwo\nthree\n")
    })

    test("a conflict is shown, and nothing is saved until one side is chosen", async ({ open, project, swift }) => {
      const tab = await open(swift.link, watchPolicy)
      const editor = await openNotes(tab, project)
      const bar = editor.bar("notes.txt changed on disk.")
      const file = join(project, "notes.txt")
      for (const [choice, text] of [
        ["Keep mine", "one\ntwo\nthree mine\nlast\n"],
        ["Take theirs", "one\ntwo\nthree theirs\nlast\n"]
      ] as const) {
        writeFileSync(file, "one\ntwo\nthree\nfour\nfive\nlast\n")
        await editor.code("notes.txt").getByText("five").waitFor()
        await editor.code("notes.txt").getByText("three", { exact: true }).waitFor()
        await editor.says("Saved")
        await editor.enter("notes.txt")
        await tab.press("Control+Home", "ArrowDown", "ArrowDown", "End")
        await tab.page.keyboard.type(" mine")
        writeFileSync(file, "one\ntwo\nthree theirs\nlast\n")
        await bar.waitFor()
        await tab.press("Control+s")
        assert.strictEqual(readFileSync(file, "utf8"), "one\ntwo\nthree theirs\nlast\n")
        await bar.getByRole("button", { name: "Compare" }).click()
        const dialog = tab.page.getByRole("dialog", { name: "Compare notes.txt" })
        await dialog.getByRole("textbox", { name: "On the disk" }).getByText("three theirs").waitFor()
        await dialog.getByRole("textbox", { name: "Yours, unsaved" }).getByText("three mine").waitFor()
        // What both were made from stands between them, each of its lines beside theirs.
        const before = dialog.getByRole("textbox", { name: "Before both changes" })
        const lineOf = (name: string, line: string) =>
          dialog.getByRole("textbox", { name }).locator(".cm-line").getByText(line, { exact: true }).boundingBox()
        assert.deepStrictEqual(await before.locator(".cm-line").allTextContents(), [
          "one",
          "two",
          "three",
          "four",
          "five",
          "last",
          ""
        ])
        for (const line of ["one", "last"]) {
          const places = await Promise.all(
            ["On the disk", "Before both changes", "Yours, unsaved"].map((name) => lineOf(name, line))
          )
          assert.strictEqual(new Set(places.map((place) => Math.round(place?.y ?? -1))).size, 1, line)
          assert.strictEqual(new Set(places.map((place) => Math.round(place?.x ?? -1))).size, 3, line)
        }
        await dialog.getByRole("radio", { name: "Before and yours" }).check()
        await dialog.getByRole("textbox", { name: "On the disk" }).waitFor({ state: "detached" })
        await before.getByText("three", { exact: true }).waitFor()
        await dialog.getByRole("textbox", { name: "Yours, unsaved" }).getByText("three mine").waitFor()
        await dialog.getByRole("button", { name: choice }).click()
        await bar.waitFor({ state: "detached" })
        await editor.enter("notes.txt")
        await tab.press("Control+s")
        await editor.says("Saved")
        const saved = readFileSync(file, "utf8")
        assert.include(saved, choice === "Keep mine" ? "three mine" : "three theirs", text)
      }
    })

    test("a second page reads a file, and can take over", async ({ open, project, swift }) => {
      const tab = await open(swift.link, watchPolicy)
      const first = await openNotes(tab, project)
      await first.write("notes.txt", "mine")
      await first.says("Unsaved")
      const other = await open(tab.page.url(), watchPolicy)
      const second = editorOf(other)
      await second.bar("Another page edits notes.txt.").waitFor()
      await second.says("Read only")
      await second.code("notes.txt").click()
      await other.page.keyboard.type("ignored")
      await second.bar("Another page edits notes.txt.").getByRole("button", { name: "Take over" }).click()
      await second.bar("Another page edits notes.txt.").waitFor({ state: "detached" })
      await first.bar("Another page edits notes.txt.").getByText("Your unsaved text is kept.").waitFor()
      await second.write("notes.txt", "theirs")
      await other.press("Control+s")
      await second.says("Saved")
      await onDisk(project, "notes.txt", "one\ntwo\nthree\ntheirs")
      await first.code("notes.txt").getByText("mine").waitFor()
      // The first page gets it back when the second closes.
      await other.close()
      await first.bar("notes.txt changed on disk.").getByRole("button", { name: "Keep mine" }).click()
      await first.enter("notes.txt")
      await tab.press("Control+s")
      await onDisk(project, "notes.txt", "one\ntwo\nthree\nmine")
    })

    test("a file that is deleted or renamed keeps its text here, and can be saved again", async ({
      open,
      project,
      swift
    }) => {
      const tab = await open(swift.link, watchPolicy)
      const editor = await openNotes(tab, project)
      const other = await open(tab.page.url(), watchPolicy)
      const reader = editorOf(other)
      await reader.bar("Another page edits notes.txt.").waitFor()
      rmSync(join(project, "notes.txt"))
      // A page that only reads it offers nothing that it can't do.
      await reader.bar("notes.txt was deleted on disk.").waitFor()
      assert.strictEqual(await reader.room.getByRole("button", { name: "Save it again" }).count(), 0)
      await other.close()
      await editor.bar("notes.txt was deleted on disk.").getByRole("button", { name: "Save it again" }).click()
      await onDisk(project, "notes.txt", "one\ntwo\nthree\n")
      await editor.says("Saved")
      renameSync(join(project, "notes.txt"), join(project, "words.txt"))
      await editor.bar("notes.txt was renamed to words.txt.").getByRole("button", { name: "Open words.txt" }).click()
      await editor.code("words.txt").getByText("three").waitFor()
      // What can't be shown says why.
      writeFileSync(join(project, "words.txt"), Uint8Array.of(0, 1, 2))
      await editor.bar("words.txt isn’t text.").getByText("It is binary").waitFor()
      await editor.code("words.txt").getByText("three").waitFor()
    })
  })
