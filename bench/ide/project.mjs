// A project of TypeScript, and the real language server for it, as a person has both: typescript-language-server with TypeScript 5.9 beside it.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "../processes.mjs"

const linesBefore = 40

const moduleText = (at, files) => {
  const imports = [1, 7, 31].map((step) => (at + step) % files)
  const used = imports.map((other) => `import { type Item${other}, sum${other} } from "./module-${other}.js"`)
  const filling = Array.from(
    { length: linesBefore },
    (_, line) => `const value${line}: Record<string, number> = { one: ${line}, two: ${at} }`
  )
  const calls = imports.map(
    (other) => `export const total${other} = (items: ReadonlyArray<Item${other}>) => sum${other}(items)`
  )
  return [
    ...used,
    `/** What module ${at} counts. */`,
    `export interface Item${at} { readonly name: string; readonly count: number }`,
    ...filling,
    `export const sum${at} = (items: ReadonlyArray<Item${at}>): number => items.reduce((sum, { count }) => sum + count, value0["one"] ?? 0)`,
    ...calls,
    ""
  ].join("\n")
}

/** Finds where a module uses a function of another one. */
const placeIn = (at, files) => {
  const other = (at + 1) % files
  const line = 3 + 2 + linesBefore + 1
  const text = moduleText(at, files).split("\n")[line]
  return { path: `src/module-${at}.ts`, line, character: text.lastIndexOf(`sum${other}`) + 1 }
}

/** Makes a folder for one measurement. `project(name, files)` writes a project into it, and returns its folder and places in it. */
export const workshop = () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bench-ide-")))
  const modules = join(folder, "machine/node_modules")
  mkdirSync(modules, { recursive: true })
  cpSync(join(root, "node_modules/typescript-language-server"), join(modules, "typescript-language-server"), {
    recursive: true
  })
  symlinkSync(join(root, "node_modules/typescript-5"), join(modules, "typescript"))
  // The name by which Signalbox knows it.
  const program = join(folder, "machine/typescript-language-server")
  symlinkSync(join(modules, "typescript-language-server/lib/cli.mjs"), program)
  chmodSync(join(modules, "typescript-language-server/lib/cli.mjs"), 0o755)
  const options = {
    tsserver: { path: join(modules, "typescript/lib/tsserver.js"), useSyntaxServer: "never" },
    disableAutomaticTypingAcquisition: true
  }
  return {
    folder,
    /** The language server, for whoever starts it by hand. */
    server: { command: process.execPath, args: [program, "--stdio"], options },
    /** Its entry in the settings of Signalbox. */
    entry: { command: program, args: ["--stdio"] },
    /** The argument that names it to the component. */
    argument: `typescript=${program} --stdio`,
    project: (name, files) => {
      const cwd = join(folder, name)
      mkdirSync(join(cwd, "src"), { recursive: true })
      const compilerOptions = { strict: true, target: "es2022", module: "nodenext" }
      writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }))
      for (let at = 0; at < files; at++) writeFileSync(join(cwd, `src/module-${at}.ts`), moduleText(at, files))
      return { cwd, place: (at) => placeIn(at % files, files) }
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
