/** Files and agents that are not as they should be, in the editor: clear words, and nothing lost that was written. */
import type { Misbehaviour } from "@signalbox/stand-in-agents/nes/Misbehaviour"
import { assert, describe, vi } from "vitest"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { editorOf, onDisk, watchPolicy } from "../support/EditorPane.ts"
import { referenceAgent } from "../support/agents.ts"
import { test } from "../support/story.ts"
import { patience, type Tab } from "../support/Tab.ts"

const large = 50 * 1024 * 1024

/** What people see of an answer. A row without `ghost` and `hint` draws nothing. */
interface Seen {
  /** What the line below the text says. */
  readonly says: string
  readonly ghost?: string
  /** How many there are, beside the keys. */
  readonly which?: string
  readonly hint?: string
  /** What people do with it, and see then. They leave the text as it was. */
  readonly afterwards?: (tab: Tab, name: string, heard: string) => Promise<void>
}

const suggests = "^Suggestions by NAME$"
const leftOut = (why: string): Seen => ({ says: `^Left out a suggestion by NAME: it ${why}` })

/** Signs in where the line below the text says so: the question is asked again by itself, and the text has the keys. */
const signIn = async (tab: Tab, name: string) => {
  const editor = editorOf(tab)
  await editor.status.getByRole("button", { name: "Sign in", exact: true }).click()
  const dialog = tab.page.getByRole("dialog", { name: `Sign-in of ${name}` })
  await dialog.getByRole("button", { name: "Sign in: Sign in" }).click()
  await editor.ghost.getByText("3 = 3", { exact: true }).waitFor()
  await tab.press("Escape")
  await dialog.waitFor({ state: "detached" })
  await editor.code("rows.ts").and(tab.page.locator(":focus")).waitFor()
  await editor.says(`Suggestions by ${name}`)
}

/** Accepts what an agent has suggested that is gone by now, and takes it back by one undo. */
const acceptAndUndo = async (tab: Tab) => {
  const last = async (line: string) =>
    vi.waitFor(async () => assert.strictEqual((await editorOf(tab).lines("rows.ts")).at(-1), line), {
      timeout: patience
    })
  await tab.press("Tab")
  await last("const row3 = 3")
  await tab.press("Control+z")
  await last("const row")
}

/** Looks at every kind that nobody had offered to show. */
const turnAll = async (tab: Tab) => {
  for (const words of ["to choose what to rename", "to choose what to replace", "to jump to line 5"]) {
    await tab.press("Alt+]")
    await editorOf(tab).hint.getByText(words).waitFor()
  }
}

/** Opens the list of places of a pattern that would run for years. */
const look = async (tab: Tab) => {
  await tab.press("Tab")
  const dialog = tab.page.getByRole("dialog", { name: /^Replace / })
  await dialog
    .getByText("rows.ts was not searched. The regular expression was stopped, since it ran too long.")
    .waitFor()
  await tab.press("Escape")
  await dialog.waitFor({ state: "detached" })
  await editorOf(tab).code("rows.ts").and(tab.page.locator(":focus")).waitFor()
}

/** Asks about one text and gets an answer for the one before: its words come where they were. */
const askAgain = async (tab: Tab, _name: string, heard: string) => {
  const changes = () => readFileSync(heard, "utf8").split('"document/didChange"').length
  // It runs, and has the text. What it suggests first depends on how the letters came to it.
  await vi.waitFor(() => assert.include(readFileSync(heard, "utf8"), '"nes/suggest"'), { timeout: patience })
  const before = changes()
  await tab.press("Backspace")
  await vi.waitFor(() => assert.isAbove(changes(), before), { timeout: patience })
  await tab.page.keyboard.type("w")
  await tab.press("Alt+\\")
  await editorOf(tab).ghost.getByText("w3 = 3", { exact: true }).waitFor()
}

/** Asks by typing alone: an agent that is slow then is asked less often. */
const askByTyping = async (tab: Tab, name: string) => {
  await tab.press("Backspace")
  await tab.page.keyboard.type("w")
  await editorOf(tab).says(new RegExp(`^${name} is slow, \\d+(\\.\\d)? s\\. Asking less often\\.$`))
}

