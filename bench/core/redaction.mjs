// `redaction.mjs WHAT BYTES`: what a line of a tape costs to be looked through for secrets, beside `JSON.parse` of the same line, in
// nanoseconds a byte. `ordinary` holds nothing; `quiet` is a chunk of 221 bytes; the others were made to be slow. Prints one line of JSON.
import * as Redaction from "../../packages/redaction/src/Redaction.ts"
import * as Secrets from "../../packages/redaction/src/Secrets.ts"
import { report } from "../measure.mjs"

const [what, bytes] = [process.argv[2] ?? "ordinary", Number(process.argv[3] ?? 1_000_000)]
const fill = (piece) => piece.repeat(Math.ceil(bytes / piece.length)).slice(0, bytes)
const texts = {
  ordinary: () => fill("function add(one, other) { return one + other }\n"),
  quiet: () => fill("A piece of an answer, as agents write them. ").slice(0, 120),
  addresses: () => `token ${fill("a.a.a.")}`,
  tokens: () => `token ${fill("eyJaaaaaaaa-")}`,
  bearer: () => `Bearer ${fill("a")}`,
  beginnings: () => fill("s3same-0pen-471")
}
const secrets = Secrets.of({
  A_TOKEN: "s3same-0pen-4711-and-more",
  B_KEY: "0123456789abcdef0123456789abcdef",
  C_PASSWORD: "correct horse battery staple",
  DATABASE_URL: "postgres://app:another-password@db/x"
})
const line = JSON.stringify({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update: { sessionUpdate: "tool_call_update", rawOutput: texts[what]() } }
})
const rounds = Math.max(3, Math.round(30_000_000 / line.length))
const best = (work) => {
  let least = Infinity
  for (let batch = 0; batch < 3; batch += 1) {
    const began = performance.now()
    for (let round = 0; round < rounds; round += 1) work()
    least = Math.min(least, performance.now() - began)
  }
  return (least * 1e6) / rounds / line.length
}
const parseNs = best(() => JSON.parse(line))
const message = JSON.parse(line)
const redactNs = best(() => secrets.without(Redaction.message(message, line)))
const valuesNs = best(() => secrets.without(line))
report({ parseNs, redactNs, valuesNs, beside: redactNs / parseNs })
