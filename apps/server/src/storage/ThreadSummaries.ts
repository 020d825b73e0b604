/** The list of threads. A damaged row stays in it, with its readable fields and the problem. */
import { Sequence, ThreadId, Timestamp } from "@signalbox/contracts/Ids"
import { ProviderId, ProviderRef } from "@signalbox/contracts/Provider"
import { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as Option from "effect/Option"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Sqlite } from "./Sqlite.ts"
import { StorageError } from "./StorageError.ts"
import type { Row } from "./ThreadRows.ts"

const decode = Schema.decodeUnknownOption(ThreadSummary)

/** The schema of each field. A valid field is shown even if other fields are damaged. */
const fields = {
  sequence: Schema.decodeUnknownOption(Sequence),
  title: Schema.decodeUnknownOption(Schema.String),
  provider: Schema.decodeUnknownOption(ProviderRef),
  cwd: Schema.decodeUnknownOption(Schema.String),
  time: Schema.decodeUnknownOption(Timestamp)
}

const nobody: ProviderRef = { id: ProviderId.make("unknown"), kind: "acp", name: "Unknown agent", simulated: false }

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const salvage = (threadId: ThreadId, found: unknown, path: string): ThreadSummary => {
  const row: Row = typeof found === "object" && found !== null ? { ...found } : {}
  const detail = `the row of the thread ${threadId} in the list can't be understood`
  return {
    threadId,
    sequence: Option.getOrElse(fields.sequence(row.sequence), () => Sequence.make(0)),
    title: Option.getOrElse(fields.title(row.title), () => "Unreadable thread"),
    provider: Option.getOrElse(fields.provider(row.provider), () => nobody),
    cwd: Option.getOrElse(fields.cwd(row.cwd), () => ""),
    createdAt: Option.getOrElse(fields.time(row.createdAt), () => 0),
    updatedAt: Option.getOrElse(fields.time(row.updatedAt), () => 0),
    unreadable: new StorageError({ reason: "corrupt-thread", path, detail }).problem
  }
}

export const make = Effect.gen(function* () {
  const { path, prepare, read } = yield* Sqlite
  const selectSummaries = yield* prepare("SELECT thread_id, summary FROM threads")

  const summary = (row: Row): ThreadSummary => {
    const threadId = ThreadId.make(String(row.thread_id))
    const found = parse(String(row.summary))
    const whole = Option.filter(decode(found), (decoded) => decoded.threadId === threadId)
    return Option.getOrElse(whole, () => salvage(threadId, found, path))
  }
  return read(() => selectSummaries.all().map(summary))
})
