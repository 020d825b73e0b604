/** What our conductor and the reference do differently. docs/INTEROPERABILITY.md has a row for each test, and says who is right. */
import { assert, describe, it } from "vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../packages/system/test/support/TemporaryFolder.ts"
import * as Caller from "./Caller.ts"
import * as Chains from "./Chains.ts"
import { isMissing, reference } from "./Reference.ts"

/** Answers each request with the line that it came in. */
const mirror = () =>
  Chains.programOf(`
  if (method === "initialize") say({ id, result: { protocolVersion: params.protocolVersion } })
  else if (id !== undefined) say({ id, result: { line } })
  else say({ method: "_heard", params: { line } })
`)

/** Ends with code 7 at its first request behind initialize. */
const mortal = () =>
  Chains.programOf(`
  if (method === "initialize") return say({ id, result: { protocolVersion: 1 } })
  process.exit(7)
`)

const pass = Chains.signalbox("component", "pass")

/** Our conductor and the reference's, before the same chain. */
const bothWith = (...chain: ReadonlyArray<Chains.Words>): readonly [Caller.Caller, Caller.Caller] => [
  Caller.start(Chains.ours(...chain)),
  Caller.start(Chains.theirs(...chain))
]

/** What the agent read, of an answer of the mirror. */
const lineIn = ({ params, result }: Caller.Heard): string => String(Caller.member(result ?? params, "line"))

describe.skipIf(isMissing("conductor"))("The start of a chain", () => {
  it("Signalbox refuses all that follows a first request that is not initialize; the reference lets the client try again", async () => {
    const [ours, theirs] = bothWith(mirror())
    for (const { request } of [ours, theirs]) {
      assert.strictEqual((await request("session/new", {})).error?.code, -32600)
    }
    assert.strictEqual((await Chains.initialize(ours)).error?.code, -32600)
    assert.deepStrictEqual((await Chains.initialize(theirs)).result, { protocolVersion: 1 })
    assert.deepStrictEqual([(await ours.leave()).code, (await theirs.leave()).code], [1, 0])
  })

  it("Signalbox names a program that is not there; the reference ends without an answer", async () => {
    const [ours, theirs] = bothWith(["no-such-program"])
    const { error } = await Chains.initialize(ours)
    assert.deepStrictEqual(error?.data, { reason: "NotStarted", component: "no-such-program" })
    theirs.begin("initialize", { protocolVersion: 1 })
    assert.strictEqual((await theirs.ended).code, 1)
    assert.notInclude(JSON.stringify(theirs.heard), "no-such-program")
  })

  it("Signalbox says that an agent in a proxy's place is no proxy; the reference passes the agent's error on", async () => {
    const [ours, theirs] = bothWith(Chains.standIn("eliza"), mirror())
    const { error } = await Chains.initialize(ours)
    assert.strictEqual(error?.code, -32603)
    assert.strictEqual(Caller.member(error?.data, "reason"), "NotAProxy")
    assert.deepStrictEqual((await Chains.initialize(theirs)).error, { code: -32600, message: "initialize comes first" })
  })

  it("Signalbox refuses a proxy that does not initialize its successor; the reference goes on", async () => {
    const [ours, theirs] = bothWith(Chains.standIn("faulty", "answer-early"), mirror())
    assert.strictEqual(Caller.member((await Chains.initialize(ours)).error?.data, "reason"), "NotForwarded")
    assert.deepStrictEqual((await Chains.initialize(theirs)).result, { protocolVersion: 1 })
  })

  it("Signalbox refuses a proxy that changes the version; the reference goes on", async () => {
    const [ours, theirs] = bothWith(Chains.standIn("faulty", "change-version"), mirror())
    assert.strictEqual(Caller.member((await Chains.initialize(ours)).error?.data, "reason"), "VersionChanged")
    assert.deepStrictEqual((await Chains.initialize(theirs)).result, { protocolVersion: 2 })
  })

  it("Signalbox passes on a version beyond 1; the reference asks for 1", async () => {
    const [ours, theirs] = bothWith(mirror())
    const version = async ({ request }: Caller.Caller) => (await request("initialize", { protocolVersion: 2 })).result
    assert.deepStrictEqual(await version(ours), { protocolVersion: 2 })
    assert.deepStrictEqual(await version(theirs), { protocolVersion: 1 })
  })

  it("Signalbox leaves a missing version to the agent; the reference answers -32602", async () => {
    const [ours, theirs] = bothWith(mirror())
    assert.property(await ours.request("initialize", {}), "result")
    assert.strictEqual((await theirs.request("initialize", {})).error?.code, -32602)
  })
})

