/** `signalbox audit verify`: whether the log, or an exported file, is as it was written. */
import { messageOf, reasonOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { createReadStream, statSync } from "node:fs"
import { open } from "node:fs/promises"
import { resolve } from "node:path"
import { createInterface } from "node:readline"
import * as AuditChain from "../../audit/AuditChain.ts"
import * as AuditProof from "../../audit/AuditProof.ts"
import * as AuditReader from "../../audit/AuditReader.ts"
import { auditIn } from "../../base/StateDirectory.ts"
import type { StorageError } from "../../storage/StorageError.ts"
import * as StateFolder from "../server/StateFolder.ts"
import { countText } from "../terminal/Amount.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { type UsageError, usage } from "../terminal/Failure.ts"
import { escaped, jsonText } from "../terminal/JsonText.ts"
import * as Stdout from "../terminal/Stdout.ts"

export interface VerifyFlags {
  readonly stateDir: Option.Option<string>
  readonly head: Option.Option<string>
  readonly json: boolean
  readonly file: Option.Option<string>
}

export const verifyLog = Effect.fn("Audit.verify")(function* ({ file, head, json, stateDir }: VerifyFlags) {
  if (Option.isSome(head) && !/^[0-9a-f]{64}$/.test(head.value))
    return yield* usage("audit verify", "--head takes a hash: 64 digits from 0 to f.")
  const kept = Option.getOrUndefined(head)
  const path = Option.isSome(file) ? resolve(file.value) : auditIn(yield* StateFolder.of(stateDir))
  if (Option.isSome(file)) yield* ordinary(path)
  const prover = AuditProof.make(kept)
  const isDatabase = Option.isNone(file) || (yield* Effect.promise(() => beginsAsDatabase(path)))
  yield* isDatabase ? inDatabase(path, prover) : inLines(path, prover)
  const proof = prover.proof()
  const isWhole = proof.first === undefined && (kept === undefined || proof.kept !== undefined)
  const lines = json ? [jsonText(resultOf(path, proof, isWhole))] : linesOf(path, proof, kept)
  yield* Stdout.unlessNobodyReads(Stdout.write(lines.map((line) => `${line}\n`).join("")))
  if (!isWhole) process.exitCode = ExitCode.failed
})

/** Fails unless a file is there. A pipe waits for a writer, and a device has no end. */
const ordinary = (path: string): Effect.Effect<void, UsageError> =>
  Effect.try({
    try: () => statSync(path),
    catch: (error) => usage("audit verify", `${path}: ${reasonOf(error)}.`)
  }).pipe(
    Effect.filterOrFail(
      (stats) => stats.isFile(),
      (stats) => usage("audit verify", `${path}: it is ${stats.isDirectory() ? "a folder" : "no file"}.`)
    ),
    Effect.asVoid
  )

const magic = "SQLite format 3\u0000"

const beginsAsDatabase = async (path: string): Promise<boolean> => {
  // What can't be opened or read is named when its lines are read.
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return false
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0)
    return buffer.toString("latin1", 0, bytesRead) === magic
  } catch {
    return false
  } finally {
    await file.close()
  }
}

const inDatabase = (path: string, prover: AuditProof.Prover): Effect.Effect<void> =>
  AuditReader.each(path, (link) => Effect.sync(() => prover.see(link))).pipe(
    Effect.catch(({ detail }: StorageError) => Effect.sync(() => prover.unreadable(`It can't be read: ${detail}.`)))
  )

/** No entry is longer. A longer line is no entry. */
const longest = 4 * 1024 * 1024

const inLines = (path: string, prover: AuditProof.Prover): Effect.Effect<void, UsageError> =>
  Effect.tryPromise({
    try: async () => {
      let number = 0
      for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
        number += 1
        const link = line.length > longest ? undefined : AuditChain.linkOf(line, escaped)
        if (link === undefined) prover.unreadable(`Line ${number} is not as signalbox audit export writes an entry.`)
        else prover.see(link)
      }
    },
    catch: (error) => usage("audit verify", `${path}: ${messageOf(error)}`)
  })

const resultOf = (path: string, { breaks, entries, first, head, kept }: AuditProof.Proof, isWhole: boolean) => ({
  file: path,
  isWhole,
  entries,
  head: head.hash,
  breaks,
  ...(first !== undefined && { first }),
  ...(kept !== undefined && { kept })
})

const linesOf = (path: string, proof: AuditProof.Proof, kept: string | undefined): ReadonlyArray<string> => {
  const { breaks, entries, first, head } = proof
  const more = breaks > 1 ? [`There are ${breaks - 1} more places where the log does not hold together.`] : []
  return [
    ...(first === undefined
      ? [`${countText(entries, "entry", "entries")} of ${path}: each is as it was written.`]
      : [`${path} was changed.`, `Entry ${first.sequence}: ${first.what}`, ...more]),
    ...keptLines(proof, kept),
    `Head: ${head.hash}`
  ]
}

const keptLines = ({ head, kept: place }: AuditProof.Proof, kept: string | undefined): ReadonlyArray<string> => {
  if (kept === undefined) return []
  if (place === undefined) return [`The entry with the hash ${kept} is not there: the log was cut or rewritten.`]
  const since = head.sequence - place
  return [
    since === 0
      ? "The hash that you kept is that of the newest entry."
      : `The hash that you kept is that of entry ${place}. ${countText(since, "entry", "entries")} came after it.`
  ]
}
