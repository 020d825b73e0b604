/**
 * Writes the package as others install it, into `dist` or the folder that is named: JavaScript, types, manifest, documents.
 *
 * Within the repository `package.json` exports sources, which Node, Vitest, Vite and TypeScript take without a build. Node refuses
 * TypeScript below `node_modules`, so that the built package has a manifest of its own. A condition of exports instead would have to
 * be passed to every process that is started here, agents included; `publishConfig.exports` is not read by npm.
 */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, resolve } from "node:path"

const root = join(import.meta.dirname, "..")
const out = resolve(process.argv[2] ?? join(root, "dist"))

/** Each file directly in `src` is a public module. */
const subpaths = () =>
  readdirSync(join(root, "src"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -".ts".length))
    .sort((one, other) => Number(other === "index") - Number(one === "index") || (one < other ? -1 : 1))
    .map((name) => [name === "index" ? "." : `./${name}`, { types: `./lib/${name}.d.ts`, default: `./lib/${name}.js` }])

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })

const typescript = createRequire(import.meta.url).resolve("typescript/package.json")
const tsc = join(dirname(typescript), JSON.parse(readFileSync(typescript, "utf8")).bin.tsc)
const project = join(root, "tsconfig.build.json")
execFileSync(process.execPath, [tsc, "-p", project, "--outDir", join(out, "lib")], { stdio: "inherit" })

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
for (const name of ["private", "scripts", "devDependencies"]) delete manifest[name]
manifest.exports = { ...Object.fromEntries(subpaths()), "./package.json": "./package.json" }
writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`)
for (const file of ["README.md", "CHANGELOG.md", "LICENSE"]) cpSync(join(root, file), join(out, file))