describe.skipIf(isMissing("conductor"))("What passes", () => {
  it("Signalbox keeps each digit of a number; the reference writes what a double or a 64-bit integer holds", async () => {
    const [ours, theirs] = bothWith(pass, mirror())
    const linesOf = async (caller: Caller.Caller) => {
      await Chains.initialize(caller)
      caller.send(
        '{"jsonrpc":"2.0","id":"n","method":"_x","params":{"wide":9007199254740993,"wider":12345678901234567890123,"e":1e2}}'
      )
      return lineIn(await caller.hears(({ id, result }) => id === "n" && result !== undefined))
    }
    assert.include(await linesOf(ours), '"params":{"wide":9007199254740993,"wider":12345678901234567890123,"e":1e2}')
    assert.include(await linesOf(theirs), '"params":{"wide":9007199254740993,"wider":1.2345678901234568e+22,"e":100.0}')
  })

  it("Signalbox passes on params of null; the reference leaves them out", async () => {
    const [ours, theirs] = bothWith(mirror())
    for (const caller of [ours, theirs]) await Chains.initialize(caller)
    assert.include(lineIn(await ours.request("_x", null)), '"params":null')
    assert.notInclude(lineIn(await theirs.request("_x", null)), '"params"')
  })

  it("Signalbox passes on params that are a scalar; the reference answers -32600", async () => {
    const [ours, theirs] = bothWith(mirror())
    for (const caller of [ours, theirs]) await Chains.initialize(caller)
    assert.include(lineIn(await ours.request("_x", 7)), '"params":7')
    theirs.begin("_x", 7)
    assert.deepInclude(await theirs.hears(({ error }) => error !== undefined), { id: null })
  })

  it("Signalbox reports a line that is no JSON on standard error; the reference answers -32700", async () => {
    const [ours, theirs] = bothWith(mirror())
    for (const caller of [ours, theirs]) {
      await Chains.initialize(caller)
      caller.send("no JSON")
      await caller.request("_x", {})
    }
    const { error, id } = await theirs.hears((message) => message.error !== undefined)
    assert.deepStrictEqual([id, error?.code], [null, -32700])
    assert.lengthOf(ours.heard, 2)
    assert.include((await ours.leave()).stderr, "wrote a line that is no message: no JSON")
  })

  it("Signalbox and the reference answer -32600 to proxy/successor from the client or the agent", async () => {
    const asking = Chains.programOf(`
      if (method === "initialize") return say({ id, result: { protocolVersion: 1 } })
      if (method !== undefined) return say({ id: "a", method: "proxy/successor", params: { method: "_y" } })
      say({ method: "_heard", params: { line } })
    `)
    for (const caller of bothWith(asking)) {
      await Chains.initialize(caller)
      assert.strictEqual((await caller.request("proxy/successor", { method: "_y" })).error?.code, -32600)
      caller.begin("_x", {})
      assert.include(lineIn(await caller.hears(({ method }) => method === "_heard")), '"code":-32600')
    }
  })
})

describe.skipIf(isMissing("conductor"))("Tools of components", () => {
  it("Signalbox adds the bridge for an agent that takes no servers over ACP; the reference does not", async () => {
    const chain = [Chains.signalbox("component", "git"), Chains.standIn("eliza")]
    const [ours, theirs] = [
      await Chains.turn(Chains.ours(...chain), "List tools from git"),
      await Chains.turn(Chains.theirs(...chain), "List tools from git")
    ]
    assert.include(ours.text, "git_log")
    assert.notInclude(theirs.text, "git_log")
  })
})

