/**
 * `npm run rooms`: holds the imports of the repository against `rooms.json`, and fails on a cycle.
 *
 *     npm run rooms                    check
 *     npm run rooms -- --write         write the tables of ARCHITECTURE.md and the lint rules anew, then check
 *     npm run rooms -- --draft         print the list as the imports are now, with the sentences that it has
 *     npm run rooms -- --draft --write write that list, the tables and the lint rules: what is new needs its sentence then
 *     npm run rooms -- --root FOLDER   look over another repository
 */
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { draft } from "./Draft.ts"
import * as Finding from "./Finding.ts"
import * as RoomList from "./RoomList.ts"
import * as Survey from "./Survey.ts"

const { values } = parseArgs({
  options: { write: { type: "boolean" }, draft: { type: "boolean" }, root: { type: "string" } }
})

const run = (): number => {
  const root = values.root ?? fileURLToPath(new URL("../..", import.meta.url))
  let survey = Survey.make(root)
  if (values.draft) {
    const drafted = draft(survey.list, survey.imports, survey.places)
    if (!values.write) {
      process.stdout.write(RoomList.print(drafted))
      return 0
    }
    Survey.writeList(root, drafted)
    survey = Survey.make(root)
  }
  if (values.write) Survey.write(survey)
  const findings = Survey.findings(survey)
  for (const finding of findings) console.error(`${Finding.print(finding)}\n`)
  if (findings.length > 0) console.error(`${findings.length} findings about rooms and imports.`)
  return findings.length === 0 ? 0 : 1
}

try {
  process.exitCode = run()
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : String(cause))
  process.exitCode = 2
}
