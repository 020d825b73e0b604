/**
 * Installs code-server into the cache. `npm run test:vscode` begins with it. What is there in its version is not installed again.
 *
 * Its native modules are not built, which would take minutes and a compiler: none of what the tests use needs them. Where it can't be
 * installed, the tests are skipped with a message, or fail if `SIGNALBOX_REQUIRE_VSCODE` is 1.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import {
  completeFile,
  extensionsFolder,
  folder,
  isInstalled,
  isRequired,
  version,
  vscodeFolder
} from "./Installation.ts"

/** Minutes for each of the three steps. */
const patience = 10

const install = (at: string, ...what: ReadonlyArray<string>): string | undefined => {
  const words = ["install", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error", ...what]
  const { error, signal, status, stderr } = spawnSync("npm", words, {
    cwd: at,
    encoding: "utf8",
    timeout: patience * 60_000,
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` }
  })
  if (status === 0) return undefined
  return error?.message ?? (stderr.trim().slice(-2000) || `npm ended with ${signal ?? status}`)
}

if (isInstalled()) console.log(`code-server ${version} is in ${folder}.`)
else {
  const began = performance.now()
  console.log(`Installing code-server ${version} into ${folder}…`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, JSON.stringify({ name: "code-server-for-tests", private: true }))
  // The last one brings the language server for TypeScript, which VS Code's own extension runs.
  const problem = install(folder, `code-server@${version}`) ?? install(vscodeFolder) ?? install(extensionsFolder)
  if (problem === undefined) {
    writeFileSync(completeFile, "")
    console.log(`It is installed after ${Math.round((performance.now() - began) / 1000)} s.`)
  } else {
    console.log(`code-server ${version} could not be installed, so the tests in VS Code are skipped: ${problem}`)
    if (isRequired) process.exit(1)
  }
}