describe.skipIf(isMissing("conductor"))("The end of a component", () => {
  it("Signalbox answers what waits for an agent that ends, and names the agent; the reference does not answer", async () => {
    const [ours, theirs] = bothWith(Chains.standIn("arrow"), mortal())
    for (const caller of [ours, theirs]) await Chains.initialize(caller)
    const { error } = await ours.request("_x", {})
    assert.strictEqual(error?.code, -32603)
    assert.include(String(Caller.member(error?.data, "component")), process.execPath)
    assert.deepInclude(error?.data, { reason: "Ended", exitCode: 7 })
    theirs.begin("_x", {})
    assert.deepStrictEqual([(await ours.ended).code, (await theirs.ended).code], [1, 1])
    assert.notInclude(JSON.stringify(theirs.heard), process.execPath)
  })
})

describe.skipIf(isMissing("conductor"))("The trace", () => {
  it("Signalbox traces the sender's own id, the session, and what a proxy says by itself; the reference does not", async () => {
    /** A proxy that says something to the client when it is asked to. */
    const talkative = Chains.programOf(`
      const up = (answered) => say({ id: answered.startsWith("down ") ? answered : "down " + answered, method: "proxy/successor", params: { method, params } })
      if (method === "proxy/initialize") { process.asked = id; return say({ id: "i", method: "proxy/successor", params: { method: "initialize", params } }) }
      if (id === "i") return say({ id: process.asked, result: message.result })
      if (method === "_talk") { say({ method: "session/update", params: { sessionId: "s", update: {} } }); say({ id, result: null }) }
    `)
    const eventsOf = async (
      words: Chains.Words,
      file: string
    ): Promise<ReadonlyArray<{ readonly [name: string]: unknown }>> => {
      const caller = Caller.start(words)
      await Chains.initialize(caller)
      await caller.request("_talk", { sessionId: "s" })
      await caller.leave()
      return readFileSync(file, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    }
    const folder = temporaryFolder("traces")
    const [ourFile, theirFile] = [join(folder, "ours"), join(folder, "theirs")]
    const [node = "", program = "", conductor = "", mode = "", ...chain] = Chains.ours(talkative, mirror())
    const ours = await eventsOf([node, program, conductor, mode, "--no-bridge", "--trace", ourFile, ...chain], ourFile)
    const [reference = "", ...rest] = Chains.theirs(talkative, mirror())
    const theirs = await eventsOf([reference, "--trace", theirFile, ...rest], theirFile)

    const talk = ours.find(({ method }) => method === "_talk")
    assert.deepInclude(talk, { id: "Client:2", session: "s" })
    assert.deepInclude(
      ours.find(({ method }) => method === "session/update"),
      { from: "Proxy(0)", to: "Client" }
    )
    const theirTalk = theirs.find(({ method }) => method === "_talk")
    assert.notProperty(theirTalk, "session")
    assert.notStrictEqual(theirTalk?.["id"], "Client:2")
    assert.isUndefined(theirs.find(({ method }) => method === "session/update"))
    assert.deepStrictEqual(
      [ours, theirs].map((events) => events.filter(({ type }) => type === "request").map(({ from, to }) => [from, to])),
      [ours, ours].map(() => [
        ["Client", "Proxy(0)"],
        ["Proxy(0)", "Agent"],
        ["Client", "Proxy(0)"]
      ])
    )
  })
})

describe.skipIf(isMissing("conductor", "arrow"))("Older spellings", () => {
  it("Signalbox learns the older spelling of a proxy; the reference passes its envelopes to the client", async () => {
    const [ours, theirs] = bothWith([reference("arrow")], mirror())
    assert.strictEqual(Caller.member((await Chains.initialize(ours)).result, "protocolVersion"), 1)
    theirs.begin("initialize", { protocolVersion: 1 })
    assert.match(String((await theirs.hears(({ method }) => method !== undefined)).method), /^_proxy\/successor/)
  })
})
