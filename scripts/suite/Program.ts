/** The file that Node runs for a program of this repository, where a test starts it. */
import { existsSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"

/** Names the folder of built programs in the environment of a test run (`Programs.ts`). */
export const variable = "SIGNALBOX_TEST_PROGRAMS"

const root = fileURLToPath(new URL("../..", import.meta.url))

/**
 * The program as this test run has built it (`Programs.ts`), or its source. A run builds the programs of its list, and no run of tests
 * builds anything for `npm run bench`.
 */
export const programOf = (source: URL): string => {
  const path = fileURLToPath(source)
  const folder = process.env[variable]
  if (folder === undefined) return path
  const built = join(folder, relative(root, path).replace(/\.ts$/, ".js"))
  return existsSync(built) ? built : path
}
