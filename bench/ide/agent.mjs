// An agent that asks the tools of ide-operations, and a language server by hand beside them: `node agent.mjs [http]`. Its prompt is JSON: what
// to do. It says the result, as JSON, in one message.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as ByHand from "./by-hand.mjs"
import * as Mcp from "./mcp.mjs"
import { percentile } from "../measure.mjs"

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
let session

const timed = async (question) => {
  const from = performance.now()
  const answer = await question()
  return { answer, ms: performance.now() - from }
}

const placeOf = ({ line, path }) => `${path}:${line}`

/** Every place is asked of both, in turns, and who is first changes. The first rounds are not counted: files are read and code is compiled. */
const definitions = async ({ places, rounds, server, warm }) => {
  const { cwd } = session
  const tools = await Mcp.connect(session.servers[0])
  const hand = await ByHand.connect(server, cwd)
  for (const { path } of places) hand.open(join(cwd, path), readFileSync(join(cwd, path), "utf8"))
  const times = { hand: [], adapter: [] }
  let differing = 0
  for (let round = 0; round < warm + rounds; round++) {
    for (const { character, line, path } of places) {
      const asked = {
        hand: () => timed(() => hand.definition(join(cwd, path), line, character)),
        adapter: () => timed(() => tools.call("ide_definition", { file_path: path, line, character }))
      }
      const order = round % 2 === 0 ? ["hand", "adapter"] : ["adapter", "hand"]
      const got = {}
      for (const who of order) got[who] = await asked[who]()
      const { isError, text } = got.adapter.answer
      // A server that still reads its project says so.
      if (isError && round < warm) continue
      if (isError) throw new Error(text)
      const [found] = JSON.parse(text).result.places
      const [link] = got.hand.answer
      const range = link.targetSelectionRange ?? link.range
      const expected = { path: fileURLToPath(link.targetUri ?? link.uri), line: range.start.line }
      if (placeOf({ path: join(cwd, found.file_path), line: found.range.start.line }) !== placeOf(expected)) differing++
      if (round >= warm) for (const who of order) times[who].push(got[who].ms)
    }
  }
  await hand.end()
  tools.end()
  const p50 = (who) => percentile(times[who], 0.5)
  return {
    questions: times.adapter.length,
    handP50Ms: p50("hand"),
    adapterP50Ms: p50("adapter"),
    addedP50Ms: p50("adapter") - p50("hand"),
    handP95Ms: percentile(times.hand, 0.95),
    adapterP95Ms: percentile(times.adapter, 0.95),
    differing
  }
}

/** The first question of a session, and the same again until there is a result, or for a while. `words`: what the first answer says if it is none. */
const first = async ({ call, isEver, with: given }) => {
  const tools = await Mcp.connect(session.servers[0])
  const from = performance.now()
  const { answer, ms } = await timed(() => tools.call(call, given))
  let { isError } = answer
  if (isEver) while (isError) ({ isError } = await tools.call(call, given))
  tools.end()
  return {
    firstMs: ms,
    readyMs: performance.now() - from,
    results: isError ? 0 : 1,
    ...(answer.isError && { words: answer.text })
  }
}

const tasks = { definitions, first }

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === "initialize") {
    const agentCapabilities = { mcpCapabilities: { http: process.argv[2] === "http" } }
    return write({ id, result: { protocolVersion: 1, agentCapabilities } })
  }
  if (method === "session/new") {
    session = { cwd: params.cwd, servers: params.mcpServers }
    return write({ id, result: { sessionId: "s" } })
  }
  if (method !== "session/prompt") return id === undefined ? undefined : write({ id, result: {} })
  const { task, ...given } = JSON.parse(params.prompt[0].text)
  const text = JSON.stringify(await tasks[task](given).catch((error) => ({ failed: String(error?.stack ?? error) })))
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } }
  write({ method: "session/update", params: { sessionId: "s", update } })
  return write({ id, result: { stopReason: "end_turn" } })
})
