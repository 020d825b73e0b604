// The load for every client of this folder, so that only the client differs. `deltas N`, `mixed N`, `big N`: one
// session. `fanout M N`: M sessions at once, N chunks each. `load N`: an agent that sends a history of N updates. `idle
// M`: M sessions. `start M`: M sessions one after the other, each until the response to `session/new`. `reply M`:
// each until the end of a turn with one chunk. `together M`: M sessions at once.
import { median, report, since, started } from "../measure.mjs"

/** The agent that floods, as an argument of `spawn`. With `history` its sessions can be loaded, and hold so many updates. */
export const agent = (history) => [
  new URL("../flood-agent.mjs", import.meta.url).pathname,
  ...(history === undefined ? [] : ["history", String(history)])
]

/**
 * @param workload as above
 * @param connect starts an agent and a session of it, a loaded one if `history` is given; its `prompt(text)` resolves when the
 *   turn has ended, its `counts()` are what came so far
 * @param close ends everything
 */
export const drive = async (workload, connect, close) => {
  const [name, ...numbers] = workload.split(" ")
  const [first, second] = numbers.map(Number)
  if (name === "fanout") report(await fanout(connect, first, second))
  else if (name === "load") report(await load(connect, first))
  else if (name === "idle") report(await idle(connect, first))
  else if (name === "start") report(await start(connect, first))
  else if (name === "reply") report(await start(connect, first, ({ prompt }) => prompt("deltas 1")))
  else if (name === "together") report(await together(connect, first))
  else report(await flood(connect, workload))
  await close()
}

const sum = (all) => {
  const total = {}
  for (const counts of all) for (const [key, count] of Object.entries(counts)) total[key] = (total[key] ?? 0) + count
  return total
}

const flood = async (connect, workload) => {
  const session = await connect(0)
  if (globalThis.gc === undefined) {
    const from = started()
    await session.prompt(workload)
    return { ...session.counts(), ...since(from) }
  }
  // What a turn leaves behind, beside what the first one made once and for all.
  await session.prompt("deltas 2000")
  const before = heapKb()
  await session.prompt(workload)
  return { heapBeforeKb: before, heapGrowthKb: heapKb() - before }
}

const fanout = async (connect, sessions, chunks) => {
  const all = await Promise.all(Array.from({ length: sessions }, (_, index) => connect(index)))
  const from = started()
  await Promise.all(all.map(({ prompt }) => prompt(`deltas ${chunks}`)))
  return { ...sum(all.map(({ counts }) => counts())), ...since(from) }
}

/** From nothing to a session whose history was read: the start of the agent is part of it, the same for every client. */
const load = async (connect, history) => {
  const from = started()
  const session = await connect(0, history)
  return { ...session.counts(), ...since(from) }
}

const idle = async (connect, sessions) => {
  await connect(0)
  const before = { rss: rssKb(), heap: heapKb() }
  for (let index = 1; index <= sessions; index++) await connect(index)
  return {
    rssKbPerSession: (rssKb() - before.rss) / sessions,
    heapKbPerSession: (heapKb() - before.heap) / sessions
  }
}

/** The first pays for what is loaded and compiled once. */
const start = async (connect, sessions, use = async () => {}) => {
  const times = []
  for (let index = 0; index <= sessions; index++) {
    const from = started()
    await use(await connect(index))
    if (index > 0) times.push(since(from).wallMs)
  }
  return { wallMs: median(times) }
}

const together = async (connect, sessions) => {
  await connect(0)
  const from = started()
  await Promise.all(Array.from({ length: sessions }, (_, index) => connect(index + 1)))
  return since(from)
}

const collect = () => {
  for (let i = 0; i < 4; i++) globalThis.gc()
}
const rssKb = () => {
  collect()
  return process.memoryUsage.rss() / 1024
}
const heapKb = () => {
  collect()
  return process.memoryUsage().heapUsed / 1024
}
