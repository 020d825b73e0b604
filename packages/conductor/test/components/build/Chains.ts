/** Chains with the build component and the tool caller. */
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"
import { build } from "../../../src/components/build/BuildComponent.ts"
import type { Component } from "../../../src/Component.ts"
import { type Way, ways } from "../../BothWays.ts"
import { bridge } from "../../McpParts.ts"
import { type Client, connect, initialize } from "../../Parts.ts"
import { node, standIn } from "../../Programs.ts"
import { prompt, resultIn, sessionIn, type Step } from "../package-sources/Asker.ts"

/** A command that runs this JavaScript, as an argument of the component. */
export const javascript = (name: string, code: string): ReadonlyArray<string> => [
  "--command",
  `${name}=${process.execPath} -e '${code}'`
]

/** Starts a chain. `before` stands between the client and the component, and `folder` is that of the session. */
export const start = Effect.fnUntraced(function* (
  args: ReadonlyArray<string>,
  {
    before = [],
    folder = temporaryFolder("project"),
    make = ways[0]?.make
  }: {
    readonly before?: ReadonlyArray<Component>
    readonly folder?: string
    readonly make?: Way["make"] | undefined
  } = {}
) {
  if (make === undefined) throw new Error("A component runs in two ways")
  const component = yield* make(build, args)
  const agent = yield* node("tools", standIn("tools"), "--http")
  const client: Client = yield* connect({
    assemble: () => Effect.succeed({ agent, proxies: [...before, component, bridge] })
  })
  yield* initialize(client)
  const sessionId = yield* sessionIn(client, folder)
  const call = (name: unknown): Step => ({ call: "run_project_command", server: "build", with: { name } })
  const run = (name: unknown) => prompt(client, sessionId, call(name))
  return {
    client,
    folder,
    sessionId,
    call,
    run,
    /** The result of a command that runs. */
    resultOf: (name: string) => Effect.map(run(name), ({ said }) => Object(resultIn(said)))
  }
})

/** The id of the child of this process that runs this file. */
export const childOf = (file: string): number => {
  const row = execFileSync("ps", ["-A", "-ww", "-o", "ppid=,pid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .find(([parent, , , script = ""]) => parent === String(process.pid) && script.endsWith(file))
  if (row === undefined) throw new Error(`No child runs ${file}`)
  return Number(row[1])
}
