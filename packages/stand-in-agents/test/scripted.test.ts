import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, describe, it } from "vitest"

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: {
    readonly update?: { readonly sessionUpdate: string; readonly content?: { readonly text: string } }
  }
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string }
}

const started: Array<ChildProcess> = []
afterEach(() => {
  for (const agent of started.splice(0)) agent.kill("SIGKILL")
})

/** The agent, and every chunk of bytes and message that it wrote. */
const start = (setup: object = {}, cwd?: string) => {
  const agent = spawn(process.execPath, [join(import.meta.dirname, "../src/scripted/main.ts")], {
    cwd,
    env: { ...process.env, SCRIPTED_AGENT: JSON.stringify(setup) },
    stdio: ["pipe", "pipe", "pipe"]
  })
  started.push(agent)
  const messages: Array<Message> = []
  const noise: Array<string> = []
  const waiting = new Set<() => void>()
  let rest = ""
  let written = 0
  agent.stdout.setEncoding("utf8").on("data", (text: string) => {
    written += text.length
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      try {
        const message: Message = JSON.parse(line)
        messages.push(message)
      } catch {
        noise.push(line)
      }
    }
    for (const look of waiting) look()
  })
  const until = <A>(find: () => A | undefined): Promise<A> =>
    new Promise((resolve) => {
      const look = () => {
        const found = find()
        if (found === undefined) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  let nextId = 100
  const send = (message: object) => agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const call = (method: string, params: object) => {
    const id = nextId++
    send({ id, method, params })
    return until(() => messages.find((message) => message.id === id && message.method === undefined))
  }
  const prompt = (steps: ReadonlyArray<object> | string) =>
    call("session/prompt", {
      sessionId: "s",
      prompt: [{ type: "text", text: typeof steps === "string" ? steps : JSON.stringify(steps) }]
    })
  const texts = () => messages.flatMap(({ params }) => params?.update?.content?.text ?? [])
  return { agent, call, messages, noise, prompt, send, texts, until, written: () => written }
}

describe("the scripted agent", () => {
  it("plays updates in order and ends with the stop reason of the script", async () => {
    const { prompt, texts } = start()
    const { result } = await prompt([
      { thought: "hm" },
      { repeat: 2, steps: [{ text: "round {i}" }] },
      { stop: "refusal" }
    ])
    assert.deepEqual(texts(), ["hm", "round 0", "round 1"])
    assert.deepEqual(result, { stopReason: "refusal" })
  })

  it("asks for permission and goes on as the answer says", async () => {
    const { messages, prompt, send, texts, until } = start()
    const done = prompt([
      {
        permission: {
          toolCall: { toolCallId: "t" },
          options: [{ optionId: "proceed_once", name: "Go", kind: "allow_once" }]
        },
        on: { proceed_once: [{ text: "went" }] }
      }
    ])
    const asked = await until(() => messages.find(({ method }) => method === "session/request_permission"))
    assert.strictEqual(asked.id, 0)
    send({ id: 0, result: { outcome: { outcome: "selected", optionId: "proceed_once" } } })
    await done
    assert.deepEqual(texts(), ["permission proceed_once", "went"])
  })

  it("calls file and terminal methods and says what the client answered", async () => {
    const { messages, prompt, send, texts, until } = start()
    const done = prompt([{ request: { method: "fs/read_text_file", params: { path: "/x" } } }])
    await until(() => messages.find(({ method }) => method === "fs/read_text_file"))
    send({ id: 0, error: { code: -32601, message: "no" } })
    await done
    assert.match(texts()[0] ?? "", /^fs\/read_text_file .*-32601/)
  })

  for (const code of [-32700, -32600, -32601, -32602, -32603, -32800, -32000, -32002, 17]) {
    it(`ends a turn with error ${code}`, async () => {
      const { prompt } = start()
      const { error } = await prompt([{ text: "so far" }, { error: { code, message: "as told" } }])
      assert.strictEqual(error?.code, code)
    })
  }

  it("writes noise and torn characters just as the script has them", async () => {
    const { noise, prompt, texts } = start()
    await prompt([{ raw: "not json\n" }, { pieces: 1 }, { text: "größe ✓" }, { pieces: 0 }])
    assert.deepEqual(noise, ["not json"])
    assert.deepEqual(texts(), ["größe ✓"])
  })

  it("crashes where the script says so, after what came before it was written", async () => {
    const { agent, prompt, texts } = start()
    void prompt([{ text: "last words" }, { crash: 3 }])
    const [code] = await once(agent, "exit")
    assert.strictEqual(code, 3)
    assert.deepEqual(texts(), ["last words"])
  })

  it("ends a waiting turn when it is cancelled, or stays deaf when told to", async () => {
    const polite = start()
    const ended = polite.prompt([{ text: "working" }, { waitForCancel: true }, { text: "never said" }])
    await polite.until(() => polite.texts()[0])
    polite.send({ method: "session/cancel", params: { sessionId: "s" } })
    assert.deepEqual((await ended).result, { stopReason: "cancelled" })
    assert.deepEqual(polite.texts(), ["working"])

    const deaf = start({ onCancel: "ignore" })
    const goesOn = deaf.prompt([{ text: "working" }, { wait: 50 }, { text: "still" }])
    await deaf.until(() => deaf.texts()[0])
    deaf.send({ method: "session/cancel", params: { sessionId: "s" } })
    assert.deepEqual((await goesOn).result, { stopReason: "end_turn" })
    assert.deepEqual(deaf.texts(), ["working", "still"])
  })

  it("speaks after the turn's end when the script wants late updates", async () => {
    const { messages, prompt, texts, until } = start()
    await prompt([{ after: [{ text: "late" }] }])
    await until(() => texts()[0])
    const order = messages.map(({ method }) => method ?? "answer")
    assert.deepEqual(order, ["answer", "session/update"])
  })

  it("wants a login first, fails the first session, and changes options that depend on another", async () => {
    const model = { id: "model", name: "Model", type: "select", currentValue: "small", options: [] }
    const { call } = start({
      authRequired: true,
      newSessionErrors: [{ code: -32603, message: "Failed to initialize session services" }],
      newSession: { configOptions: [model] },
      dependentOptions: {
        model: { big: [model, { id: "effort", name: "Effort", type: "select", currentValue: "low", options: [] }] }
      }
    })
    assert.strictEqual((await call("session/new", {})).error?.code, -32000)
    await call("authenticate", { methodId: "scripted" })
    assert.strictEqual((await call("session/new", {})).error?.code, -32603)
    const { result } = await call("session/new", {})
    const set = await call("session/set_config_option", {
      sessionId: result?.["sessionId"],
      configId: "model",
      value: "big"
    })
    const ids = JSON.stringify(set.result).match(/"id":"\w+"/g)
    assert.deepEqual(ids, ['"id":"model"', '"id":"effort"'])
    assert.strictEqual(
      (await call("session/set_config_option", { sessionId: "s", configId: "no", value: "x" })).error?.code,
      -32602
    )
  })

  it("writes while somebody logs in, and refuses every change of an option", async () => {
    const { call, noise } = start({
      authRequired: true,
      onAuthenticate: [{ raw: "https://login.example/\n" }],
      newSession: { configOptions: [{ id: "model", name: "Model", type: "select", currentValue: "a", options: [] }] },
      refuseOptions: { code: -32602, message: "Not now" }
    })
    assert.deepEqual((await call("authenticate", { methodId: "scripted" })).result, {})
    assert.deepEqual(noise, ["https://login.example/"])
    const { result } = await call("session/new", {})
    const change = { sessionId: result?.["sessionId"], configId: "model", value: "b" }
    assert.strictEqual((await call("session/set_config_option", change)).error?.message, "Not now")
  })

  it("cancels all turns of a session, also after one of them has ended", async () => {
    const { prompt, send, texts, until } = start()
    const first = prompt([{ text: "1" }, { waitForCancel: true }])
    await until(() => texts().find((text) => text === "1"))
    await prompt([{ text: "2" }])
    send({ method: "session/cancel", params: { sessionId: "s" } })
    assert.deepEqual((await first).result, { stopReason: "cancelled" })
  })

  it("waits for a file, that is there or that comes, and no longer than until the cancel", async ({
    onTestFinished
  }) => {
    const folder = mkdtempSync(join(tmpdir(), "scripted-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const { prompt, send, texts, until } = start({}, folder)
    const step = { waitForFile: "go" }
    const cancelled = prompt([{ text: "one" }, step])
    await until(() => texts().find((text) => text === "one"))
    send({ method: "session/cancel", params: { sessionId: "s" } })
    assert.deepEqual((await cancelled).result, { stopReason: "cancelled" })
    const waiting = prompt([{ text: "two" }, step])
    await until(() => texts().find((text) => text === "two"))
    writeFileSync(join(folder, "go"), "")
    for (const turn of [waiting, prompt([step])]) assert.deepEqual((await turn).result, { stopReason: "end_turn" })
  })

  it("cancels the turn that ran when it was told to, and not the one that begins right behind", async () => {
    const { prompt, send, texts, until } = start()
    const first = prompt([{ text: "one" }, { waitForCancel: true }])
    await until(() => texts()[0])
    send({ method: "session/cancel", params: { sessionId: "s" } })
    assert.deepEqual((await first).result, { stopReason: "cancelled" })
    send({ method: "session/cancel", params: { sessionId: "s" } })
    assert.deepEqual((await prompt([{ wait: 20 }, { text: "two" }])).result, { stopReason: "end_turn" })
  })

  it("takes its time to exit where the setup says so, and leaves a daemon that keeps its output open", async () => {
    const { agent, prompt, texts } = start({ exitAfter: 100 })
    await prompt([{ daemon: true }])
    const daemon = Number(/^daemon (\d+)$/.exec(texts()[0] ?? "")?.[1])
    try {
      const from = performance.now()
      agent.stdin?.end()
      assert.deepEqual(await once(agent, "exit"), [0, null])
      assert.isAtLeast(performance.now() - from, 90)
      process.kill(daemon, 0)
    } finally {
      process.kill(daemon, "SIGKILL")
    }
  })

  it("replays before the load answer, and behind it where told to", async () => {
    const { call, messages, until, texts } = start({
      load: { replay: [{ user: "before" }], replayAfter: [{ text: "behind" }] }
    })
    await call("session/load", { sessionId: "s" })
    await until(() => texts()[1])
    assert.deepEqual(texts(), ["before", "behind"])
    assert.deepEqual(
      messages.map(({ method }) => method ?? "answer"),
      ["session/update", "answer", "session/update"]
    )
  })

  it("says which step it could not play", async () => {
    const { prompt } = start()
    assert.match((await prompt([{ sing: true }])).error?.message ?? "", /\{"sing":true\}/)
  })
})
