/** The sandbox of an agent on Linux: what it may write, read and reach. `docs/SANDBOX.md` says what it does not stop. */
import * as Schema from "effect/Schema"

const SandboxPath = Schema.String.check(
  Schema.isPattern(/^(\/|~\/)[^\0]+$/, { message: "Expected an absolute path, or one that begins with ~/" })
)

/** A host that may be reached: `example.com`, `*.example.com` for all names below it, either with `:PORT`. */
const SandboxHost = Schema.String.check(
  Schema.isPattern(/^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)+(:[1-9]\d{0,4})?$/i, {
    message: "Expected the name of a host, such as example.com, *.example.com or example.com:8443"
  })
)

/** What the agent reaches: all that this machine does, nothing, or these hosts through a filter of Signalbox. */
const SandboxNetwork = Schema.Union([
  Schema.Literals(["on", "off"]),
  Schema.Struct({ hosts: Schema.NonEmptyArray(SandboxHost) })
])

const SandboxMembers = Schema.Struct({
  /** Default: `on`. */
  network: Schema.optionalKey(SandboxNetwork),
  /** Files and folders that it may write besides those of its session. Missing ones are left out. */
  writable: Schema.optionalKey(Schema.Array(SandboxPath)),
  /** Files and folders that it may read although they hold keys. Missing ones are left out. */
  readable: Schema.optionalKey(Schema.Array(SandboxPath)),
  /**
   * What it may do in the folder of Git. `guarded`: only what can't name programs for Git to run. `writable`: all but
   * hooks, configuration and modules. Default: `guarded`.
   */
  git: Schema.optionalKey(Schema.Literals(["guarded", "writable"]))
})
export type SandboxMembers = typeof SandboxMembers.Type

/** `true`: a sandbox with the defaults. `false`: none, as without this member. */
export const SandboxSettings = Schema.Union([Schema.Boolean, SandboxMembers])
export type SandboxSettings = typeof SandboxSettings.Type

/** The members of a sandbox. Undefined if there is no sandbox. */
export const membersOf = (settings: SandboxSettings | undefined): SandboxMembers | undefined => {
  if (settings === undefined || settings === false) return undefined
  return settings === true ? {} : settings
}

/** What a sandboxed agent reaches, in a few words. */
export const networkWords = ({ network = "on" }: SandboxMembers): string => {
  if (network === "on") return "network on"
  if (network === "off") return "no network"
  return network.hosts.length === 1 ? "1 host" : `${network.hosts.length} hosts`
}
