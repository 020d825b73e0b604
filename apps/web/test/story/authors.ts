/** Lines that others write into an open file: marked, with who wrote them as far as that is known. */
import { assert, describe } from "vitest"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { scripted } from "../support/agents.ts"
import { editorOf, hears, watchPolicy } from "../support/EditorPane.ts"
import { gateIn } from "../support/Gate.ts"
import { test } from "../support/story.ts"

const update = (sessionUpdate: string, rest: object) => ({
  update: { sessionUpdate, toolCallId: "edit-1", ...rest }
})

export const authors = () =>
  describe("lines that others write", () => {
    test("are marked as the agent’s only where that is known, until the next turn", async ({
      agent,
      open,
      project
    }) => {
      const file = join(project, "notes.txt")
      const path = file
      const [begin, end, finish] = [gateIn(project), gateIn(project), gateIn(project)]
      const edited = "one\nTWO\nthree\n"
      const asked = "one\nTWO\nthree\nasked for\n"
      agent.settle({
        ...scripted({
          prompts: [
            [
              begin.step,
              update("tool_call", {
                title: "Edit",
                kind: "edit",
                status: "in_progress",
                locations: [{ path }],
                content: [{ type: "diff", path, oldText: "two\n", newText: "TWO\n" }]
              }),
              { write: "notes.txt", content: edited },
              end.step,
              update("tool_call_update", { status: "completed" }),
              finish.step,
              { request: { method: "fs/write_text_file", params: { path, content: asked } } }
            ],
            [{ text: "Done." }]
          ]
        }),
        files: "write"
      })
      const tab = await open(agent.server.link, watchPolicy)
      await tab.startThread(project, agent.name)
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      await editor.open("notes.txt")
      await tab.prompt("Edit it")
      // Another program writes before the agent does anything.
      writeFileSync(file, "one\ntwo\nthree\nfrom elsewhere\n")
      await editor.by.getByText(/^On disk, \d\d:\d\d:\d\d$/).waitFor()
      assert.include(await editor.by.getAttribute("title"), "It isn’t known by which program.")
      await editor.says("1 line changed on disk")
      // The agent’s own process writes while a call of it runs that reports the line.
      writeFileSync(file, "one\ntwo\nthree\n")
      await editor.by.waitFor({ state: "detached" })
      begin.open()
      await editor.by.getByText(`${agent.name} is writing`).waitFor()
      await editor.tab(`notes.txt, ${agent.name} is writing`).waitFor()
      await hears(
        tab,
        new RegExp(`notes.txt changed on disk: 1 line. It was written at .*, while ${agent.name} edited it`)
      )
      // Somebody else writes into the same file meanwhile: the page does not say that it was the agent.
      writeFileSync(file, "one\nTWO\nthree\nformatted\n")
      await editor.by.getByText(new RegExp(`^While ${agent.name} edits, `)).waitFor()
      writeFileSync(file, edited)
      await editor.code("notes.txt").getByText("formatted").waitFor({ state: "detached" })
      end.open()
      await editor.by.getByText(new RegExp(`^${agent.name}, \\d\\d:`)).waitFor()
      await editor.tab(/^notes.txt$/).waitFor()
      // Signalbox writes for the agent, which names no call.
      finish.open()
      await editor.code("notes.txt").getByText("asked for").waitFor()
      await editor.says(`2 lines by ${agent.name}`)
      assert.strictEqual(readFileSync(file, "utf8"), asked)
      // Each place is reached by keyboard, and said.
      await editor.enter("notes.txt")
      await tab.press("Control+Home", "Alt+F5")
      await editor.says("Ln 2, Col 1")
      await hears(tab, new RegExp(`Line 2: ${agent.name}, .* 1 of 2. Written at`))
      await tab.press("Alt+F5")
      await editor.says("Ln 4, Col 1")
      // What people change themselves is theirs.
      await tab.page.keyboard.type("not ")
      await editor.says(`1 line by ${agent.name}`)
      await editor.by.getByText("You, unsaved").waitFor()
      await tab.press("Control+s")
      await editor.says("Saved")
      await tab.ended("Completed")
      await tab.prompt("And now")
      await tab.ended("Completed", 2)
      await editor.by.waitFor({ state: "detached" })
    })

    test("in a conflict, and a file that is gone, are named as far as that is known", async ({
      agent,
      open,
      project
    }) => {
      const path = join(project, "notes.txt")
      const [begin, end] = [gateIn(project), gateIn(project)]
      agent.settle(
        scripted({
          prompts: [
            [
              update("tool_call", { title: "Edit", kind: "edit", status: "in_progress", locations: [{ path }] }),
              begin.step,
              { write: "notes.txt", content: "ONE\ntwo\nthree theirs\n" },
              end.step,
              update("tool_call_update", { status: "completed" })
            ]
          ]
        })
      )
      const tab = await open(agent.server.link, watchPolicy)
      await tab.startThread(project, agent.name)
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      await editor.open("notes.txt")
      await editor.enter("notes.txt")
      await tab.press("Control+Home", "ArrowDown", "ArrowDown", "End")
      await tab.page.keyboard.type(" mine")
      await tab.prompt("Edit it")
      await editor.tab(`notes.txt, ${agent.name} is writing, unsaved`).waitFor()
      begin.open()
      const bar = editor.bar("notes.txt changed on disk.")
      await bar.getByText(new RegExp(`It was written at .*, while ${agent.name} edited it.`)).waitFor()
      await bar.getByText("Line 3 overlaps with your unsaved lines; 1 other line is merged in.").waitFor()
      await editor.by.getByText("You, unsaved").waitFor()
      end.open()
      await bar.getByRole("button", { name: "Keep mine" }).click()
      await editor.enter("notes.txt")
      await tab.press("Control+s")
      await editor.says("Saved")
      assert.strictEqual(readFileSync(path, "utf8"), "ONE\ntwo\nthree mine\n")
      // Nobody knows who deleted it.
      rmSync(path)
      await editor
        .bar("notes.txt was deleted on disk.")
        .getByText(/^notes.txt was deleted on disk. Your text is kept here.$/)
        .waitFor()
    })
  })
