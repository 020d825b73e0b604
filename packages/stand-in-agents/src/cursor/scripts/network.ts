import type { Script } from "../Script.ts"
import { Tool, type ToolShape } from "../Tools.ts"
import { consent, refused } from "./consent.ts"

const fetchShape = (url: string): ToolShape => ({
  kind: "fetch",
  generic: { title: "Web Fetch", rawInput: {} },
  detail: { title: `Web Fetch: ${url}`, rawInput: { url } }
})

/** No request leaves the machine. Recent builds ask before there is a tool call, and go on thinking meanwhile. */
export const fetchPage: Script = async (turn, args) => {
  const url = args.get("url", 0) ?? "https://example.com/"
  await turn.think(`I will look at ${url}.`)
  const subject = { title: `Fetch ${url}`, kind: "fetch", token: `WebFetch(${hostOf(url)})`, rawInput: { url } }
  const before = turn.quirks.has("perm_before_tool")
  let allowed = false
  if (before) {
    const toolCallId = `web_fetch_${turn.emulator.nextFetch()}`
    const thoughts = turn.think("", ["While I wait, ", "I think about what I already know."])
    allowed = (await Promise.all([consent(turn, { ...subject, toolCallId }, 0), thoughts]))[0]
  }
  const tool = Tool.open(turn, fetchShape(url))
  tool.start()
  if (!before) allowed = await consent(turn, { ...subject, toolCallId: tool.id })
  if (!allowed) {
    tool.complete(refused(turn))
    await turn.say("Fetching was blocked, so I go without it.")
    return
  }
  await turn.wait(250)
  tool.complete({ rawOutput: { success: true } })
  await turn.say(`A real agent would have read ${url} now; this simulation has no network.`)
}

/** A tool of an MCP server that does not exist. */
export const mcp: Script = async (turn, args) => {
  const server = args.get("server", 0) ?? "docs"
  const name = args.get("tool", 1) ?? "lookup"
  const face = turn.quirks.has("mcp_identity_missing")
    ? { title: `MCP: ${name}`, rawInput: {} }
    : {
        title: `${server}: ${name}`,
        rawInput: { providerIdentifier: server, toolName: name, args: { query: "signalbox" } }
      }
  await turn.think(`I will ask ${server}.`)
  const tool = Tool.open(turn, { kind: "other", generic: face })
  tool.start()
  const token = `Mcp(${server}:${name})`
  if (
    !(await consent(turn, { toolCallId: tool.id, title: face.title, kind: "other", token, rawInput: face.rawInput }))
  ) {
    tool.complete(refused(turn))
    await turn.say("The call was blocked, so I go without it.")
    return
  }
  await turn.wait(250)
  tool.complete({ rawOutput: { success: true } })
  await turn.say(`A real agent would have called \`${name}\` of \`${server}\` now.`)
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : url)
