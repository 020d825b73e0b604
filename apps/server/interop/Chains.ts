/** Chains as both conductors are started with them, and a turn through one. */
import * as CommandLine from "effect/process/CommandLine"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "../../../packages/system/test/support/TemporaryFolder.ts"
import * as Signalbox from "../test/cli/support/Signalbox.ts"
import * as Caller from "./Caller.ts"
import { reference } from "./Reference.ts"

export type Words = ReadonlyArray<string>

/** Our command line. */
export const signalbox = (...args: Words): Words => [process.execPath, Signalbox.program, ...args]

/** A stand-in agent or proxy of ours. */
export const standIn = (name: string, ...args: Words): Words => [
  process.execPath,
  fileURLToPath(new URL(`../../../packages/stand-in-agents/src/${name}/main.ts`, import.meta.url)),
  ...args
]

/** A program that is written in the test: it does this with each `message`, its parts and the `line` that it came in. */
export const programOf = (body: string): Words => {
  const file = join(temporaryFolder("program"), "program.cjs")
  writeFileSync(
    file,
    `const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }))
     require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
       const message = JSON.parse(line)
       const { id, method, params } = message
       ${body}
     })`
  )
  return [process.execPath, file]
}

/** The reference's agent. Its answers are the same in each run. */
export const theirEliza = (): Words => [reference("eliza"), "--deterministic", "acp"]

const line = (words: Words): string => CommandLine.display([...words])

/** Our conductor before these proxies and the agent, which is the last. */
export const ours = (...chain: ReadonlyArray<Words>): Words => [
  ...signalbox("conductor", "agent"),
  ...chain.slice(0, -1).flatMap((proxy) => ["--proxy", line(proxy)]),
  "--",
  ...(chain.at(-1) ?? [])
]

/** Our conductor, as one proxy of another chain. */
export const oursAsProxy = (...chain: ReadonlyArray<Words>): Words => [
  ...signalbox("conductor", "proxy"),
  ...chain.flatMap((proxy) => ["--proxy", line(proxy)])
]

/** The reference's conductor before these proxies and the agent, which is the last. */
export const theirs = (...chain: ReadonlyArray<Words>): Words => [reference("conductor"), "agent", ...chain.map(line)]

/** The reference's conductor, as one proxy of another chain. */
export const theirsAsProxy = (...chain: ReadonlyArray<Words>): Words => [
  reference("conductor"),
  "proxy",
  ...chain.map(line)
]

export const initialize = ({ request }: Caller.Caller) =>
  request("initialize", { protocolVersion: 1, clientCapabilities: {} })

export interface Turn {
  readonly initialized: Caller.Heard
  readonly answer: Caller.Heard
  /** What the agent said, as one text. */
  readonly text: string
  readonly ended: Caller.Ended
}

const textIn = (params: unknown): string => {
  const text = Caller.member(params, "update", "content", "text")
  return typeof text === "string" ? text : ""
}

/** One prompt to the agent behind a command, from the start of the command to its end. */
export const turn = async (words: Words, prompt: string, options?: Caller.Options): Promise<Turn> => {
  const caller = Caller.start(words, options)
  const initialized = await initialize(caller)
  const { result } = await caller.request("session/new", { cwd: options?.cwd ?? "/", mcpServers: [] })
  const sessionId = Caller.member(result, "sessionId")
  const answer = await caller.request("session/prompt", { sessionId, prompt: [{ type: "text", text: prompt }] })
  const ended = await caller.leave()
  const text = caller.heard.map(({ params }) => textIn(params)).join("")
  return { initialized, answer, text, ended }
}
