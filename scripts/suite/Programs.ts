/**
 * Builds the programs that tests start hundreds of times. A program of Effect that starts from its sources reads hundreds of files. That is
 * two thirds of its processor time.
 */
import { createHash, randomUUID } from "node:crypto"
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync
} from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import type { TestProject } from "vitest/node"
import { variable } from "./Program.ts"

/** The sources of what is built. Programs without Effect start as fast from their sources. */
const programs = [
  ...["arrow", "copilot", "eliza", "faulty", "nes", "quote", "testy", "tools"].map(
    (name) => `packages/stand-in-agents/src/${name}/main.ts`
  ),
  "packages/conductor/test/fixtures/component.ts"
]

/** What programs are made of, beside themselves. */
const inputs = ["package-lock.json", "scripts/suite/Programs.ts", "packages/*/package.json", "packages/*/src/**/*.ts"]

/** Milliseconds that a build is kept for after a run has begun with it. Another run may still use it. */
const kept = 24 * 60 * 60 * 1000

const fingerprint = (root: string, programs: ReadonlyArray<string>): string => {
  const hash = createHash("sha256")
  for (const path of globSync([...inputs, ...programs], { cwd: root }).sort())
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0")
  return hash.digest("hex").slice(0, 16)
}

const write = async (root: string, programs: ReadonlyArray<string>, folder: string): Promise<void> => {
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map((path) => [path.replace(/\.ts$/, ""), join(root, path)])),
    cwd: root,
    platform: "node",
    // As in the build of the server: what undici exports is lost when it is bundled.
    external: ["undici"],
    logLevel: "warn"
  })
  // The names of functions and of files stay: traces show them.
  await bundle.write({ dir: folder, format: "esm", chunkFileNames: "[name]-[hash].js" })
  await bundle.close()
}

/**
 * Returns the folder of the programs as their sources are now. The folder has the name of their fingerprint, so it never holds older ones.
 * A run with the same sources finds it there.
 */
export const build = async (root: string, programs: ReadonlyArray<string>): Promise<string> => {
  const all = join(root, ".tmp", "programs")
  const name = fingerprint(root, programs)
  const folder = join(all, name)
  mkdirSync(all, { recursive: true })
  for (const other of readdirSync(all))
    if (other !== name && statSync(join(all, other)).mtimeMs < Date.now() - kept)
      rmSync(join(all, other), { recursive: true, force: true })
  if (existsSync(folder)) {
    utimesSync(folder, new Date(), new Date())
    return folder
  }
  const draft = `${folder}.${randomUUID()}`
  try {
    await write(root, programs, draft)
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another run may have built the same meanwhile.
    if (!existsSync(folder)) throw error
  }
  return folder
}

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Before the tests, and before they run again after a change. */
const setup = async (project: TestProject) => {
  // The fast tests start no process.
  if (project.vitest.projects.every(({ name }) => name === "fast")) return
  const announce = async () => void (process.env[variable] = await build(root, programs))
  await announce()
  project.onTestsRerun(announce)
}

export default setup
