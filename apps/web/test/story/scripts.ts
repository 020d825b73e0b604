/** Scripts and addresses in what an agent sends, under the policy that the server gives to the page. */
import { createServer } from "node:net"
import { assert, describe } from "vitest"
import { scripted } from "../support/agents.ts"
import { test } from "../support/story.ts"

/** Counts who connects to it. */
const listen = () =>
  new Promise<{ readonly url: string; readonly connections: () => number; readonly close: () => void }>((resolve) => {
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.on("error", () => socket.destroy())
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resolve({ url: `http://127.0.0.1:${port}`, connections: () => connections, close: () => server.close() })
    })
  })

/** Says that it ran. Quotes of both kinds are left out: this stands in attributes, too. */
const script = "window.ran=1"

const markdownOf = (url: string): string =>
  [
    `<script>${script}</script><img src=x onerror="${script}"><svg onload="${script}"></svg>`,
    `<iframe srcdoc="<script>parent.${script}</script>"></iframe><base href="${url}/"><meta http-equiv="refresh" content="0;url=${url}/meta">`,
    `<form action="${url}/form"><input name="password"><button>Sign in</button></form>`,
    `<link rel="stylesheet" href="${url}/style"><object data="${url}/object"></object>`,
    `[run](javascript:${script}) [RUN](JaVaScRiPt:${script}) [tab](java&#9;script:${script}) <javascript:${script}>`,
    `[data](data:text/html,<script>${script}</script>) [blob](blob:${url}/x) [file](file:///etc/passwd) [app](vscode://x)`,
    `![far](${url}/image.png) ![data](data:image/svg+xml,<svg/onload=${script}>) ![run](javascript:${script})`,
    `[ref][r] ![refimage][i]\n\n[r]: javascript:${script}\n[i]: ${url}/reference.png`,
    `[outside](${url}/link "title\\" onmouseover=${script}")`,
    ["```mermaid", `graph TD; A["<img src=x onerror=${script}>"]; click A "javascript:${script}"`, "```"].join("\n"),
    `$$\\href{javascript:${script}}{x}\\includegraphics{${url}/math}$$`,
    `| <b onclick=${script}>a</b> |\n|---|\n| ![](${url}/cell.png) |`,
    "# <a name=token>heading</a>",
    "the end of the hostile words"
  ].join("\n\n")

const svgOf = (url: string): string =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" onload="${script}"><script>${script}</script><image href="${url}/svg.png"/></svg>`
  ).toString("base64")

