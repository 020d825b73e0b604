/** Nodes that run the package as others do, without what this repository has of them. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { npmInstall, offline } from "./InstalledPackage.ts"

/** The oldest line that the package says it runs on. It is kept, as it has 185 MB. */
const version = "22.23.3"
const folder = join(import.meta.dirname, `../../../node_modules/.cache/signalbox-node-${version}`)
const name = `node-${process.platform}-${process.arch}`
const binary = join(folder, "node_modules", name, "bin/node")

/**
 * The path of Node 22, or why there is none: the one that `SIGNALBOX_NODE_22` names, or the one of an earlier run. A run with
 * `CI` gets it from npm.
 */
export const node22 = async (): Promise<{ readonly path: string } | string> => {
  const named = process.env["SIGNALBOX_NODE_22"]
  if (named !== undefined) return { path: named }
  if (existsSync(binary)) return { path: binary }
  if (process.env["CI"] === undefined) {
    return "there is no Node 22: name one by SIGNALBOX_NODE_22, or set CI to have it downloaded once (185 MB)"
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n')
  const outcome = await npmInstall(folder, `${name}@${version}`)
  if (existsSync(binary)) return { path: binary }
  const reason = /E404|ETARGET|EBADPLATFORM/.test(outcome.stderr) ? `npm has no ${name}` : await offline(folder)
  if (reason === undefined) throw new Error(outcome.stderr)
  return reason
}
