/**
 * What a keystroke costs a session of suggestions, beside a bare JSON write: `JSON.stringify` of the same message, and a
 * write of its line to the same kind of pipe.
 *
 * 20,000 keystrokes in a document of 20,000 lines. Each waits until the one before it is written. The reader is a process
 * that only reads. Each way runs in processes of its own, in turns. It prints the median CPU time (user + system) per
 * keystroke, and its ratio to the bare write.
 *
 *   node packages/acp/bench/nes.bench.mjs [repetitions]
 */
import "effect/schema/SchemaJITCompiler/enable"
import { execFileSync, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as AcpClient from "../src/AcpClient.ts"
import * as Nes from "../src/Nes.ts"

const count = 20_000
const warmUp = 2_000
const uri = "file:///project/src/main.ts"
const text = "const value = compute(first, second)\n".repeat(20_000)
/** Lines of 40 characters, one after the other. */
const place = (keystroke) => ({ line: 5_000 + Math.floor(keystroke / 40), character: keystroke % 40 })
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Types into the document, and waits for each line to be written. Gives the CPU time of a keystroke in microseconds. */
const typing = async (pipe, type) => {
  const keystroke = async (number) => {
    const before = pipe.bytesWritten
    await type(number)
    do await turn()
    while (pipe.bytesWritten === before || pipe.writableLength > 0)
  }
  for (let i = 1; i <= warmUp; i++) await keystroke(i)
  const before = process.cpuUsage()
  for (let i = warmUp + 1; i <= warmUp + count; i++) await keystroke(i)
  const { system, user } = process.cpuUsage(before)
  return (user + system) / count
}

const session = (encoding) => async (pipe) => {
  const { promise: done, resolve } = Promise.withResolvers()
  await Effect.gen(function* () {
    const answers = []
    const { promise, resolve: wake } = Promise.withResolvers()
    let waiting = { promise, resolve: wake }
    const say = (result, id) => {
      answers.push(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`)
      waiting.resolve()
    }
    const input = Stream.fromAsyncIterable(
      (async function* () {
        for (;;) {
          if (answers.length === 0) {
            await waiting.promise
            waiting = Promise.withResolvers()
          }
          while (answers.length > 0) yield new TextEncoder().encode(answers.shift())
        }
      })(),
      (error) => error
    )
    const client = yield* AcpClient.make(
      { input, output: NodeSink.fromWritable({ evaluate: () => pipe, onError: (error) => error }) },
      { onUpdates: () => Effect.void, requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } }) }
    )
    const offer = { nes: {}, positionEncodings: [encoding] }
    const nes = { events: { document: { didOpen: {}, didChange: { syncKind: "incremental" } } } }
    say({ protocolVersion: 1, agentCapabilities: { nes, positionEncoding: encoding } }, 0)
    say({ sessionId: "bench" }, 1)
    yield* client.initialize({ clientInfo: { name: "bench", version: "0" }, capabilities: offer })
    const nesSession = yield* Nes.start(client, offer)
    yield* nesSession.didOpen({ uri, languageId: "typescript", version: 0, text })
    const type = (version) => {
      const at = place(version)
      return Effect.runPromise(
        nesSession.didChange({ uri, version, changes: [{ range: { start: at, end: at }, text: "x" }] })
      )
    }
    resolve(yield* Effect.promise(() => typing(pipe, type)))
    say({}, 2)
  }).pipe(Effect.scoped, Effect.runPromise)
  return done
}

const ways = {
  raw: (pipe) =>
    typing(pipe, async (version) => {
      const at = place(version)
      const contentChanges = [{ range: { start: at, end: at }, text: "x" }]
      const params = { sessionId: "bench", uri, version, contentChanges }
      pipe.write(`${JSON.stringify({ jsonrpc: "2.0", method: "document/didChange", params })}\n`)
    }),
  "utf-16": session("utf-16"),
  "utf-8": session("utf-8")
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

const [argument] = process.argv.slice(2)
if (argument !== undefined && argument in ways) {
  const reader = spawn(process.execPath, ["--eval", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "inherit"] })
  console.log(JSON.stringify(await ways[argument](reader.stdin)))
  reader.stdin.end()
  process.exit()
} else {
  const repetitions = Number(argument ?? 5)
  const results = Object.fromEntries(Object.keys(ways).map((way) => [way, []]))
  for (let i = 0; i < repetitions; i++) {
    for (const way of Object.keys(ways)) {
      const output = execFileSync(process.execPath, [fileURLToPath(import.meta.url), way], { encoding: "utf8" })
      results[way].push(JSON.parse(output))
    }
  }
  for (const way of Object.keys(ways)) {
    const cpu = median(results[way])
    console.log(
      `${way.padEnd(8)} ${cpu.toFixed(1)} us CPU per keystroke, ${(cpu / median(results.raw)).toFixed(2)} x raw`
    )
  }
}