export const scripts = () =>
  describe("a script of an agent", () => {
    test("runs nowhere on the page, fetches nothing, and gets no link that is not one of the web", async ({
      agent,
      open,
      project
    }) => {
      const { close, connections, url } = await listen()
      try {
        const words = markdownOf(url)
        const contents = [
          { type: "image", mimeType: "image/svg+xml", data: svgOf(url), uri: `${url}/uri.svg` },
          { type: "image", mimeType: "text/html", data: svgOf(url) },
          { type: "image", mimeType: `image/png" onerror="${script}`, data: svgOf(url) },
          { type: "resource_link", uri: `javascript:${script}`, name: words },
          { type: "resource_link", uri: `${url}/link`, name: "resource", mimeType: "text/html" },
          { type: "resource", resource: { uri: `javascript:${script}`, mimeType: "text/html", text: words } }
        ]
        const update = (sessionUpdate: string, fields: object) => ({ update: { sessionUpdate, ...fields } })
        const call = {
          toolCallId: "c",
          title: words,
          kind: "fetch",
          rawInput: { url: `javascript:${script}`, html: words, command: `<img src=x onerror=${script}>` },
          locations: [{ path: `javascript:${script}` }]
        }
        const output = `\u001b]8;;javascript:${script}\u0007click\u001b]8;;\u0007\u001b]52;c;aGk=\u0007 ${words}`
        const options = [
          { optionId: "yes", name: "Allow once", kind: "allow_once" },
          { optionId: "no", name: `<b onclick=${script}>no</b>`, kind: "reject_once" }
        ]
        const prompts = [
          [
            ...contents.map((content) => update("agent_message_chunk", { content })),
            update("plan", { entries: [{ content: words, priority: "high", status: "pending" }] }),
            update("tool_call", {
              ...call,
              status: "in_progress",
              content: [
                ...contents.map((content) => ({ type: "content", content })),
                { type: "content", content: { type: "text", text: output } },
                { type: "diff", path: `${project}/notes.txt`, oldText: words, newText: `${words}\n${words}` }
              ]
            }),
            { thought: words },
            { permission: { toolCall: call, options } },
            update("tool_call_update", { toolCallId: "c", status: "completed", rawOutput: { html: words } }),
            { text: words }
          ]
        ]
        const initialize = { agentInfo: { name: `<img src=${url}/name>`, title: words, version: "1" } }
        agent.settle(scripted({ prompts, initialize }))
        const foreign: Array<string> = []
        const tab = await open(agent.server.link, async (page) => {
          await page.addInitScript(() => {
            const doc = document
            doc.addEventListener("securitypolicyviolation", (event) => {
              doc.documentElement.dataset["violation"] = `${event.violatedDirective} ${event.blockedURI}`
            })
          })
          page.on("dialog", (dialog) => void dialog.dismiss())
          page.on("request", (request) => {
            if (!/^(?:data:|blob:)/.test(request.url()) && !request.url().startsWith(`${agent.server.url}/`))
              foreign.push(request.url())
          })
        })
        await tab.startThread(project, agent.name)
        await tab.prompt("be hostile")
        await (await tab.settled("Allow once")).click()
        await tab.ended("Completed")
        await tab.reads("the end of the hostile words")
        // What is folded is not drawn yet.
        const folded = tab.transcript.locator('button[aria-expanded="false"]')
        for (let left = await folded.count(); left > 0; left--) await folded.first().click()

        const found = await tab.page.evaluate(() => {
          const dangerous =
            "script:not([src]), iframe, object, embed, form[action], base, meta[http-equiv], link[href^='http']"
          const assets = `${location.origin}/assets/`
          return {
            ran: "ran" in window,
            violation: document.documentElement.dataset["violation"],
            dangerous: [...document.querySelectorAll(dangerous)]
              // The page's own parts that it loads when they are needed.
              .filter((element) => !(element instanceof HTMLLinkElement && element.href.startsWith(assets)))
              .map((element) => element.outerHTML),
            handlers: [...document.querySelectorAll("main *")].flatMap((element) =>
              element.getAttributeNames().filter((name) => name.startsWith("on") || name === "srcdoc")
            ),
            images: [...document.querySelectorAll("img")].map((image) => image.src),
            links: [...document.querySelectorAll<HTMLAnchorElement>('main a[href]:not([href^="#"])')].map((link) => ({
              href: link.href,
              rel: link.rel,
              target: link.target
            }))
          }
        })
        assert.isFalse(found.ran)
        assert.isUndefined(found.violation)
        assert.deepStrictEqual(found.dangerous, [])
        assert.deepStrictEqual(found.handlers, [])
        assert.deepStrictEqual(found.images, [])
        assert.isTrue(
          found.links.some(({ href }) => href.startsWith(`${url}/link`)),
          "the link of the web is there"
        )
        for (const { href, rel, target } of found.links) {
          assert.match(href, /^(?:https?|mailto):/)
          assert.deepStrictEqual({ rel, target }, { rel: "noreferrer", target: "_blank" })
        }
        assert.deepStrictEqual(foreign, [])
        assert.strictEqual(connections(), 0)
        // The listener counts: this test can fail.
        await fetch(url)
        assert.strictEqual(connections(), 1)
      } finally {
        close()
      }
    })

    test("would be stopped by the policy of the page if it got in", async ({ open, server }) => {
      const tab = await open(server.link)
      tab.expect(/Content Security Policy|requires 'Trusted(?:HTML|ScriptURL)'/)
      await tab.button("New thread").waitFor()
      // It answers there, too: only the policy is in the way.
      const foreign = server.url.replace("127.0.0.1", "localhost")
      const tried = await tab.page.evaluate(async (foreign) => {
        const stopped = (directive: string) =>
          new Promise<string>((resolve) =>
            document.addEventListener("securitypolicyviolation", ({ blockedURI, violatedDirective }) => {
              if (violatedDirective === directive) resolve(blockedURI)
            })
          )
        const refusals = [
          () => (document.body.innerHTML = "<img src=x onerror=window.ran=1>"),
          () => document.createElement("script").setAttribute("src", "data:text/javascript,window.ran=1")
        ].map((attempt) => {
          try {
            attempt()
            return "went through"
          } catch (error) {
            return error instanceof Error ? error.name : String(error)
          }
        })
        const noImage = stopped("img-src")
        const image = new Image()
        image.src = `${foreign}/favicon.svg`
        document.body.append(image)
        const noConnection = stopped("connect-src")
        const reached = await fetch(`${foreign}/health`, { mode: "no-cors" }).then(
          () => "reached",
          () => "stopped"
        )
        const addresses = [await noImage, await noConnection]
        image.remove()
        return { refusals, reached, addresses, ran: "ran" in window, cookie: document.cookie }
      }, foreign)
      assert.deepStrictEqual(tried.refusals, ["TypeError", "TypeError"])
      assert.strictEqual(tried.reached, "stopped")
      assert.deepStrictEqual(tried.addresses, [`${foreign}/favicon.svg`, `${foreign}/health`])
      assert.isFalse(tried.ran)
      assert.strictEqual(tried.cookie, "")
    })
  })
