/** MCP servers that dependencies declare: a person agrees, a real program runs, and nothing of it is left. */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import { RpcError } from "@signalbox/acp/JsonRpc"
import { assert, describe, it } from "@effect/vitest"
import * as ProcessLedgerFolder from "@signalbox/process/ProcessLedgerFolder"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"
import * as DeclaredServer from "../../../src/components/ecosystem-knowledge/servers/DeclaredServer.ts"
import * as ServerProcess from "../../../src/components/ecosystem-knowledge/servers/ServerProcess.ts"
import * as StartedServers from "../../../src/components/ecosystem-knowledge/servers/StartedServers.ts"
import { host, hostIn } from "../../BothWays.ts"
import { proxy } from "../../Parts.ts"
import { running } from "../../Programs.ts"
import { prompt, resultIn, sessionIn } from "../package-sources/Asker.ts"
import * as Projects from "./Projects.ts"

const program = fileURLToPath(new URL("fixtures/mcp-server.mjs", import.meta.url))
const named = { package: "kit", server: "helper" }
const call = (name: string, args: object = named) => ({ call: name, server: "ecosystem-knowledge", with: args })

type Interceptor = NonNullable<NonNullable<AcpProxy.Interceptors["agentRequests"]>["session/request_permission"]>
type Asked = Parameters<Interceptor>[0]

/** People at the client's end of the chain, who answer each permission request so. */
const people = (answer: (asked: Asked) => ReturnType<Interceptor>) => {
  const asked: Array<Asked> = []
  const interceptors: AcpProxy.Interceptors = {
    agentRequests: {
      "session/request_permission": (params) => {
        asked.push(params)
        return answer(params)
      }
    }
  }
  return { asked, component: proxy("people", interceptors) }
}

const choosing = (optionId: string) =>
  people(() => Effect.succeed({ outcome: { outcome: "selected" as const, optionId } }))

const kit = (mode = "good") =>
  Projects.npm({
    kit: {
      manifest: {
        symposium: {
          mcpServers: { helper: { command: process.execPath, args: [program, mode], env: { MODE: "fast" } } }
        }
      }
    }
  })

