/** What the dependencies of a project bring, read without a chain. */
import * as Effect from "effect/Effect"
import * as CargoDependencies from "../../../src/components/ecosystem-knowledge/dependencies/CargoDependencies.ts"
import * as NpmDependencies from "../../../src/components/ecosystem-knowledge/dependencies/NpmDependencies.ts"
import * as Knowledge from "../../../src/components/ecosystem-knowledge/knowledge/Knowledge.ts"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"

/** The packages that bring something, and the warnings. */
export const gathered = Effect.fnUntraced(function* (cwd: string) {
  const warnings: Array<string> = []
  const warn = (sentence: string) => void warnings.push(sentence)
  const all = [
    yield* NpmDependencies.of(cwd, warn),
    yield* CargoDependencies.of(cwd, temporaryFolder("cache"), warn)
  ].filter((one) => one !== undefined)
  const found = yield* Knowledge.of(all, { skills: true, context: true, servers: true }, warn)
  return { found, warnings, names: found.map(({ name }) => name) }
})
