/** Finds the test files that cannot start a process, because nothing that they load can. */
import { readImports } from "../rooms/ImportReader.ts"
import { resolver } from "../rooms/Resolver.ts"
import { isCode, read } from "../rooms/Workspace.ts"

/** Modules from outside that start processes, or that give what does. */
const starter =
  /^(node:)?(child_process|cluster)$|^@effect\/platform-node($|\/Node(Services|ChildProcessSpawner)$)|^@lydell\/node-pty$|^playwright-core$/

/** Folders that test files load from, besides the sources of packages. */
const shared = ["apps/server/chaos", "packages/acp/examples", "scripts"]

/**
 * Paths of test files relative to `root`. An import of types does not count: nothing is loaded. A file that loads one which cannot be
 * found is left out.
 */
export const singleProcessTests = (root: string): ReadonlyArray<string> => {
  const tests = read(root, []).packages.map(({ folder }) => `${folder}/test`)
  const workspace = read(root, [...tests, ...shared])
  const resolve = resolver(workspace)
  const files = [...workspace.trees.values()].flat().filter((file) => file.endsWith(".test.ts"))
  const loaded = new Set(files)
  const importers = new Map<string, Array<string>>()
  const starters = new Set<string>()
  // Both loops go on over what is added meanwhile.
  for (const file of loaded) {
    if (!isCode(file)) continue
    for (const { specifier, types } of readImports(file, workspace.textOf(file))) {
      if (types) continue
      const target = resolve(file, specifier)
      if (target.type === "missing" || (target.type === "outside" && starter.test(target.module))) starters.add(file)
      if (target.type !== "file") continue
      loaded.add(target.file)
      importers.set(target.file, [...(importers.get(target.file) ?? []), file])
    }
  }
  for (const file of starters) for (const importer of importers.get(file) ?? []) starters.add(importer)
  return files.filter((file) => !starters.has(file)).sort()
}
