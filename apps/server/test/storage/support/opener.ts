/**
 * Makes databases at the same moments as another program: `node opener.ts audit|tally FOLDER TIME ROUNDS`. TIME: when the first one is
 * made, in milliseconds since 1970. Says what it did not wait for, a line each: on a busy machine the other program may take longer than
 * anybody waits.
 */
import { join } from "node:path"
import * as AuditFile from "../../../src/audit/AuditFile.ts"
import * as TallyFile from "../../../src/tally/TallyFile.ts"

const [kind = "", folder = "", time = "", rounds = ""] = process.argv.slice(2)

const apart = 30

/** Milliseconds that each kind waits for another program. */
const patience = kind === "audit" ? 250 : 25

const open = (path: string) => (kind === "audit" ? AuditFile.open(path, Date.now) : TallyFile.open(path))

for (let round = 0; round < Number(rounds); round++) {
  const at = Number(time) + round * apart
  while (performance.timeOrigin + performance.now() < at);
  const since = performance.now()
  try {
    open(join(folder, `${round}.sqlite`)).close()
  } catch (error) {
    if (performance.now() - since < patience) process.stdout.write(`${String(error)}\n`)
  }
}
