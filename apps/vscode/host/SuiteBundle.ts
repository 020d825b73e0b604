/** Builds the tests that run in the extension host. Started as a program, it does so for the launch configurations of VS Code. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { ownCommand } from "./Bench.ts"

/** The built suite. From its place it finds Mocha in the repository. */
export const built = fileURLToPath(new URL("../../../.tmp/vscode/suite/index.cjs", import.meta.url))

export const build = async (): Promise<void> => {
  const bundle = await rolldown({
    input: join(import.meta.dirname, "suite", "index.ts"),
    platform: "node",
    external: ["vscode", "mocha"]
  })
  await bundle.write({ file: built, format: "cjs", sourcemap: true })
  await bundle.close()
}

/** A user and a folder for VS Code that are nobody's: the tests start threads, and change settings. */
const setUp = (): void => {
  const at = (...names: ReadonlyArray<string>) => join(dirname(built), "..", ...names)
  for (const folder of [at("user", "User"), at("scratch"), at("state")])
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  const settings = { "signalbox.command": ownCommand, "signalbox.stateFolder": at("state") }
  writeFileSync(at("user", "User", "settings.json"), JSON.stringify(settings))
}

if (import.meta.main) {
  await build()
  setUp()
}
