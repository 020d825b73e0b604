/** Paths anywhere in the page, which open their files in the editor: those below the folder of the thread, and no others. */
import { assert, describe } from "vitest"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Locator } from "playwright-core"
import { scripted } from "../support/agents.ts"
import { editorOf, watchPolicy } from "../support/EditorPane.ts"
import { test } from "../support/story.ts"

const update = (sessionUpdate: string, rest: object) => ({ update: { sessionUpdate, ...rest } })

/** The links to files within an element: their words, and where they lead in the editor. */
const linksIn = (element: Locator): Promise<ReadonlyArray<readonly [string, string]>> =>
  element
    .locator("a[href*='/files/']")
    .evaluateAll((links) =>
      links.map(
        (link) => [link.textContent ?? "", (link.getAttribute("href") ?? "").replace(/^.*\/files\//, "")] as const
      )
    )

export const paths = () =>
  describe("a path", () => {
    test("opens its file from wherever it is said, and none outside of the thread’s folder", async ({
      agent,
      open,
      project
    }) => {
      mkdirSync(join(project, "a folder"))
      writeFileSync(join(project, "a folder", "b.txt"), "b\n")
      const greet = join(project, "src", "greet.ts")
      const said = [
        "See `src/greet.ts:1`, [the notes](notes.txt#L2) and src/greet.ts. `/etc/hosts:1`, `../other/x.ts` and `Node.js` are not of",
        "this thread; neither is [this](../x.ts). [src/greet.ts](https://example.com/src/greet.ts) leads away.\n"
      ].join(" ")
      agent.settle({
        ...scripted({
          prompts: [
            [
              update("agent_thought_chunk", { content: { type: "text", text: "I look at src/greet.ts:1 first" } }),
              update("plan", {
                entries: [{ content: "Change `src/greet.ts:1`", priority: "medium", status: "in_progress" }]
              }),
              { text: said },
              update("agent_message_chunk", {
                content: {
                  type: "resource_link",
                  name: "b",
                  uri: pathToFileURL(join(project, "a folder", "b.txt")).href
                }
              }),
              update("tool_call", {
                toolCallId: "run",
                title: "test",
                kind: "execute",
                status: "completed",
                content: [
                  {
                    type: "content",
                    content: {
                      type: "text",
                      text: "src/greet.ts\n\u001b[36msrc/greet.ts\u001b[39m:\u001b[33m1:22\u001b[39m failed\n/usr/lib/x.ts:3 too\n"
                    }
                  }
                ]
              }),
              {
                request: { method: "fs/write_text_file", params: { path: join(project, "new.txt"), content: "new\n" } }
              },
              {
                permission: {
                  toolCall: {
                    toolCallId: "edit",
                    title: "Edit",
                    kind: "edit",
                    status: "pending",
                    locations: [{ path: greet }],
                    content: [
                      { type: "diff", path: greet, oldText: "a\n", newText: "b\n" },
                      { type: "diff", path: "/etc/hosts", oldText: "a\n", newText: "b\n" }
                    ]
                  },
                  options: [{ optionId: "no", name: "Reject", kind: "reject_once" }]
                },
                on: { no: [{ text: "Not done." }] }
              }
            ]
          ]
        }),
        files: "write"
      })
      const tab = await open(agent.server.link, watchPolicy)
      await tab.startThread(project, agent.name)
      await tab.prompt("Look at @src/greet.ts and `notes.txt`")
      await tab.settled("Reject")
      const entry = (text: string | RegExp) => tab.transcript.locator("p, li, code").filter({ hasText: text }).first()
      const isOpened = (element: Locator, ...links: ReadonlyArray<readonly [string, string]>) =>
        linksIn(element).then((found) => assert.deepStrictEqual(found, links))
      // What people wrote, and what the agent wrote.
      await isOpened(entry("Look at"), ["src/greet.ts", "src/greet.ts"], ["notes.txt", "notes.txt"])
      await isOpened(
        entry("See "),
        ["src/greet.ts:1", "src/greet.ts:1"],
        ["the notes", "notes.txt:2"],
        ["src/greet.ts", "src/greet.ts"]
      )
      assert.strictEqual(await tab.transcript.locator("a a").count(), 0)
      await tab.transcript.getByRole("link", { name: "a folder/b.txt" }).waitFor()
      await tab.transcript.getByRole("link", { name: "Open new.txt in the editor" }).waitFor()
      // What a command printed: places only, in whatever colours.
      await tab.transcript.getByRole("button", { name: /test/ }).click()
      await isOpened(tab.transcript.locator("pre").filter({ hasText: "failed" }), [
        "src/greet.ts:1:22",
        "src/greet.ts:1"
      ])
      await tab.transcript.getByRole("button", { name: /^Thought/ }).click()
      await isOpened(entry("I look at"), ["src/greet.ts:1", "src/greet.ts:1"])
      // The plan beside the transcript, and the request on the desk.
      const panel = tab.page.getByRole("complementary", { name: "State of the thread" })
      await isOpened(panel, ["src/greet.ts:1", "src/greet.ts:1"])
      const card = tab.desk.locator("article")
      await isOpened(card, [greet, "src/greet.ts"])
      await card.getByText("/etc/hosts").first().waitFor()
      // The same request in the inbox.
      await tab.page.goto(`${agent.server.url}/#/waiting`)
      const waiting = tab.page.getByRole("main").locator("article")
      await waiting.getByRole("link", { name: greet }).click()
      const editor = editorOf(tab)
      await editor.code("src/greet.ts").waitFor()
      await tab.answer("Reject").waitFor()
      await tab.transcript.getByRole("link", { name: "the notes" }).click()
      await editor.code("notes.txt").waitFor()
      await editor.says("Ln 2, Col 1")
      await tab.settled("Reject").then((button) => button.click())
      await tab.ended("Completed")
      await tab.transcript
        .getByRole("link", { name: /^Open src\/greet.ts in the editor/ })
        .last()
        .click()
      await editor.code("src/greet.ts").waitFor()
    })
  })
