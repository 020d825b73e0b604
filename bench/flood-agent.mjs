// An ACP agent that only floods. Writing costs little in comparison with reading, so it measures readers. The prompt
// says what to send. `deltas N`: 221-byte message chunks. `numbered N`: the same, each with its number. `mixed N`: N updates of four kinds, with 2 KB of output in
// every twentieth, and 20 permission requests. `big N`: 4 KB chunks. `paced N`: 1,000 stamped chunks a second. `message
// N SIZE`: one message in N chunks of SIZE characters. `held N SIZE`: such a message in a turn that does not end. With
// the argument `history N` its sessions can be loaded, and send N updates then: text, and a person's prompt for every
// hundred. With `v2` it speaks version 2 of the protocol. Plain Node, no dependencies. Respects back-pressure.
import { once } from "node:events"
import { createInterface } from "node:readline"

const sessionId = "flood-session-0001"
const out = process.stdout
const history = process.argv[2] === "history" ? Number(process.argv[3]) : 0
const v2 = process.argv[2] === "v2"
const pending = new Map()
let nextId = 0

const send = (message) => out.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
const chunk = (kind, text) =>
  `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update: { sessionUpdate: kind, ...(v2 && { messageId: "m" }), content: { type: "text", text } } } })}\n`
const tool = (update) =>
  `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } })}\n`

const state = (state) => out.write(tool({ sessionUpdate: "state_update", ...state }))

/** Writes lines in blocks of about 64 KiB, as a busy agent's pipe delivers them. */
const flood = async (lines) => {
  let block = ""
  for (const line of lines) {
    if (typeof line !== "string") {
      if (block !== "") out.write(block)
      block = ""
      await line()
      continue
    }
    block += line
    if (block.length >= 65_536) {
      if (!out.write(block)) await once(out, "drain")
      block = ""
    }
  }
  if (block !== "" && !out.write(block)) await once(out, "drain")
}

function* deltas(n) {
  const line = chunk("agent_message_chunk", "forty characters of streaming text, mmm.")
  const padded = line.replace(
    '"jsonrpc"',
    `"_meta":{"pad":"${"x".repeat(Math.max(0, 221 - line.length - 30))}"},"jsonrpc"`
  )
  for (let i = 0; i < n; i++) yield padded
}

function* numbered(n) {
  const number = "#".repeat(9)
  const [before, after] = chunk("agent_message_chunk", `n=${number}; streaming text, mmm.`).split(number)
  for (let i = 0; i < n; i++) yield `${before}${String(i).padStart(number.length, "0")}${after}`
}

function* big(n) {
  const line = chunk("agent_message_chunk", "x".repeat(3_900))
  for (let i = 0; i < n; i++) yield line
}

const ordinary = "The **stored** part of a message ends where the `next` begins, so *nothing* is read twice.\n\n"

function* message(n, size) {
  const line = chunk("agent_message_chunk", ordinary.repeat(Math.ceil(size / ordinary.length)).slice(0, size))
  for (let i = 0; i < n; i++) yield line
}

function* told(n) {
  let i = 0
  for (const line of deltas(n)) {
    yield i % 100 === 0 ? chunk("user_message_chunk", `What came of part ${i / 100}?`) : line
    i += 1
  }
}

const ask = (toolCallId) => async () => {
  const id = nextId++
  const answer = new Promise((resolve) => pending.set(id, resolve))
  send({
    id,
    method: "session/request_permission",
    params: {
      sessionId,
      toolCall: { toolCallId, title: "`ls`", kind: "execute", status: "pending" },
      options: [
        { optionId: "allow-once", name: "Allow once", kind: "allow_once" },
        { optionId: "reject-once", name: "Reject", kind: "reject_once" }
      ]
    }
  })
  await answer
}

function* mixed(n) {
  const kinds = [
    chunk("agent_message_chunk", "forty characters of streaming text, mmm."),
    chunk("agent_thought_chunk", "some thinking about the next thing to do"),
    tool({
      sessionUpdate: "plan",
      entries: [
        { content: "Read the code", priority: "medium", status: "completed" },
        { content: "Change the code", priority: "medium", status: "in_progress" }
      ]
    }),
    tool({ sessionUpdate: "session_info_update", title: "A title that says what this is" })
  ]
  const asks = Math.max(1, Math.floor(n / 20))
  for (let i = 0; i < n; i++) {
    yield kinds[i % 4]
    if (i % 20 !== 0) continue
    const toolCallId = `tool_${i}`
    yield tool({
      sessionUpdate: "tool_call",
      toolCallId,
      title: "`ls -la`",
      kind: "execute",
      status: "pending",
      rawInput: { command: "ls -la" }
    })
    yield tool({
      sessionUpdate: "tool_call_update",
      toolCallId,
      status: "completed",
      rawOutput: { exitCode: 0, stdout: "o".repeat(2_000), stderr: "" }
    })
    if (i % asks === 0) yield ask(toolCallId)
  }
}

/** `at` is the agent's monotonic clock in microseconds, which processes of one machine share. */
const paced = async (n) => {
  const started = performance.now()
  for (let i = 0; i < n; i++) {
    const wait = started + i - performance.now()
    if (wait > 0.2) await new Promise((resolve) => setTimeout(resolve, wait))
    out.write(chunk("agent_message_chunk", `at=${process.hrtime.bigint() / 1000n};`))
  }
}

const prompt = async (text) => {
  const [, name, count, size] = /(deltas|numbered|mixed|big|paced|message|held)\s+(\d+)(?:\s+(\d+))?/.exec(text) ?? [
    undefined,
    "deltas",
    "1000"
  ]
  const n = Number(count)
  if (name === "paced") return paced(n)
  if (name === "mixed") return flood(mixed(n))
  if (name === "big") return flood(big(n))
  if (name === "deltas") return flood(deltas(n))
  if (name === "numbered") return flood(numbered(n))
  await flood(message(n, Number(size)))
  if (name !== "held") return
  out.write(chunk("agent_message_chunk", "\n\nThat was all of it."))
  // The end of this process's input ends it.
  await new Promise(() => {})
}

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line)
    if (message.method === undefined) {
      pending.get(message.id)?.()
      return
    }
    switch (message.method) {
      case "initialize":
        return send({
          id: message.id,
          result: v2
            ? { protocolVersion: 2, info: { name: "flood", version: "2" } }
            : { protocolVersion: 1, agentCapabilities: { loadSession: history > 0 }, authMethods: [] }
        })
      case "session/new":
        return send({ id: message.id, result: { sessionId } })
      case "session/load":
        return flood(told(history)).then(() => send({ id: message.id, result: {} }))
      case "session/prompt":
        if (v2) send({ id: message.id, result: { messageId: "u" } })
        if (v2) state({ state: "running" })
        return prompt(message.params.prompt.map((part) => part.text ?? "").join(" ")).then(() =>
          v2
            ? state({ state: "idle", stopReason: "end_turn" })
            : send({ id: message.id, result: { stopReason: "end_turn" } })
        )
      default:
        if (message.id !== undefined)
          send({ id: message.id, error: { code: -32601, message: `Method not found: ${message.method}` } })
    }
  })
  .on("close", () => process.exit(0))
