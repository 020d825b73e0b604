/**
 * What the package costs per message, beside a loop that splits lines and parses JSON and does nothing else.
 *
 * 200,000 `agent_message_chunk` lines of 221 bytes in chunks of 64 KiB, from memory. Each way runs in processes of its
 * own, in turns; printed is the median CPU time (user + system) per message, and its ratio to the bare loop.
 *
 *   node packages/acp/bench/client.bench.mjs [repetitions]
 */
import "effect/schema/SchemaJITCompiler/enable"
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import * as AcpClient from "../src/AcpClient.ts"

const count = 200_000
const chunkBytes = 65_536

const line = (() => {
  const update = (text) =>
    JSON.stringify({
      jsonrpc: "2.0",
      method: "session/update",
      params: {
        sessionId: "bench-session-0001",
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } }
      }
    })
  return `${update("x".repeat(221 - 1 - update("").length))}\n`
})()

/** 64 KiB pieces of the lines, cut wherever they end. */
function* chunks() {
  const bytes = Buffer.from(line.repeat(count))
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

const ways = {
  raw: async (input) => {
    let rest = ""
    let seen = 0
    const decoder = new TextDecoder()
    for (const chunk of input) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n")
      rest = lines.pop()
      for (const text of lines) if (JSON.parse(text).method === "session/update") seen += 1
    }
    return seen
  },
  client: (input) =>
    Effect.gen(function* () {
      let seen = 0
      const client = yield* AcpClient.make(
        { input: Stream.fromIterable(input, { chunkSize: 1 }), output: Sink.drain },
        {
          onUpdates: (batch) =>
            Effect.sync(() => {
              for (const update of batch) if (update._tag === "Known") seen += 1
            }),
          requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } })
        }
      )
      yield* client.closed
      return seen
    }).pipe(Effect.scoped, Effect.runPromise)
}

const measure = async (way) => {
  const input = [...chunks()]
  const before = process.cpuUsage()
  const started = performance.now()
  const seen = await ways[way](input)
  const { system, user } = process.cpuUsage(before)
  if (seen !== count) throw new Error(`${way} saw ${seen} of ${count} messages`)
  return { cpu: (user + system) / count, wall: ((performance.now() - started) * 1000) / count }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

const [argument] = process.argv.slice(2)
if (argument !== undefined && argument in ways) {
  console.log(JSON.stringify(await measure(argument)))
} else {
  const repetitions = Number(argument ?? 7)
  const results = Object.fromEntries(Object.keys(ways).map((way) => [way, []]))
  for (let i = 0; i < repetitions; i++) {
    for (const way of Object.keys(ways)) {
      results[way].push(
        JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), way], { encoding: "utf8" }))
      )
    }
  }
  const cpu = (way) => median(results[way].map((result) => result.cpu))
  for (const way of Object.keys(ways)) {
    const perSecond = Math.round(1_000_000 / median(results[way].map((result) => result.wall)))
    console.log(
      `${way.padEnd(8)} ${cpu(way).toFixed(2)} us CPU per message, ${(cpu(way) / cpu("raw")).toFixed(2)} x raw, ${perSecond} messages per second`
    )
  }
}
