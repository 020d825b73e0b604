// `npm run registry`: writes the registry that comes with Signalbox, from what is known of each agent and from what npm says of its package.
// Nothing is written unless all of it is right. `--out FILE` is another file to write.
import { execFile } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { all } from "../apps/server/src/provider/known/KnownAgents.ts"

const root = new URL("..", import.meta.url)
const shipped = fileURLToPath(new URL("apps/server/registry/generated/registry.json", root))
const out = process.argv[2] === "--out" ? process.argv[3] : shipped

const run = promisify(execFile)
const exactVersion = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+][-+.0-9A-Za-z]{1,64})?$/
const checksum = /^sha512-[A-Za-z0-9+/]{86}==$/
const isText = (value) => typeof value === "string" && value.length > 0 && value.length <= 200

/** What npm has of a package: exactly one version, its checksum, and the programs in it. */
const ofNpm = async ({ package: name, version: wanted }) => {
  const spec = wanted === undefined ? name : `${name}@${wanted}`
  const asked = ["version", "dist.integrity", "engines", "bin"]
  const { stdout } = await run("npm", ["view", spec, "--json", ...asked], { timeout: 60_000 })
  const { "dist.integrity": integrity, bin, engines, version } = JSON.parse(stdout)
  if (!isText(version) || !exactVersion.test(version)) throw new Error("npm names no exact version")
  if (wanted !== undefined && wanted !== version) throw new Error(`npm answers with ${version}`)
  if (!isText(integrity) || !checksum.test(integrity)) throw new Error("npm names no SHA-512 checksum")
  const node = engines?.node
  if (node !== undefined && !isText(node)) throw new Error("what it needs of Node.js can't be read")
  return { version, integrity, node, programs: programsIn(name, bin) }
}

/** Programs by name. A package with one program may give its file alone; the program is then called as the package. */
const programsIn = (name, bin) => {
  const programs = typeof bin === "string" ? { [unscoped(name)]: bin } : bin
  if (typeof programs !== "object" || programs === null || Array.isArray(programs)) throw new Error("it has no program")
  if (!Object.entries(programs).every((entry) => entry.every(isText))) throw new Error("its programs can't be read")
  return programs
}

const unscoped = (name) => name.slice(name.indexOf("/") + 1)

/** The program that `npx` takes: the one called as the package, else the only one, under whatever names. */
const programOf = ({ cmd, package: name }, programs) => {
  if (cmd !== undefined) return Object.hasOwn(programs, cmd) ? cmd : undefined
  if (Object.hasOwn(programs, unscoped(name))) return unscoped(name)
  return new Set(Object.values(programs)).size === 1 ? Object.keys(programs)[0] : undefined
}

const npx = async ({ env, npm, programs: names }) => {
  const { integrity, node, programs, version } = await ofNpm(npm)
  const program = programOf(npm, programs)
  if (program === undefined)
    throw new Error(`which of its programs is meant can't be told: ${Object.keys(programs).join(", ")}`)
  if (!names.includes(program)) throw new Error(`its program is called ${program}, and not ${names.join(" or ")}`)
  const { args, cmd, package: name } = npm
  const about = { ...(cmd && { cmd }), ...(args && { args }), ...(env && { env }) }
  return { version, npx: { package: `${name}@${version}`, ...about, integrity, ...(node && { engines: { node } }) } }
}

const uvx = ({ env, pypi: { args, package: name, version } }) => ({
  version,
  uvx: { package: `${name}==${version}`, ...(args && { args }), ...(env && { env }) }
})

const binary = ({ binary: { targets, version }, env }) => ({
  version,
  binary: Object.fromEntries(
    Object.entries(targets).map(([platform, target]) => [platform, { ...target, ...(env && { env }) }])
  )
})

const entryOf = async (agent) => {
  const { version, ...distribution } = agent.npm ? await npx(agent) : agent.pypi ? uvx(agent) : binary(agent)
  return { id: agent.id, name: agent.name, ...(version && { version }), distribution }
}

const entries = []
const wrong = []
// One after the other: a registry is not to be stormed.
for (const agent of all.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
  try {
    entries.push(await entryOf(agent))
  } catch (error) {
    const why = (error.stderr || error.message).replace(/\s+/g, " ").trim().slice(0, 300)
    wrong.push(`${agent.id} (${agent.npm?.package ?? "no package"}): ${why}`)
  }
}
if (wrong.length > 0) {
  console.error(`The registry was not written.\n${wrong.map((line) => `  ${line}`).join("\n")}`)
  process.exit(1)
}
const header = "By npm run registry, from apps/server/src/provider/known and npm. Don't edit it."
mkdirSync(dirname(out), { recursive: true })
writeFileSync(out, `${JSON.stringify({ generated: header, version: "1.0.0", agents: entries }, null, 2)}\n`)
console.error(`${entries.length} agents are in ${out}.`)
