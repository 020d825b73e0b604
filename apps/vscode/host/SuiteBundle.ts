/** Builds the tests that run in the extension host. Started as a program, it does so for the launch configurations of VS Code. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

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

if (import.meta.main) await build()
