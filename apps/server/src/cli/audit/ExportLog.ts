/** `signalbox audit export`: the whole log as lines of JSON. */
import { notice } from "@signalbox/redaction/Secrets"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { messageOf } from "@signalbox/system/SystemError"
import { open, rm } from "node:fs/promises"
import { resolve } from "node:path"
import * as AuditChain from "../../audit/AuditChain.ts"
import * as AuditReader from "../../audit/AuditReader.ts"
import { auditIn } from "../../base/StateDirectory.ts"
import * as StateFolder from "../server/StateFolder.ts"
import { countText } from "../terminal/Amount.ts"
import { failedWith } from "../terminal/Failure.ts"
import { escaped } from "../terminal/JsonText.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as AuditProblem from "./AuditProblem.ts"

export interface ExportFlags {
  readonly stateDir: Option.Option<string>
  readonly output: Option.Option<string>
}

export const exportLog = Effect.fn("Audit.export")(function* ({ output, stateDir }: ExportFlags) {
  const path = auditIn(yield* StateFolder.of(stateDir))
  if (Option.isNone(output)) {
    const lines = AuditReader.each(path, (link) => Stdout.json(`${AuditChain.lineOf(link)}\n`))
    yield* Stdout.unlessNobodyReads(Effect.catchTag(lines, "StorageError", AuditProblem.of))
    return Terminal.err(notice)
  }
  const file = resolve(output.value)
  const attempt = <A>(work: () => Promise<A>) => Effect.tryPromise({ try: work, catch: notWritten(file) })
  let count = 0
  yield* Effect.acquireUseRelease(
    attempt(() => open(file, "wx", 0o600)),
    (handle) =>
      AuditReader.each(path, (link) => {
        count += 1
        return attempt(() => handle.appendFile(`${escaped(AuditChain.lineOf(link))}\n`))
      }).pipe(Effect.andThen(attempt(() => handle.sync())), Effect.catchTag("StorageError", AuditProblem.of)),
    // What is there of a failed export would be proved as a whole log.
    (handle, exit) =>
      Effect.promise(async () => {
        await handle.close()
        if (Exit.isFailure(exit)) await rm(file, { force: true })
      })
  )
  Terminal.err(`Exported ${countText(count, "entry", "entries")} to ${file}.\n${notice}`)
})

const notWritten = (path: string) => (error: unknown) =>
  failedWith({
    code: "storage",
    title: "The export could not be written.",
    cause: messageOf(error),
    evidence: { path },
    nextSteps: [{ action: "restart", label: "Name another file" }]
  })