/** Each misbehaviour of the reference agent, and what people see of it. */
const misbehaviours: { readonly [Name in Misbehaviour]: Seen } = {
  slow: { says: suggests, ghost: "3 = 3", afterwards: askByTyping },
  never: { says: "^Asking NAME$" },
  "stale-version": { says: suggests, afterwards: askAgain },
  "overlapping-edits": leftOut("has edits that overlap"),
  // One of two is behind the end of its line, and comes at that end.
  "out-of-range": { says: suggests, ghost: "beyond the line" },
  "inside-a-character": leftOut("begins or ends within a character"),
  "inverted-range": leftOut("has a range that ends before it begins"),
  "kinds-not-offered": { says: suggests, hint: "to jump to line 5", afterwards: turnAll },
  "unknown-kind": { says: suggests, ghost: "3 = 3" },
  ten: { says: suggests, ghost: "suggestion 1", which: "next 1 of 10" },
  "ten-thousand": { says: suggests, ghost: "suggestion 1", which: "next 1 of 20" },
  "duplicate-ids": { says: suggests, ghost: "suggestion 1" },
  dies: { says: "^NAME ended by itself\\.$", ghost: "3 = 3", afterwards: acceptAndUndo },
  // It claims `nes`, and answers −32601.
  "no-such-method": { says: "^NAME makes no suggestions\\.$" },
  "sign-in": { says: "^NAME wants you to sign in\\.$", afterwards: signIn },
  "slow-pattern": { says: suggests, hint: "to choose what to replace", afterwards: look },
  "wrong-uri": leftOut("is about a file that is left alone"),
  "huge-text": leftOut("is longer, or has more edits, than is taken")
}

/** A few of them in each test: all together take minutes. */
const few = 6
const groups = Array.from({ length: Math.ceil(Object.keys(misbehaviours).length / few) }, (_, at) => {
  const group = Object.entries(misbehaviours).slice(at * few, (at + 1) * few)
  return [group.map(([name]) => name).join(", "), group] as const
})

/** Waits until the browser keeps an unsaved text. */
const keptIn = (tab: Tab, text: string) =>
  tab.page.waitForFunction(
    (sought) =>
      new Promise<boolean>((resolve, reject) => {
        const opening = indexedDB.open("signalbox", 1)
        opening.addEventListener("error", () => reject(opening.error))
        opening.addEventListener("success", () => {
          const all = opening.result.transaction("unsaved", "readonly").objectStore("unsaved").getAll()
          all.addEventListener("success", () => {
            resolve(JSON.stringify(all.result).includes(sought))
            opening.result.close()
          })
        })
      }),
    text
  )

