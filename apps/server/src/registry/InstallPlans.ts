/** Plans the installation of a registry entry on this machine: the distribution, and the resulting command. Pure. */
import type { InstallPlan } from "@signalbox/contracts/Registry"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { isAbsolute, join, normalize } from "node:path"
import * as Archive from "@signalbox/archive/ArchiveKind"
import * as DownloadAddress from "./DownloadAddress.ts"
import type { BinaryTarget, PackageTarget, RegistryEntry } from "./RegistryFormat.ts"

export interface Machine {
  /** The registry's name of the platform: `linux-x86_64`. */
  readonly platform: string
  /** The folder of downloads, absolute. */
  readonly folder: string
}

const systems: Readonly<Record<string, string>> = { darwin: "darwin", linux: "linux", win32: "windows" }
const processors: Readonly<Record<string, string>> = { arm64: "aarch64", x64: "x86_64" }

/** The registry's name of a platform. Node's names are kept if the registry has none. */
export const platformOf = (system: string, processor: string): string =>
  `${systems[system] ?? system}-${processors[processor] ?? processor}`

type Planned = Result.Result<InstallPlan, string>

/**
 * Plans an installation. Verifiable distributions come first: a download with a checksum, then packages, which their
 * managers verify, then any other download. Fails with the reason that the agent can't be installed here, in one
 * sentence.
 */
export const plan = (entry: RegistryEntry, machine: Machine): Planned => {
  const { binary, npx, uvx } = entry.distribution
  const target = binary?.[machine.platform]
  const download = target && download_(entry, target, machine)
  if (download && target.sha256 !== undefined && Result.isSuccess(download)) return download
  const packages = [npx && ofNpm(entry, npx), uvx && ofPyPi(entry, uvx)].filter((planned) => planned !== undefined)
  const all = download ? [...packages, download] : packages
  const [first] = all
  return all.find(Result.isSuccess) ?? first ?? Result.fail(whyNone(entry, machine))
}

const whyNone = ({ distribution: { binary } }: RegistryEntry, { platform }: Machine): string => {
  if (binary === undefined) return "How it is run is not known here; a refreshed registry may say so."
  const platforms = Object.keys(binary)
  return platforms.length === 0
    ? "Where it is loaded from is not known here; a refreshed registry may say so."
    : `It is not offered for ${platform}, only for ${platforms.join(", ")}.`
}

const download_ = (
  { id, version }: RegistryEntry,
  { archive, args = [], cmd, env = {}, sha256 }: BinaryTarget,
  machine: Machine
): Planned => {
  if (version === undefined) return Result.fail(noVersion)
  const refusal = DownloadAddress.refusal(archive)
  if (refusal !== undefined) return Result.fail(refusal)
  if (Archive.kindOf(archive) === undefined) return Result.fail(`${archive} is of a kind that can't be unpacked.`)
  const within = normalize(cmd)
  if (isAbsolute(within) || within === "." || within.split("/").includes("..")) {
    return Result.fail("Its command would lie outside of its own folder.")
  }
  const folder = join(machine.folder, id, version)
  return Result.succeed({
    way: "binary",
    version,
    archive,
    ...(sha256 !== undefined && { sha256: sha256.toLowerCase() }),
    folder,
    command: join(folder, within),
    args,
    env
  })
}

const noVersion = "Its version is not known here; a refreshed registry may say it."

const checksum = /^sha512-[A-Za-z0-9+/]{86}==$/

/** npm's facts about the package, as far as they can be read. */
const saidByNpm = ({ engines, integrity }: PackageTarget) => ({
  ...(typeof integrity === "string" && checksum.test(integrity) && { integrity }),
  ...(Predicate.hasProperty(engines, "node") &&
    typeof engines.node === "string" &&
    engines.node.length > 0 &&
    engines.node.length <= 200 && { needs: `Node.js ${engines.node}` })
})

const ofNpm = ({ version }: RegistryEntry, target: PackageTarget): Planned => {
  const { args = [], cmd, env = {}, package: given } = target
  return Result.map(pinned(given, "@", version), (exact) => ({
    way: "npx",
    version: exact.version,
    package: exact.package,
    command: "npx",
    args: cmd === undefined ? ["-y", exact.package, ...args] : ["-y", "--package", exact.package, cmd, ...args],
    env,
    ...saidByNpm(target)
  }))
}

const ofPyPi = ({ version }: RegistryEntry, { args = [], cmd, env = {}, package: given }: PackageTarget): Planned =>
  Result.map(pinned(given, given.includes("==") ? "==" : "@", version, "=="), (exact) => ({
    way: "uvx",
    version: exact.version,
    package: exact.package,
    command: "uvx",
    args: cmd === undefined ? [exact.package, ...args] : ["--from", exact.package, cmd, ...args],
    env
  }))

const exactVersion = /^\d{1,32}(?:\.\d{1,32}){1,8}[-+._0-9A-Za-z]{0,128}$/

/** The package with one exact version: its own, or else the version of its entry. `sign` stands before the version. */
const pinned = (
  given: string,
  sign: string,
  version: string | undefined,
  added = sign
): Result.Result<{ readonly package: string; readonly version: string }, string> => {
  // The scope of an npm package begins with the same sign.
  const at = given.lastIndexOf(sign)
  if (at > 0) {
    const said = given.slice(at + sign.length)
    if (exactVersion.test(said)) return Result.succeed({ package: given, version: said })
    return Result.fail(`It names no exact version of its package, only ${said === "" ? "none" : said}.`)
  }
  if (version === undefined) return Result.fail(noVersion)
  if (!exactVersion.test(version)) return Result.fail(`${version} is no exact version of a package.`)
  return Result.succeed({ package: `${given}${added}${version}`, version })
}
