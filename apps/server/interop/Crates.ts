/** The programs of the reference in Rust: their crates in fixed versions, and where their builds are kept. */
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"

export interface Crate {
  readonly name: string
  readonly version: string
  /** The programs that are built. */
  readonly programs: ReadonlyArray<string>
  /** What cargo is to install; all programs of the crate if nothing is said. */
  readonly selection?: ReadonlyArray<string>
}

/**
 * Built in this order, so that the most important ones are there when the time is over. The arrow proxy is an example of
 * the crate that has it.
 */
export const crates: ReadonlyArray<Crate> = [
  { name: "agent-client-protocol-conductor", version: "5.0.0", programs: ["agent-client-protocol-conductor"] },
  { name: "elizacp", version: "12.0.0", programs: ["elizacp"] },
  { name: "yopo", version: "11.0.0", programs: ["yopo"] },
  { name: "sacp-test", version: "11.0.0", programs: ["arrow_proxy"], selection: ["--example", "arrow_proxy"] },
  { name: "agent-client-protocol-trace-viewer", version: "5.0.0", programs: ["agent-client-protocol-trace-viewer"] },
  { name: "sacp-conductor", version: "11.0.0", programs: ["sacp-conductor"] },
  { name: "sacp-tee", version: "10.0.1", programs: ["sacp-tee"] }
]

const userCache = (): string => process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache")

/** The folder of all builds. `SIGNALBOX_INTEROP_CACHE` names another. */
export const cache = resolve(process.env["SIGNALBOX_INTEROP_CACHE"] || join(userCache(), "signalbox", "interop"))

/** The folder of one crate's programs. Its version is in the name, so that a build is found again by it. */
export const folderOf = ({ name, version }: Crate): string => join(cache, `${name}-${version}`)

const fileIn = (crate: Crate, program: string): string =>
  join(folderOf(crate), "bin", process.platform === "win32" ? `${program}.exe` : program)

/** Whether all programs of a crate are there. Cargo puts each in its place when it is complete. */
export const isBuilt = (crate: Crate): boolean => crate.programs.every((program) => existsSync(fileIn(crate, program)))

/** The path of a program; undefined if it is not built. */
export const find = (program: string): string | undefined => {
  const crate = crates.find(({ programs }) => programs.includes(program))
  if (crate === undefined) throw new Error(`No crate has the program ${program}.`)
  const file = fileIn(crate, program)
  return existsSync(file) ? file : undefined
}
