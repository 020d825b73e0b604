// Drives a chain from its client's end, by hand: initialize, one session, one prompt. The chain is a process of its own, which prints its
// RESULT to standard error when its input ends. Adds what arrived, in which order, and at which delay.
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { percentile } from "../measure.mjs"
import { file, root } from "../processes.mjs"

/** @param {string} subject a program of this folder */
const connect = async (subject, args, { nodeArgs = [] } = {}) => {
  const child = spawn(process.execPath, [...nodeArgs, file(`chains/${subject}.mjs`), ...args], {
    cwd: root,
    stdio: "pipe"
  })
  const waiting = new Map()
  const delays = []
  let lastId = 0
  let updates = 0
  let late = 0
  let misplaced = 0
  let lastNumber = -1
  let isOver = false
  /** The text of all updates with stamps: an update may also end within one. */
  let stamped = ""

  const call = (method, params) =>
    new Promise((resolve) => {
      lastId += 1
      waiting.set(lastId, resolve)
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params })}\n`)
    })

  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.includes('"session/update"')) {
      updates += 1
      if (isOver) late += 1
      const number = /n=(\d+);/.exec(line)
      if (number !== null) {
        if (Number(number[1]) !== lastNumber + 1) misplaced += 1
        lastNumber = Number(number[1])
      }
      // An update may hold several chunks of the agent.
      for (const [, at] of line.matchAll(/at=(\d+);/g))
        delays.push(Number(process.hrtime.bigint() / 1000n - BigInt(at)))
      if (delays.length > 0) stamped += JSON.parse(line).params.update.content?.text ?? ""
      return
    }
    const { id, method, result } = JSON.parse(line)
    if (method === undefined) return waiting.get(id)?.(result)
    const outcome = { outcome: "selected", optionId: "allow-once" }
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: { outcome } })}\n`)
  })

  let words = ""
  child.stderr.setEncoding("utf8").on("data", (text) => (words += text))
  const exited = new Promise((done) => child.on("close", done))

  await call("initialize", { protocolVersion: 1, clientCapabilities: {} })
  const { sessionId } = await call("session/new", { cwd: root, mcpServers: [] })
  return {
    prompt: async (workload) => {
      await call("session/prompt", { sessionId, prompt: [{ type: "text", text: workload }] })
      isOver = true
    },
    /** Ends the input, and gives the result of the chain with what arrived. */
    end: async () => {
      child.stdin.end()
      await exited
      const result = /^RESULT (.*)$/m.exec(words)
      if (result === null) throw new Error(`${subject} gave no result\n${words}`)
      const chunks = stamped.split(";").length - 1
      return { ...JSON.parse(result[1]), updates, late, misplaced, chunks, delays }
    }
  }
}

/** One chain and one prompt. */
export const chain = async (subject, args, workload, options) => {
  const connected = await connect(subject, args, options)
  await connected.prompt(workload)
  const { chunks, delays, ...result } = await connected.end()
  return {
    ...result,
    ...(result.cpuUs !== undefined && { usPerMessage: result.cpuUs / result.updates }),
    ...(delays.length > 0 && { chunks, p50Us: percentile(delays, 0.5), p99Us: percentile(delays, 0.99) })
  }
}

/** The CPU of one message more, in microseconds: two chains that differ in nothing but their number of messages. Starting costs both the same. */
export const further = async (subject, args, few, many) => {
  const short = await chain(subject, args, `deltas ${few}`)
  const long = await chain(subject, args, `deltas ${many}`)
  return { usPerMessage: (long.cpuUs - short.cpuUs) / (many - few) }
}

/** Chains that are all started at once: the time until each of them has a session. One that is refused throws. */
export const crowd = async (subject, args, count) => {
  const from = performance.now()
  const connected = await Promise.all(Array.from({ length: count }, () => connect(subject, args)))
  const wallMs = performance.now() - from
  await Promise.all(connected.map(({ end }) => end()))
  return { wallMs, ready: connected.length }
}
