/** Ways to sign in that need a terminal, in every form in which agents say so. Their program is run for them. */
import { assert, describe, it } from "@effect/vitest"
import type { AuthMethod } from "@signalbox/acp/AcpSchema"
import { ProviderId } from "@signalbox/contracts/Provider"
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Launch } from "../../src/provider/agent/Launch.ts"
import { offerOf } from "../../src/provider/acp/connection/SignInMethods.ts"
import * as TerminalMethod from "../../src/provider/acp/connection/TerminalMethod.ts"
import { temporaryFolder } from "../cli/support/Signalbox.ts"

const named = (meta: { readonly [name: string]: unknown }): AuthMethod => ({ id: "in", name: "In", _meta: meta })
const commandLine = (command: unknown, args: unknown, more: object = {}) =>
  named({ "terminal-auth": { command, args, ...more } })

const shown = (method: AuthMethod, launch: Launch) => {
  const [offered] = offerOf(ProviderId.make("mine"), launch, [method]).methods
  return [offered?.type, offered?.command]
}

/** A program, and a link to it of another name in the search path. */
const installed = () => {
  const folder = realpathSync(temporaryFolder("program"))
  const program = join(folder, "agent.sh")
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 })
  mkdirSync(join(folder, "bin"))
  symlinkSync(program, join(folder, "bin", "agent"))
  return { program, launch: { command: "agent", args: ["--acp"], env: { PATH: join(folder, "bin") } } }
}

describe("a way to sign in that names a command line", () => {
  it("is run where its program is the agent's own, however each is named", () => {
    const { launch, program } = installed()
    const run = TerminalMethod.of(commandLine(program, ["login"], { env: { A: "1" } }), launch)
    assert.deepEqual([run?.own, run?.launch.command, run?.launch.args], [true, program, ["login"]])
    assert.deepEqual(run?.launch.env, { ...launch.env, A: "1" })
    assert.deepEqual(shown(commandLine(program, ["login"]), launch), ["terminal", `${program} login`])
  })

  it("is shown and never run where it is another program", () => {
    const { launch } = installed()
    for (const command of ["/bin/sh", "sh", "/nowhere/agent", "login"]) {
      assert.isFalse(TerminalMethod.of(commandLine(command, ["login"]), launch)?.own, command)
    }
    assert.deepEqual(shown(commandLine("/bin/other", ["login", "a b"], { env: { KEY: "1" } }), launch), [
      "unknown",
      "env 'KEY=1' /bin/other login 'a b'"
    ])
  })

  it("is never run by a program that runs any file", () => {
    for (const command of ["node", "npx", "/usr/bin/env", "bash", "python3.12", process.execPath]) {
      const launch = { command, args: ["agent.js"], env: {} }
      assert.isFalse(TerminalMethod.of(commandLine(command, ["-e", "1"]), launch)?.own, command)
    }
  })

  it("of an agent that runs elsewhere is none", () => {
    const { launch, program } = installed()
    assert.isUndefined(TerminalMethod.of(commandLine(program, ["login"]), { ...launch, remote: { url: "http://x" } }))
  })
})

describe("a way to sign in that names arguments in place of the usual ones", () => {
  const method = named({ type: "terminal", args: ["--auth-type=key"] })

  it("runs the program that is configured with these alone", () => {
    assert.deepEqual(shown(method, { command: "qwen", args: ["--acp"], env: {} }), [
      "terminal",
      "qwen '--auth-type=key'"
    ])
  })

  it("keeps what names the program behind an interpreter or a runner", () => {
    const under = (command: string, ...args: Array<string>) => shown(method, { command, args, env: {} })[1]
    assert.strictEqual(under("node", "--no-warnings", "cli.js", "--acp"), "node --no-warnings cli.js '--auth-type=key'")
    assert.strictEqual(
      under("npx", "-y", "@qwen-code/qwen-code", "--acp"),
      "npx -y @qwen-code/qwen-code '--auth-type=key'"
    )
  })
})

describe("what a way to sign in says of a terminal", () => {
  it("counts for nothing where it makes no sense", () => {
    const launch = { command: "agent", args: [], env: {} }
    const long = "x".repeat(1_000_000)
    for (const method of [
      commandLine(7, []),
      commandLine("", []),
      commandLine("a\0b", []),
      commandLine(long, []),
      commandLine("agent", "login"),
      commandLine("agent", [7]),
      commandLine("agent", [long]),
      commandLine(
        "agent",
        Array.from({ length: 100_000 }, () => "x")
      ),
      named({ "terminal-auth": "login" }),
      named({ type: "terminal", args: { length: 1 } }),
      named({ type: "terminal" }),
      named({ type: "browser", args: [] })
    ]) {
      assert.deepEqual(shown(method, launch), ["agent", undefined])
    }
    const odd = commandLine("agent", [], { env: { "A B": "1", "": "2", C: 3, D: "a\0b", E: "5" } })
    assert.deepEqual(shown(odd, launch), ["unknown", "env 'E=5' agent"])
  })
})
