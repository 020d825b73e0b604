import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterAll, afterEach, assert, describe, it } from "vitest"

const main = join(import.meta.dirname, "../src/chaos/main.ts")
const scripted = [process.execPath, join(import.meta.dirname, "../src/scripted/main.ts")]
/** Says back every line, and ends when its input does. */
const echo = ["/bin/cat"]

const started: Array<ChildProcessWithoutNullStreams> = []
const folder = mkdtempSync(join(tmpdir(), "chaos-proxy-"))
let logs = 0
afterEach(() => {
  for (const proxy of started.splice(0)) {
    try {
      process.kill(-(proxy.pid ?? 0), "SIGKILL")
    } catch {
      // Its group has gone by itself.
    }
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

interface Options {
  readonly seed?: number
  readonly schedule?: object
  readonly agent?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

const start = ({ agent = echo, env, schedule = {}, seed = 1 }: Options = {}) => {
  const log = join(folder, `${logs++}.ndjson`)
  const args = [main, "--seed", String(seed), "--schedule", JSON.stringify(schedule), "--log", log, "--", ...agent]
  const proxy = spawn(process.execPath, args, { detached: true, env: { ...process.env, ...env } })
  started.push(proxy)
  let out = Buffer.alloc(0)
  let stderr = 0
  const waiting = new Set<() => void>()
  proxy.stdin.on("error", () => {})
  proxy.stderr.on("data", (chunk: Buffer) => (stderr += chunk.length))
  proxy.stdout.on("data", (chunk: Buffer) => {
    out = Buffer.concat([out, chunk])
    for (const look of waiting) look()
  })
  const closed = once(proxy, "close")
  const until = (holds: (out: string) => boolean): Promise<string> =>
    new Promise((resolve) => {
      const look = () => {
        if (!holds(out.toString())) return
        waiting.delete(look)
        resolve(out.toString())
      }
      waiting.add(look)
      look()
    })
  return {
    proxy,
    until,
    closed,
    send: (...lines: ReadonlyArray<string | object>) =>
      proxy.stdin.write(lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("")),
    /** Ends the input and returns all output. */
    end: async (rest = "") => {
      proxy.stdin.end(rest)
      await closed
      return out.toString()
    },
    stderr: () => stderr,
    log: () =>
      existsSync(log)
        ? readFileSync(log, "utf8")
            .trimEnd()
            .split("\n")
            .map((line): Record<string, unknown> => JSON.parse(line))
        : []
  }
}

/** Whether the process is there and is no zombie. */
const lives = (pid: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2)[0] !== "Z"
  } catch {
    return false
  }
}

const gone = async (pid: number): Promise<void> => {
  while (lives(pid)) await setTimeout(5)
}

const lines = Array.from({ length: 200 }, (_, index) =>
  JSON.stringify({ method: "session/update", index, text: "héllo 👋" })
)

describe("the chaos proxy", () => {
  it("changes nothing without a schedule: bytes, an unfinished last line and the exit code come through", async () => {
    const plain = start()
    plain.send(...lines)
    assert.strictEqual(await plain.end("no line end"), `${lines.join("\n")}\nno line end`)
    const failing = start({ agent: ["/bin/sh", "-c", "exit 7"] })
    assert.deepStrictEqual(await failing.closed, [7, null])
    const killed = start({ agent: ["/bin/sh", "-c", "kill -9 $$"] })
    assert.deepStrictEqual(await killed.closed, [null, "SIGKILL"])
    assert.deepStrictEqual(await start({ agent: ["/no/such/agent"] }).closed, [127, null])
  })

  it("delays, splits and joins without a change of what is said", async () => {
    for (const seed of [1, 2, 3]) {
      const rates = { delay: 0.05, delayMs: [1, 3], split: 0.5, join: 0.3 }
      const proxy = start({ seed, schedule: { toAgent: rates, toClient: rates } })
      proxy.send(...lines)
      assert.strictEqual(await proxy.end(), `${lines.join("\n")}\n`)
    }
  })

  it("does the same to the same conversation for the same seed, and another thing for another", async () => {
    const rates = { drop: 0.2, duplicate: 0.2, garble: 0.2, reorder: 0.2, noise: 0.2, split: 0.2, stderr: 0.01 }
    const outcome = async (seed: number) => {
      const proxy = start({ seed, schedule: { toClient: rates } })
      proxy.send(...lines)
      const out = await proxy.end()
      const did = proxy.log().flatMap((entry) => (entry["type"] === "fault" ? [{ ...entry, at: 0, pid: 0 }] : []))
      return { out, did }
    }
    const [first, again, other] = [await outcome(5), await outcome(5), await outcome(6)]
    assert.deepStrictEqual(again, first)
    assert.notStrictEqual(other.out, first.out)
    assert.isAbove(first.did.length, 50)
  })

  it("drops, doubles, garbles and writes noise as its log says", async () => {
    const proxy = start({ seed: 3, schedule: { toClient: { drop: 0.2, duplicate: 0.2, garble: 0.2, noise: 0.2 } } })
    proxy.send(...lines)
    const out = (await proxy.end()).split("\n")
    const faultsOf = new Map(proxy.log().map((entry) => [entry["line"], String(entry["faults"]).split(",")]))
    for (const [index, line] of lines.entries()) {
      const faults = faultsOf.get(index + 1) ?? []
      const copies = out.filter((candidate) => candidate === line).length
      const expected = faults.includes("garble") || faults.includes("drop") ? 0 : faults.includes("duplicate") ? 2 : 1
      assert.strictEqual(copies, expected, `line ${index + 1}: ${faults.join()}`)
    }
  })

  it("reorders only when it is asked to", async () => {
    const proxy = start({ schedule: { toClient: { reorder: 0.3 } } })
    proxy.send(...lines)
    const out = (await proxy.end()).trimEnd().split("\n")
    assert.notDeepEqual(out, lines)
    assert.deepStrictEqual(out.toSorted(), lines.toSorted())
  })

  it("floods standard error without a word on standard output", async () => {
    const proxy = start({ schedule: { toClient: { stderr: 1 } } })
    proxy.send(...lines)
    assert.strictEqual(await proxy.end(), `${lines.join("\n")}\n`)
    assert.isAbove(proxy.stderr(), 200 * 9)
  })

  it("speaks for a real agent: a torn conversation is still one", async () => {
    const rates = { split: 0.6, delay: 0.2, delayMs: [0, 2], noise: 0.5 }
    const { end, send, until } = start({ agent: scripted, seed: 9, schedule: { toAgent: rates, toClient: rates } })
    send({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} })
    send({
      jsonrpc: "2.0",
      id: 2,
      method: "session/prompt",
      params: { sessionId: "s", prompt: [{ text: "Grüße 👋" }] }
    })
    await until((out) => out.includes('"id":2,"result":{"stopReason":"end_turn"}'))
    assert.include(await end(), "Grüße 👋")
  })

  it("kills the agent behind a line, and ends as it did", async () => {
    const proxy = start({ schedule: { moments: [{ direction: "toClient", nth: 3, do: "kill-agent" }] } })
    proxy.send(...lines.slice(0, 3))
    await proxy.until((out) => out.split("\n").length > 3)
    assert.deepStrictEqual(await proxy.closed, [null, "SIGKILL"])
    assert.deepInclude(proxy.log().at(-2), { type: "action", line: 3, when: "after", do: "kill-agent" })
  })

  it("kills itself before a line, and the agent sees its input end", async () => {
    const moments = [{ direction: "toAgent", method: "session/prompt", do: "kill-proxy", when: "before" }]
    const proxy = start({ schedule: { moments } })
    proxy.send({ id: 1, method: "initialize" })
    await proxy.until((out) => out.includes("initialize"))
    proxy.send({ id: 2, method: "session/prompt" })
    assert.deepStrictEqual(await proxy.closed, [null, "SIGKILL"])
    const agent = Number(proxy.log().find(({ type }) => type === "start")?.["agent"])
    await gone(agent)
    assert.notInclude(await proxy.until(() => true), "session/prompt")
  })

  it.runIf(process.platform === "linux")("kills a grandchild and leaves its parent", async () => {
    const moments = [{ direction: "toClient", nth: 2, do: "kill-grandchild" }]
    const agent = ["/bin/sh", "-c", "sleep 600 & echo $!; read line; echo $line; wait; echo waited"]
    const proxy = start({ agent, schedule: { moments } })
    const pid = Number(await proxy.until((out) => out.includes("\n")))
    assert.isTrue(lives(pid))
    proxy.send("now")
    await proxy.until((out) => out.includes("waited"))
    assert.isFalse(lives(pid))
    assert.deepStrictEqual(await proxy.closed, [0, null])
  })

  it("closes one pipe or the other, or lets a direction stall", async () => {
    const input = start({ schedule: { moments: [{ direction: "toAgent", nth: 2, do: "close-input" }] } })
    input.send("one", "two", "three")
    assert.deepStrictEqual(await input.closed, [0, null])
    assert.strictEqual(await input.until(() => true), "one\ntwo\n")

    const output = start({
      agent: ["/bin/sh", "-c", "echo one; read line; exit 5"],
      schedule: { moments: [{ direction: "toClient", do: "close-output" }] }
    })
    await once(output.proxy.stdout, "end")
    assert.isNull(output.proxy.exitCode)
    output.send("go")
    assert.deepStrictEqual(await output.closed, [5, null])

    const stalled = start({ schedule: { moments: [{ direction: "toClient", do: "stall" }] } })
    stalled.send("one", "two", "three")
    assert.strictEqual(await stalled.end(), "one\n")
  })

  it("hands on all that an agent said before its end, however long that takes", async () => {
    const said = Array.from({ length: 60 }, (_, index) => `${index}\n`).join("")
    const agent = ["/bin/sh", "-c", 'printf "%s" "$0"; exit 3', said]
    const proxy = start({ agent, schedule: { toClient: { delay: 1, delayMs: [20, 20] } } })
    assert.deepStrictEqual(await proxy.closed, [3, null])
    assert.strictEqual(await proxy.until(() => true), said)
  })

  it("does not wait for what an agent left behind with its output, and that says nothing", async () => {
    const proxy = start({ agent: ["/bin/sh", "-c", "sleep 600 2>/dev/null & echo $!; exit 3"] })
    assert.deepStrictEqual(await proxy.closed, [3, null])
    const pid = Number(await proxy.until(() => true))
    assert.isTrue(lives(pid))
  })

  it("passes signals on, and explains a call that it does not understand", async () => {
    const trap = start({ agent: ["/bin/sh", "-c", "trap 'exit 9' TERM; echo ready; while :; do read line; done"] })
    await trap.until((out) => out.includes("ready"))
    trap.proxy.kill("SIGTERM")
    assert.deepStrictEqual(await trap.closed, [9, null])

    const wrong = spawn(process.execPath, [main, "--schedule", '{"toAgent":{"dorp":1}}', "--", "cat"])
    let said = ""
    wrong.stderr.on("data", (chunk) => (said += String(chunk)))
    assert.deepStrictEqual(await once(wrong, "close"), [2, null])
    assert.match(said, /^“dorp” is no part of a direction/)
  })
})

describe("the log of the scripted agent", () => {
  it("shows what it received, lines that are no message included, although it is killed at once", async () => {
    const path = join(folder, "received.ndjson")
    const proxy = start({
      agent: scripted,
      env: { SCRIPTED_AGENT_LOG: path },
      schedule: { moments: [{ direction: "toClient", answers: "session/prompt", when: "before", do: "kill-agent" }] }
    })
    const prompt = { jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [] } }
    proxy.send("noise", prompt)
    assert.deepStrictEqual(await proxy.closed, [null, "SIGKILL"])
    const entries = readFileSync(path, "utf8").trimEnd().split("\n")
    assert.deepStrictEqual(
      entries.map((entry) => ({ ...JSON.parse(entry), pid: 0, at: "" })),
      [
        { type: "received", pid: 0, at: "", line: "noise" },
        { type: "received", pid: 0, at: "", message: prompt }
      ]
    )
  })
})