export const adverse = () =>
  describe("what is not as it should be", () => {
    const title = "an agent that misbehaves is named below the text, and changes nothing that nobody accepted: %s"
    test.for(groups)(title, async ([, group], { alone, open, project }) => {
      rmSync(join(project, ".git"), { recursive: true })
      execFileSync("git", ["init", "--quiet", project])
      // A character of two halves, and a line that the pattern fails on.
      const text = `// 😀\n${"word ".repeat(40)}!\nconst row1 = 1\nconst row2 = 2\n`
      writeFileSync(join(project, "rows.ts"), text)
      const tab = await open(alone.link, watchPolicy)
      await tab.startThread(project)
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      await editor.open("rows.ts")
      const drawn = editor.room.locator(".cm-ghost, .cm-newText, .cm-goneLine")
      for (const [name, { ghost, hint, says, afterwards, which }] of group) {
        // Nobody is asked about it yet: the first answer, which may be the last one, is about all of it.
        await editor.enter("rows.ts")
        await tab.press("Control+End")
        await tab.page.keyboard.type("const row")
        const heard = join(alone.home, `${name}.ndjson`)
        alone.settle({
          agents: { nes: { ...referenceAgent(heard, "--misbehave", name, "--delay", "1200"), name } },
          suggestions: { provider: "nes", debounce: 20 }
        })
        await editor.says(`Suggestions by ${name}`)
        await tab.press("Alt+\\")
        await editor.says(new RegExp(says.replaceAll("NAME", name)))
        if (ghost !== undefined) await editor.ghost.getByText(ghost, { exact: true }).waitFor()
        if (hint !== undefined) await editor.hint.getByText(hint).waitFor()
        if (ghost !== undefined) assert.include(await editor.room.locator(".cm-keys").textContent(), which ?? "dismiss")
        if (which === undefined) assert.strictEqual(await editor.room.getByText(/next \d of/).count(), 0, name)
        if (ghost === undefined && afterwards === undefined) assert.strictEqual(await drawn.count(), 0, name)
        if (hint === undefined && afterwards === undefined) assert.isFalse(await editor.hint.isVisible(), name)
        await afterwards?.(tab, name, heard)
        await tab.press("Escape")
        assert.deepStrictEqual((await editor.lines("rows.ts")).join("\n"), `${text}const row`, name)
        alone.settle({})
        await editor.status.getByText(name).first().waitFor({ state: "detached" })
        await tab.press("Control+a")
        await tab.press("Delete")
        await tab.page.keyboard.insertText(text)
        await editor.says("Saved")
        assert.strictEqual(readFileSync(join(project, "rows.ts"), "utf8"), text, name)
      }
    })

    test("a file that can’t be shown says why, and one that becomes so keeps its unsaved text", async ({
      open,
      project,
      swift
    }) => {
      const at = (name: string) => join(project, name)
      writeFileSync(at("access.log"), "")
      truncateSync(at("access.log"), large)
      writeFileSync(at("tape.bin"), Uint8Array.of(1, 0, 2))
      writeFileSync(at("latin.txt"), Uint8Array.of(0xe9, 0x20))
      execFileSync("mkfifo", [at("pipe")])
      mkdirSync(at(".ssh"))
      writeFileSync(at(".ssh/id"), "key\n")
      const tab = await open(swift.link, watchPolicy)
      await tab.startThread(project)
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      await tab.sees("No file is open.")
      const files = tab.page.url()
      const unreadable = [
        ["access.log", "access.log is 50 MiB.", "The editor opens files up to 4 MiB."],
        ["tape.bin", "tape.bin isn’t text.", "3 bytes. It is binary"],
        ["latin.txt", "latin.txt isn’t text.", "its encoding isn’t UTF-8"],
        ["pipe", "pipe isn’t a file.", "It is a pipe"],
        ["src", "src is a folder.", "The editor opens files."],
        [".ssh/id", "id isn’t opened here.", ".ssh holds keys or passwords."],
        ["nothing.ts", "nothing.ts doesn’t exist.", "When it appears, it is shown here."]
      ] as const
      for (const [path, title, cause] of unreadable) {
        await tab.page.goto(`${files}/${path}`)
        await editor.room.getByRole("heading", { name: title }).waitFor()
        await editor.room.getByText(cause).last().waitFor()
        await tab.button("Copy path").waitFor()
      }
      writeFileSync(at("nothing.ts"), "something\n")
      await editor.code("nothing.ts").getByText("something").waitFor()

      // An open file with unsaved text turns into each of them.
      await editor.open("notes.txt")
      await editor.write("notes.txt", "mine")
      await editor.says("Unsaved")
      const text = "one\ntwo\nthree\nmine"
      const keeps = async () => assert.strictEqual((await editor.lines("notes.txt")).join("\n"), text)
      truncateSync(at("notes.txt"), large)
      await editor.bar("notes.txt is 50 MiB.").waitFor()
      await tab.press("Control+s")
      await editor.bar("notes.txt was not saved.").getByText("It was not replaced.").waitFor()
      assert.strictEqual(statSync(at("notes.txt")).size, large)
      await keeps()
      writeFileSync(at("notes.txt"), Uint8Array.of(1, 0, 2))
      await editor.bar("notes.txt isn’t text.").first().waitFor()
      await keeps()
      // Whoever may read everything reads this, too.
      if (process.getuid?.() !== 0) {
        chmodSync(at("notes.txt"), 0)
        await editor.bar("notes.txt can’t be read.").waitFor()
        await keeps()
      }
      rmSync(at("notes.txt"))
      await editor.bar("notes.txt was deleted on disk.").waitFor()
      await keeps()
      await editor.bar("notes.txt was deleted on disk.").getByRole("button", { name: "Save it again" }).click()
      await onDisk(project, "notes.txt", text)
      await editor.says("Saved")
      await editor.write("notes.txt", "!")
      renameSync(at("notes.txt"), at("words.txt"))
      await editor.bar("notes.txt was renamed to words.txt.").getByText("Your text is kept here.").waitFor()
      assert.strictEqual((await editor.lines("notes.txt")).join("\n"), `${text}!`)
      assert.strictEqual(readFileSync(at("words.txt"), "utf8"), text)
    })

    test("a page that crashes loses no unsaved text", async ({ openAnew, project, swift }) => {
      const tab = await openAnew(swift.link, watchPolicy)
      await tab.startThread(project)
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      await editor.open("notes.txt")
      await editor.write("notes.txt", "four")
      await editor.says("Unsaved")
      await keptIn(tab, "four")
      const address = tab.page.url()
      // A browser that writes nothing to the disk forgets its databases with the last page that has one open.
      const beside = await openAnew(swift.link)
      await beside.page.evaluate(
        () =>
          new Promise<void>((resolve) => {
            const opening = indexedDB.open("signalbox", 1)
            opening.addEventListener("success", () => {
              Object.assign(window, { held: opening.result })
              resolve()
            })
          })
      )
      const crashed = tab.page.waitForEvent("crash")
      const devtools = await tab.page.context().newCDPSession(tab.page)
      devtools.send("Page.crash").catch(() => {
        // Nobody is left to answer.
      })
      await crashed
      const next = await openAnew(address, watchPolicy)
      await editorOf(next).code("notes.txt").getByText("four").waitFor()
      await editorOf(next).says("Unsaved")
      assert.strictEqual(readFileSync(join(project, "notes.txt"), "utf8"), "one\ntwo\nthree\n")
    })
  })
