/**
 * Installs agents of the registry, exactly as people were shown and have agreed. A download is verified before it is
 * unpacked. It is unpacked in a temporary folder and then moved, so its folder holds all of it or nothing. The last
 * step adds the agent to the settings.
 */
import { isWithin } from "@signalbox/contracts/Paths"
import type { InstallFrame, InstallPlan, InstallRequest } from "@signalbox/contracts/Registry"
import type { AgentSettings } from "@signalbox/contracts/Settings"
import type { Refused } from "@signalbox/contracts/Refused"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { createHash, randomUUID } from "node:crypto"
import { constants } from "node:fs"
import { access, chmod, open, readdir, realpath, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { isMissing, messageOf } from "@signalbox/system/SystemError"
import * as PrivateFolder from "@signalbox/system/PrivateFolder"
import * as ProgramFile from "@signalbox/process/ProgramFile"
import { SettingsFile } from "../settings/SettingsFile.ts"
import * as SettingsText from "../settings/SettingsText.ts"
import * as Archive from "@signalbox/archive/Archive"
import * as ArchiveKind from "@signalbox/archive/ArchiveKind"
import * as Download from "./Download.ts"
import { agentsFolder, refused, Registry } from "./Registry.ts"
import type { RegistryEntry } from "./RegistryFormat.ts"

export class AgentInstaller extends Context.Service<
  AgentInstaller,
  {
    /** Installs an agent. The stream ends with `installed`. An interruption before that leaves nothing behind. */
    readonly install: (request: InstallRequest) => Stream.Stream<InstallFrame, Refused>
  }
>()("@signalbox/server/registry/AgentInstaller") {}

type BinaryPlan = Extract<InstallPlan, { readonly way: "binary" }>
type Tell = (frame: InstallFrame) => Effect.Effect<unknown>

const limits: Download.Limits = { bytes: 1024 * 1024 * 1024, silence: "60 seconds" }

/** Bytes between two progress reports. */
const bytesPerFrame = 1024 * 1024

/** The agent's name in the settings. The names of built-in agents are reserved. */
const nameFor = (id: string): string => (SettingsText.isReserved(id) ? `${id}-registry` : id)

const make = Effect.fnUntraced(function* ({ folder }: { readonly folder: string }) {
  const registry = yield* Registry
  const settings = yield* SettingsFile
  const root = agentsFolder(folder)
  const one = yield* Semaphore.make(1)

  const run = Effect.fn("AgentInstaller.install")(function* (request: InstallRequest, tell: Tell) {
    const { id, name = nameFor(id), plan, replace = false, unverified = false } = request
    const { entry, plan: planned } = yield* registry.plan(id)
    if (!isDeepStrictEqual(planned, plan)) return yield* changed(entry)
    const agent = yield* agentFor(entry, plan, name, replace)
    if (plan.way === "binary") {
      if (plan.sha256 === undefined && !unverified) return yield* unchecked(entry, plan)
      yield* Effect.scoped(put(entry, plan, tell))
    } else yield* present(plan)
    yield* settings
      .put("agents", name, agent)
      .pipe(Effect.mapError(({ problem }) => refused(problem.title, problem.cause, problem)))
    yield* tell({ type: "installed", name, version: plan.version })
  }, one.withPermits(1))

  /**
   * The entry for the settings. For an agent that was installed from the registry, only the registry's members are
   * replaced. People's own members stay.
   */
  const agentFor = Effect.fnUntraced(function* (
    entry: RegistryEntry,
    plan: InstallPlan,
    name: string,
    replace: boolean
  ) {
    const { faults, settings: inForce } = yield* settings.read
    const before = Object.hasOwn(inForce.agents, name) ? inForce.agents[name] : undefined
    const ours = before?.registry?.id === entry.id
    const broken = faults.some(({ entry: [section, named] }) => section === "agents" && named === name)
    if ((broken || (before !== undefined && !ours)) && !replace) return yield* taken(name)
    const agent: AgentSettings = {
      ...(ours ? before : { name: entry.name }),
      command: plan.command,
      args: plan.args,
      ...(Object.keys(plan.env).length > 0 && { env: { ...plan.env, ...(ours && before?.env) } }),
      registry: { id: entry.id, version: plan.version }
    }
    const wrong = SettingsText.wrongIn(name, agent)
    if (wrong.length > 0)
      return yield* refused("This can't be put into the settings.", wrong.join(" "), { code: "config-invalid" })
    return agent
  })

  const put = Effect.fnUntraced(function* (entry: RegistryEntry, plan: BinaryPlan, tell: Tell) {
    const aside = yield* staging(root)
    const archive = join(aside, "download")
    const sha256 = yield* download(entry, plan, archive, tell)
    if (plan.sha256 !== undefined && plan.sha256 !== sha256) return yield* other(entry, plan, sha256)
    yield* tell({ type: "downloaded", sha256, verified: plan.sha256 !== undefined })
    yield* tell({ type: "unpacking" })
    const content = join(aside, "content")
    const program = plan.command.slice(plan.folder.length + 1)
    yield* onDisk(() => PrivateFolder.make(content))
    yield* Archive.unpack({
      file: archive,
      kind: ArchiveKind.kindOf(plan.archive) ?? "program",
      into: content,
      program
    }).pipe(Effect.mapError(({ message }) => refused(notInstalled(entry), message)))
    yield* runnable(entry, content, program)
    yield* onDisk(async () => {
      PrivateFolder.make(dirname(plan.folder))
      // A running agent of the same version keeps its open files, although they are moved and deleted.
      await rename(plan.folder, join(aside, "before")).catch(ignoreMissing)
      await rename(content, plan.folder)
    })
  })

  return AgentInstaller.of({
    install: (request) =>
      Stream.callback<InstallFrame, Refused>((queue) =>
        run(request, (frame) => Queue.offer(queue, frame)).pipe(
          Effect.matchCauseEffect({
            onSuccess: () => Queue.end(queue),
            onFailure: (cause) => Queue.failCause(queue, cause)
          })
        )
      )
  })
})

/**
 * A temporary folder for an installation, removed with the scope. Also removes folders that crashes left more than a
 * day ago.
 */
const staging = (root: string) =>
  Effect.acquireRelease(
    onDisk(async () => {
      const aside = join(root, `.incoming-${randomUUID()}`)
      PrivateFolder.make(aside)
      for (const name of await readdir(root)) {
        const path = join(root, name)
        if (!name.startsWith(".incoming-")) continue
        const { mtimeMs } = await stat(path)
        if (Date.now() - mtimeMs > day) await rm(path, { recursive: true, force: true })
      }
      return aside
    }),
    (aside) => Effect.promise(() => rm(aside, { recursive: true, force: true }))
  )

const day = 24 * 60 * 60 * 1000

const onDisk = <A>(run: () => A | Promise<A>) =>
  Effect.tryPromise({
    try: async () => run(),
    catch: (error) =>
      refused("The agent can't be written to the disk.", messageOf(error), {
        code: "storage"
      })
  })

const ignoreMissing = (error: unknown): void => {
  if (!isMissing(error)) throw error
}

/** Downloads into a file, and returns its checksum. */
const download = Effect.fnUntraced(function* (entry: RegistryEntry, plan: BinaryPlan, path: string, tell: Tell) {
  const hash = createHash("sha256")
  const file = yield* Effect.acquireRelease(
    onDisk(() => open(path, "wx", 0o600)),
    (file) => Effect.promise(() => file.close())
  )
  const { bytes, total } = yield* Effect.mapError(Download.open(plan.archive, limits), notLoaded(entry))
  let received = 0
  let told = 0
  const progress = () => tell({ type: "downloading", received, ...(total !== undefined && { total }) })
  yield* progress()
  yield* Stream.runForEach(Stream.mapError(bytes, notLoaded(entry)), (chunk) =>
    Effect.gen(function* () {
      hash.update(chunk)
      yield* onDisk(() => file.writeFile(chunk))
      received += chunk.length
      if (received - told < bytesPerFrame) return
      told = received
      yield* progress()
    })
  )
  if (told !== received) yield* progress()
  return hash.digest("hex")
})

/** Checks that the program exists, and that its real path is inside the content. */
const runnable = Effect.fnUntraced(function* (entry: RegistryEntry, content: string, program: string) {
  const found = yield* Effect.result(
    Effect.tryPromise(async () => {
      const path = await realpath(join(content, program))
      if (!isWithin(await realpath(content), path)) return false
      if (!(await stat(path)).isFile()) return false
      await chmod(path, 0o755)
      await access(path, constants.X_OK)
      return true
    })
  )
  if (found._tag === "Success" && found.success) return
  return yield* refused(notInstalled(entry), `There is no program ${program} in what was downloaded.`)
})

/** Checks that the package manager is installed. It downloads its agents at their first run. */
const present = Effect.fnUntraced(function* ({ command }: InstallPlan) {
  const found = yield* Effect.result(Effect.tryPromise(() => ProgramFile.find(command, "/", process.env["PATH"])))
  if (found._tag === "Success") return
  return yield* refused(`${command} is not there.`, `The agent is run by ${command}, and there is none in PATH.`, {
    code: "agent-not-found",
    nextSteps: [{ action: "run-command", label: command === "npx" ? "Install Node.js" : "Install uv" }]
  })
})

const notInstalled = ({ name }: RegistryEntry): string => `${name} was not installed.`

const notLoaded = (entry: RegistryEntry) => (error: Download.DownloadFailed) =>
  refused(notInstalled(entry), error.message)

const changed = (entry: RegistryEntry) =>
  refused(notInstalled(entry), "What the registry says of it is not what was shown.", {
    nextSteps: [{ action: "check-again", label: "Look at it again" }]
  })

const unchecked = (entry: RegistryEntry, { archive }: BinaryPlan) =>
  refused(notInstalled(entry), `The registry has no checksum for ${archive}, so the download can't be verified.`, {
    nextSteps: [{ action: "set-option", label: "Say that it may be installed unverified, if you trust its address" }]
  })

const other = (entry: RegistryEntry, { archive, sha256 = "" }: BinaryPlan, found: string) =>
  refused(
    notInstalled(entry),
    `What came from ${archive} is not what the registry says: its checksum is ${found} and should be ${sha256}.`,
    { code: "protocol-violation" }
  )

const taken = (name: string) =>
  refused(`There is an agent ${name} already.`, "It did not come from the registry, or not from this entry of it.", {
    code: "config-invalid",
    nextSteps: [{ action: "set-option", label: "Give it another name, or say that it is to be replaced" }]
  })

/** `folder`: the state folder, absolute. */
export const layer = (options: { readonly folder: string }) => Layer.effect(AgentInstaller, make(options))
