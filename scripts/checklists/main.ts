/** Holds `docs/symposium.md` against the tests, and fails where a row or a test is missing. `npm run check` runs it. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Symposium from "./Symposium.ts"
import * as TestFiles from "./TestFiles.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const found = Symposium.findings(readFileSync(`${root}/docs/symposium.md`, "utf8"), TestFiles.read(root))
for (const each of found) console.error(`docs/symposium.md: ${each}`)
process.exitCode = found.length === 0 ? 0 : 1
