// Loaded into an agent for suggestions (`node --import`): before an answer with a suggestion leaves, its text and the time, in milliseconds
// since 1970, go into the file that $BENCH_STAMPS names.
import { appendFileSync } from "node:fs"

const file = process.env.BENCH_STAMPS
const write = process.stdout.write.bind(process.stdout)

process.stdout.write = (chunk, ...rest) => {
  const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8")
  if (!text.includes('"newText"')) return write(chunk, ...rest)
  const at = performance.timeOrigin + performance.now()
  const result = write(chunk, ...rest)
  for (const line of text.trim().split("\n"))
    for (const { edits = [] } of JSON.parse(line).result?.suggestions ?? [])
      appendFileSync(file, `${JSON.stringify({ at, text: edits[0]?.newText })}\n`)
  return result
}