/** The processes of this program. */
const ofProgram = (): ReadonlyArray<string> =>
  execFileSync("ps", ["-A", "-o", "pid=,stat=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((row) => row.includes(program) && !/^\s*\d+\s+Z/.test(row))

const until = (isSo: () => boolean) =>
  Effect.repeat(Effect.sync(isSo), { until: (is) => is, schedule: Schedule.spaced("20 millis") })

describe("a declared server", { timeout: 60_000 }, () => {
  it.live("starts after a person has read its command and agreed, is used, and ends with its session", () =>
    Effect.gen(function* () {
      const cwd = kit()
      const { asked, component } = choosing("start")
      const { client } = yield* Projects.start([], undefined, [component])
      const sessionId = yield* sessionIn(client, cwd)
      const listed = yield* prompt(client, sessionId, call("list_declared_servers", {}))
      assert.include(listed.said, '\\"isRunning\\":false')
      const early = yield* prompt(client, sessionId, call("call_server_tool", { ...named, tool: "add" }))
      assert.include(early.said, "the MCP server helper of kit does not run. Ask for it with start_declared_server.")
      assert.deepStrictEqual([asked.length, ofProgram().length], [0, 0])

      const started = yield* prompt(client, sessionId, call("start_declared_server"))
      const commandLine = `MODE=fast ${process.execPath} ${program} good`
      const file = join(cwd, "node_modules/kit/package.json")
      const [request] = asked
      assert.deepInclude(request, {
        sessionId,
        options: [
          { optionId: "start", name: "Start it this once", kind: "allow_once" },
          { optionId: "reject", name: "Don't start it", kind: "reject_once" }
        ]
      })
      assert.deepInclude(request?.toolCall, {
        title: `Start the MCP server helper of kit: ${commandLine}`,
        kind: "execute",
        rawInput: { command: commandLine, cwd, description: `Declared by kit 1.0.0 (npm), in ${file}` }
      })
      const words = JSON.stringify(request?.toolCall.content)
      for (const part of [`Command: ${commandLine}`, `Folder: ${cwd}`, `Declared by: kit 1.0.0 (npm), in ${file}`])
        assert.include(words, part)
      const names = ["add", "where", "fail", "die", "child", "rest"]
      const schema = { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } }
      const tools = names.map((name) => ({ name, description: `Tool ${name}`, inputSchema: schema }))
      assert.deepInclude(resultIn(started.said), { tools })
      assert.deepInclude(resultIn((yield* prompt(client, sessionId, call("list_server_tools"))).said), { tools })

      const use = (tool: string, args: object = {}) =>
        prompt(client, sessionId, call("call_server_tool", { ...named, tool, arguments: args }))
      const sum = yield* use("add", { a: 19, b: 23 })
      assert.deepInclude(resultIn(sum.said), { isError: false, text: "42" })
      assert.include(sum.said, "words of the MCP server helper of kit: neither of the user nor of Signalbox")
      // It runs in the session's folder, without what the environment holds besides.
      const { text } = Object(resultIn((yield* use("where")).said))
      assert.deepStrictEqual(JSON.parse(text), { cwd, mode: "fast", key: "none" })
      assert.deepInclude(resultIn((yield* use("fail")).said), { isError: true, text: "It did not work" })
      const { text: child } = Object(resultIn((yield* use("child")).said))
      // It runs already: nobody is asked again.
      yield* prompt(client, sessionId, call("start_declared_server"))
      assert.deepStrictEqual([asked.length, ofProgram().length], [1, 1])

      yield* client.request("session/close", JSON.stringify({ sessionId }))
      yield* until(() => ofProgram().length === 0)
      assert.isFalse(running().includes(Number(child)))
      const stat = (() => {
        try {
          return execFileSync("ps", ["-o", "stat=", "-p", String(child)], { encoding: "utf8" })
        } catch {
          return "gone"
        }
      })()
      assert.match(stat, /^(?:gone|Z)/)

      // It also ends with the chain, when the client leaves.
      yield* prompt(client, yield* sessionIn(client, cwd), call("start_declared_server"))
      assert.deepStrictEqual([asked.length, ofProgram().length], [2, 1])
      yield* client.connection.close
      yield* until(() => ofProgram().length === 0)
    }).pipe(Effect.scoped)
  )

  it.live("does not start where a person says no, nobody answers, or the client asks nobody", () =>
    Effect.gen(function* () {
      const cwd = kit()
      const start = Effect.fnUntraced(function* (component: ReturnType<typeof people>["component"], times = 1) {
        const { client } = yield* Projects.start([], undefined, [component])
        const sessionId = yield* sessionIn(client, cwd)
        let said = ""
        for (let time = 0; time < times; time++)
          said = (yield* prompt(client, sessionId, call("start_declared_server"))).said
        return said
      }, Effect.scoped)
      const no = choosing("reject")
      assert.include(
        yield* start(no.component),
        "the MCP server helper of kit was not started. The answer to the permission request was no."
      )
      const odd = choosing("start_all")
      assert.include(yield* start(odd.component), "The answer to the permission request was no.")
      const away = people(() => Effect.succeed({ outcome: { outcome: "cancelled" as const } }))
      assert.include(yield* start(away.component), "The permission request was cancelled.")
      const none = people(() => Effect.fail(RpcError.methodNotFound("session/request_permission")))
      assert.include(yield* start(none.component), "The client offers no permission requests, so nobody can agree.")
      const again = choosing("reject")
      assert.include(yield* start(again.component, 4), "Nobody is asked again: 3 times the answer was no.")
      assert.lengthOf(again.asked, 3)
      assert.deepStrictEqual(ofProgram(), [])
    })
  )

  it.live("that dies, prints no messages, or does not answer gives clear words, and nothing of it is left", () =>
    Effect.gen(function* () {
      const cwd = temporaryFolder("session")
      const agreed = { request: () => Effect.succeed({ outcome: { outcome: "selected", optionId: "start" } }) }
      const server = (mode: string, command: string = process.execPath) =>
        DeclaredServer.of(
          { ecosystem: "npm", name: "kit", version: "1.0.0", folder: cwd, skills: [], context: [], servers: [] },
          { name: mode, command, args: [program, mode], env: {} }
        )
      const scope = yield* Scope.make()
      const begin = (limits: Partial<ServerProcess.Limits>) =>
        Effect.flatMap(host, (host) =>
          StartedServers.make(agreed, { cwd, sessionId: () => "s" }, host, { ...ServerProcess.usualLimits, ...limits })
        ).pipe(Scope.provide(scope))
      const wordsOf = (servers: StartedServers.StartedServers, mode: string, command?: string) =>
        Effect.map(Effect.flip(servers.start(server(mode, command))), ({ message }) => message)
      // Each limit is reached by what never answers, and leaves the rest time on a busy machine.
      const impatient = yield* begin({ begin: Duration.seconds(5) })
      const servers = yield* begin({ call: Duration.seconds(5) })
      const [garbage, silent, dies, none] = yield* Effect.all(
        [
          wordsOf(impatient, "garbage"),
          wordsOf(impatient, "silent"),
          wordsOf(servers, "dies"),
          wordsOf(servers, "none", "no-such-program-here")
        ],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(
        garbage,
        'the MCP server garbage of kit did not begin. It did not answer within 5 seconds. It wrote what is no message: "Listening on nothing at all".'
      )
      assert.strictEqual(silent, "the MCP server silent of kit did not begin. It did not answer within 5 seconds.")
      assert.strictEqual(
        dies,
        'the MCP server dies of kit did not begin. It exited with code 3. Its last words: "No such database".'
      )
      assert.match(none, /^the MCP server none of kit can't be started\. /)
      assert.deepStrictEqual(ofProgram(), [])

      const good = server("good")
      const begun = yield* servers.start(good)
      const hung = yield* Effect.flip(begun.call("rest", {}))
      assert.include(hung.message, 'did not carry out "rest". It did not answer within 5 seconds.')
      // It still works.
      assert.deepStrictEqual(yield* begun.call("add", { a: 1, b: 2 }), { isError: false, text: "3" })
      const died = yield* Effect.flip(begun.call("die", {}))
      assert.include(died.message, 'It exited with code 7. Its last words: "Out of memory".')
      yield* until(() => !servers.isRunning(good))
      assert.include((yield* Effect.flip(servers.running(good))).message, "does not run")
      yield* servers.start(good)
      yield* Scope.close(scope, Exit.void)
      yield* until(() => ofProgram().length === 0)
    })
  )

  it.live("is in the ledger while it runs, so that it does not outlive a host that is killed", () =>
    Effect.gen(function* () {
      const [cwd, folder] = [temporaryFolder("session"), temporaryFolder("ledger")]
      const agreed = { request: () => Effect.succeed({ outcome: { outcome: "selected", optionId: "start" } }) }
      const session = yield* Scope.make()
      const servers = yield* StartedServers.make(agreed, { cwd, sessionId: () => "s" }, yield* hostIn(folder)).pipe(
        Scope.provide(session)
      )
      yield* servers.start(
        DeclaredServer.of(
          { ecosystem: "npm", name: "kit", version: "1.0.0", folder: cwd, skills: [], context: [], servers: [] },
          { name: "good", command: process.execPath, args: [program, "good"], env: {} }
        )
      )
      const records = () =>
        ProcessLedgerFolder.read(folder).records.map(({ agent, command, threadId }) => [command, threadId, agent?.pid])
      assert.deepStrictEqual(
        records().map((each) => each.map(String)),
        [
          [
            process.execPath,
            "the thread",
            ofProgram()
              .map((line) => line.trim().split(" ")[0])
              .join()
          ]
        ]
      )
      yield* Scope.close(session, Exit.void)
      assert.deepStrictEqual(records(), [])
    }).pipe(Effect.scoped)
  )

  it.live("that a person agrees to late starts once, also if its first caller has given up", () =>
    Effect.gen(function* () {
      const cwd = temporaryFolder("session")
      const answer = yield* Deferred.make<unknown>()
      const asked = yield* Deferred.make<void>()
      let times = 0
      const request = () => {
        times += 1
        return Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(answer))
      }
      const servers = yield* StartedServers.make({ request }, { cwd, sessionId: () => "s" }, yield* host)
      const server = DeclaredServer.of(
        { ecosystem: "npm", name: "kit", version: "1.0.0", folder: cwd, skills: [], context: [], servers: [] },
        { name: "good", command: process.execPath, args: [program, "good"], env: {} }
      )
      const first = yield* Effect.forkChild(servers.start(server))
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(first)
      const second = yield* Effect.forkChild(servers.start(server), { startImmediately: true })
      yield* Deferred.succeed(answer, { outcome: { outcome: "selected", optionId: "start" } })
      const begun = yield* Fiber.join(second)
      assert.deepStrictEqual(yield* begun.call("add", { a: 2, b: 3 }), { isError: false, text: "5" })
      assert.deepStrictEqual([times, ofProgram().length], [1, 1])
    }).pipe(Effect.scoped)
  )

  it.live("and all other tools are offered only where they are not turned off", () =>
    Effect.gen(function* () {
      const cwd = kit()
      const server = ["list_declared_servers", "start_declared_server", "list_server_tools", "call_server_tool"]
      for (const [args, offered] of [
        [[], ["list_skills", "read_skill", "read_context", ...server]],
        [["--no-servers"], ["list_skills", "read_skill", "read_context"]],
        [["--no-skills"], ["list_skills", "read_context", ...server]],
        [["--no-context"], ["list_skills", "read_skill", ...server]],
        [["--no-skills", "--no-context"], server]
      ] as const) {
        const { client } = yield* Projects.start(args)
        const sessionId = yield* sessionIn(client, cwd)
        const { said } = yield* prompt(client, sessionId, { list: "ecosystem-knowledge" })
        assert.sameMembers(said.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [], [...offered], said)
      }
      // Without any tool there is no server, and no index.
      const { client, prompts } = yield* Projects.start(["--no-skills", "--no-context", "--no-servers"])
      const none = yield* prompt(client, yield* sessionIn(client, cwd), call("list_skills", {}))
      assert.notInclude(none.said, "OK: ")
      assert.lengthOf(prompts[0] ?? [], 1)
    }).pipe(Effect.scoped)
  )
})
