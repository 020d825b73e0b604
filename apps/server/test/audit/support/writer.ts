/** Writes entries to the audit log that its first argument names: as many as the second says, or until it is killed. It says each sequence. */
import { RequestId } from "@signalbox/contracts/Ids"
import type { AuditDraft } from "../../../src/audit/AuditChain.ts"
import * as AuditFile from "../../../src/audit/AuditFile.ts"
import { StorageError } from "../../../src/storage/StorageError.ts"
import { decision } from "./Drafts.ts"

const [path = "", count = "0"] = process.argv.slice(2)
const file = AuditFile.open(path, Date.now)

/** The other writer may hold the file for long on a busy machine. */
const append = (draft: AuditDraft, durable: boolean) => {
  for (;;)
    try {
      return file.append([draft], durable)
    } catch (error) {
      if (!(error instanceof StorageError && error.reason === "locked")) throw error
    }
}

for (let step = 0; step < Number(count); step++) {
  const [written] = append(decision({ requestId: RequestId.make(`${process.pid}-${step}`) }), step % 100 === 0)
  await new Promise((resolve) => process.stdout.write(`${written?.sequence}\n`, resolve))
}
file.close()
