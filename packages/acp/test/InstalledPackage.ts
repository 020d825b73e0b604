/** The package as others have it: built, packed, and installed into a project of its own, in a folder whose path has a space. */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

const root = join(import.meta.dirname, "..")
const readText = (file: string) => readFileSync(join(root, file), "utf8")
const own: { readonly version: string; readonly devDependencies: { readonly [name: string]: string } } = JSON.parse(
  readText("package.json")
)
const readme = readText("README.md")

/** What a program wrote, and how it ended. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * The environment without npm's variables for its scripts: otherwise the tested project would count as the test's own.
 */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")))

const failure = (error: unknown): Outcome => {
  const { code, stderr, stdout } = error as { code?: unknown; stderr?: string; stdout?: string }
  return { code: typeof code === "number" ? code : -1, stdout: stdout ?? "", stderr: stderr ?? String(error) }
}

export const run = (command: string, args: ReadonlyArray<string>, cwd: string): Promise<Outcome> =>
  promisify(execFile)(command, args, { cwd, env, maxBuffer: 2 ** 26 }).then(
    ({ stderr, stdout }) => ({ code: 0, stderr, stdout }),
    failure
  )

const must = async (command: string, args: ReadonlyArray<string>, cwd: string): Promise<string> => {
  const { code, stderr, stdout } = await run(command, args, cwd)
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: exit ${code}\n${stdout}${stderr}`)
  return stdout
}

const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline", "--fetch-retries=1"]

/** Installs into the project in `cwd`, taking what npm has kept before it asks the registry. */
export const npmInstall = (cwd: string, ...args: ReadonlyArray<string>): Promise<Outcome> =>
  run("npm", ["install", ...quiet, ...args], cwd)

/**
 * Why nothing can be installed: npm reaches no registry. Undefined: it does, and a failure is one of the package. An install without
 * network may fail in words about versions, so that npm is asked for a version alone.
 */
export const offline = async (cwd: string): Promise<string | undefined> => {
  const asked = await run("npm", ["view", ...quiet, "effect", "version"], cwd)
  if (asked.code === 0) return undefined
  return `npm reaches no registry (${/code (\w+)/.exec(asked.stderr)?.[1] ?? "no reason"}): this test needs a network`
}

const folders: Array<string> = []

export const removeFolders = (): void => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

/** A folder with nothing in it but what it needs to be a project. */
export const emptyProject = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `acp ${name} `))
  folders.push(folder)
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n')
  return folder
}

export interface Packed {
  /** The folder that is packed. */
  readonly folder: string
  readonly tarball: string
}

/** Builds the package beside its sources' `dist`, and packs it. */
export const pack = async (): Promise<Packed> => {
  const folder = join(emptyProject("built"), "package")
  await must(process.execPath, [join(root, "scripts/build.mjs"), folder], root)
  const into = emptyProject("packed")
  const [{ filename }]: readonly [{ filename: string }] = JSON.parse(
    await must("npm", ["pack", "--json", folder], into)
  )
  return { folder, tarball: join(into, filename) }
}

/** The first block of code below a heading of the README. */
const readmeCode = (heading: string): string => {
  const code = readme
    .split(`\n## ${heading}\n`)[1]
    ?.split("\n## ")[0]
    ?.match(/^```\w+\n([^]*?)^```$/m)?.[1]
  if (code === undefined) throw new Error(`README.md has no code below "${heading}"`)
  return code
}

/** What the README installs, with the packed package in its place. Throws if others are not of the versions that are tested. */
const installedByReadme = (tarball: string): ReadonlyArray<string> => {
  const [npm, install, ...names] = readmeCode("Install").trim().split(/\s+/)
  if (npm !== "npm" || install !== "install") throw new Error("README.md does not install by npm")
  const tested = new Set(Object.entries(own.devDependencies).map(([name, version]) => `${name}@${version}`))
  return names.map((name) => {
    if (name === "@signalbox/acp") return tarball
    if (!tested.has(name)) throw new Error(`README.md installs ${name}, which is not what is tested`)
    return name
  })
}

/** A project as the README describes it: its packages, its client, its agent and its proxy. A reason when there is no network. */
export const projectOfReadme = async ({ tarball }: Packed): Promise<string | { readonly folder: string }> => {
  const folder = emptyProject("project")
  const outcome = await npmInstall(folder, ...installedByReadme(tarball))
  if (outcome.code !== 0) {
    const reason = await offline(folder)
    if (reason !== undefined) return reason
    throw new Error(outcome.stderr)
  }
  writeFileSync(join(folder, "client.mjs"), readmeCode("A client"))
  writeFileSync(join(folder, "agent.mjs"), readmeCode("An agent"))
  writeFileSync(join(folder, "proxy.mjs"), readmeCode("A proxy"))
  return { folder }
}
