/** Our conductor with the reference's proxies and agents behind it. */
import { assert, describe, it } from "vitest"
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../packages/system/test/support/TemporaryFolder.ts"
import * as Caller from "./Caller.ts"
import * as Chains from "./Chains.ts"
import { isMissing, reference } from "./Reference.ts"

const done = { stopReason: "end_turn" }
const greeting = "How do you do. Please state your problem."

describe.skipIf(isMissing("eliza"))("Our conductor, before their agent", () => {
  it("brings a turn through proxies of ours", async () => {
    const arrow = Chains.standIn("arrow")
    const { answer, ended, text } = await Chains.turn(Chains.ours(arrow, arrow, Chains.theirEliza()), "Hello")
    assert.deepStrictEqual([answer.result, text, ended.code], [done, `>>${greeting}`, 0], ended.stderr)
  })

  it("gives it the tools of a component by a bridge that it adds", async () => {
    const folder = temporaryFolder("repository")
    const git = (...args: Chains.Words) =>
      execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], { cwd: folder })
    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "--message", "The first commit")
    const words = Chains.ours(Chains.signalbox("component", "git"), Chains.theirEliza())
    assert.include((await Chains.turn(words, "List tools from git", { cwd: folder })).text, "git_log")
    const used = await Chains.turn(words, 'Use tool git::git_log with {"limit":1}', { cwd: folder })
    assert.include(used.text, "The first commit")
  })
})

describe.skipIf(isMissing("arrow"))("Our conductor, with their arrow proxy", () => {
  it("learns its spelling of the proxy protocol, beside proxies of the current one", async () => {
    const chain = [[reference("arrow")], Chains.standIn("arrow"), [reference("arrow")], Chains.standIn("eliza")]
    const { answer, ended, text } = await Chains.turn(Chains.ours(...chain), "Hello")
    assert.deepStrictEqual([answer.result, ended.code], [done, 0], ended.stderr)
    assert.match(text, /^>>>[^>]/)
  })
})

describe.skipIf(isMissing("tee", "eliza"))("Our conductor, with their tee", () => {
  it("passes every message by it, and it writes them down", async () => {
    const log = join(temporaryFolder("tee"), "log")
    const tee = [reference("tee"), "--json", "--log-file", log]
    const { answer, text } = await Chains.turn(Chains.ours(tee, Chains.theirEliza()), "Hello")
    assert.deepStrictEqual([answer.result, text], [done, greeting])
    const methods = readFileSync(log, "utf8")
      .trimEnd()
      .split("\n")
      .map((entry) => Caller.member(JSON.parse(entry), "message", "method"))
    assert.includeMembers(methods, ["_proxy/initialize", "session/new", "session/prompt"])
  })
})

describe.skipIf(isMissing("conductor", "eliza"))("Our conductor, with their conductor as a proxy", () => {
  it("passes a turn through the chain in it", async () => {
    const inner = Chains.theirsAsProxy(Chains.standIn("arrow"), Chains.signalbox("component", "pass"))
    const words = Chains.ours(Chains.standIn("arrow"), inner, Chains.theirEliza())
    const { answer, ended, text } = await Chains.turn(words, "Hello")
    assert.deepStrictEqual([answer.result, text, ended.code], [done, `>>${greeting}`, 0], ended.stderr)
  })
})

describe.skipIf(isMissing("conductor11"))("Our conductor, with their conductor of version 11 as a proxy", () => {
  it("passes a turn through it when a file names its spelling", async () => {
    const config = join(temporaryFolder("config"), "chain.json")
    const [node, ...arrow] = Chains.standIn("arrow")
    const [agent, ...args] = Chains.standIn("eliza")
    const inner = { command: reference("conductor11"), args: ["proxy", [node, ...arrow].join(" ")] }
    writeFileSync(
      config,
      JSON.stringify({ components: [{ ...inner, proxyDialect: "_proxy" }], agent: { command: agent, args } })
    )
    const { answer, text } = await Chains.turn(Chains.signalbox("conductor", "agent", "--config", config), "Hello")
    assert.deepStrictEqual(answer.result, done)
    assert.match(text, /^>[^>]/)
  })
})
