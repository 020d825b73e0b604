// `npm run pack`: makes one package of the product in a folder of its own, `dist/signalbox`, and its tarball beside it.
// It packs what `turbo run build` has built. `--out DIR` puts both elsewhere.
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { builtinModules, createRequire } from "node:module"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

const root = fileURLToPath(new URL("..", import.meta.url))
const { needed } = createRequire(import.meta.url)("./package/node-version.cjs")
const out = resolve(parseArgs({ options: { out: { type: "string", default: join(root, "dist") } } }).values.out)
const folder = join(out, "signalbox")

const read = (...path) => JSON.parse(readFileSync(join(root, ...path), "utf8"))

const built = (app, last) => {
  const dist = join(root, "apps", app, "dist")
  if (existsSync(join(dist, last))) return dist
  throw new Error(`There is no build in ${dist}. \`npm run pack\` makes it first.`)
}

/** The packages that built files import: what is not bundled has to be installed beside them. */
const importedBy = (files) => {
  const specifier = /^import\s[^"'`;]*?["']([^"'.][^"']*)["'];?$|\bimport\(["']([^"'.][^"']*)["']\)/gm
  const names = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(specifier)].map(([, fixed, loaded]) => fixed ?? loaded)
  )
  return [...new Set(names)].filter((name) => !name.startsWith("node:") && !builtinModules.includes(name))
}

const scripts = (directory) =>
  readdirSync(directory, { recursive: true })
    .filter((file) => file.endsWith(".js"))
    .map((file) => join(directory, file))

const chosen = (names, from = {}) =>
  Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : [])))

/** A manifest of the repository, and those of our packages that it depends on, directly or not. They are in the build of it. */
const bundled = (path) => {
  const own = read(...path, "package.json")
  const ours = Object.keys(own.dependencies ?? {}).filter((name) => name.startsWith("@signalbox/"))
  return [own, ...ours.flatMap((name) => bundled(["packages", name.slice("@signalbox/".length)]))]
}

const manifest = (imported) => {
  const { description, license, name, version } = read("package.json")
  const parts = bundled(["apps", "server"])
  const named = (kind) => chosen(imported, Object.assign({}, ...parts.map((part) => part[kind])))
  const [dependencies, optionalDependencies] = [named("dependencies"), named("optionalDependencies")]
  const strange = imported.filter((one) => !(one in dependencies) && !(one in optionalDependencies))
  if (strange.length > 0)
    throw new Error(`The built server imports ${strange.join(", ")}, which no package.json of its parts names.`)
  return {
    name,
    version,
    description,
    license,
    type: "module",
    bin: { signalbox: "bin/signalbox.cjs" },
    files: ["bin", "server", "page", "registry.json"],
    engines: { node: `>=${needed}` },
    dependencies,
    optionalDependencies
  }
}

const server = join(folder, "server")
const agents = join(server, "agents")
const ownFiles = join(root, "scripts", "package")

rmSync(folder, { recursive: true, force: true })
mkdirSync(join(folder, "bin"), { recursive: true })
cpSync(built("server", "complete"), server, { recursive: true })
rmSync(join(server, "complete"))
cpSync(built("web", "index.html"), join(folder, "page"), { recursive: true })
copyFileSync(join(root, "packages", "stand-in-agents", "bin", "cursor-agent"), join(agents, "cursor-agent"))
copyFileSync(join(root, "apps", "server", "registry", "generated", "registry.json"), join(folder, "registry.json"))
for (const file of ["signalbox.cjs", "node-version.cjs"]) copyFileSync(join(ownFiles, file), join(folder, "bin", file))
for (const program of [join(agents, "cursor-agent"), join(folder, "bin", "signalbox.cjs")]) chmodSync(program, 0o755)
copyFileSync(join(ownFiles, "README.md"), join(folder, "README.md"))
copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"))
writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest(importedBy(scripts(server))), undefined, 2)}\n`)

const [packed] = JSON.parse(
  execFileSync("npm", ["pack", "--json", "--silent", "--pack-destination", out], { cwd: folder, encoding: "utf8" })
)
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
console.log(
  `${join(out, packed.filename)}: ${megabytes(packed.size)}, ${megabytes(packed.unpackedSize)} in ${packed.entryCount} files`
)
