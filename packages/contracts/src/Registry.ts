/** The public registry of ACP agents: its agents, how each would run here, and what an installation does. */
import * as Schema from "effect/Schema"
import { Timestamp } from "./Ids.ts"

/** The variables that the registry adds to an agent's environment. They are public, and shown. */
const Env = Schema.Record(Schema.String, Schema.String)

/**
 * The exact steps to install and run an agent. People agree to these and nothing else: the installation does exactly
 * what they were shown.
 */
export const InstallPlan = Schema.Union([
  /** A download that is stored in the state folder. */
  Schema.Struct({
    way: Schema.tag("binary"),
    version: Schema.String,
    /** The address of the download. */
    archive: Schema.String,
    /**
     * The expected checksum, in small hexadecimal digits. Missing if the registry has none: then the download is not
     * verified.
     */
    sha256: Schema.optionalKey(Schema.String),
    /** The absolute folder for the agent. */
    folder: Schema.String,
    command: Schema.String,
    args: Schema.Array(Schema.String),
    env: Env
  }),
  /** A package that npm or uv loads at its first run, in exactly this version. Needs `command` on this machine. */
  Schema.Struct({
    way: Schema.Literals(["npx", "uvx"]),
    version: Schema.String,
    /** The package with its version, in the command's form. */
    package: Schema.String,
    /** npm's checksum at the time of this entry. npm compares its download with its own. */
    integrity: Schema.optionalKey(Schema.String),
    /** The requirement for running it, such as `Node.js >=22`. */
    needs: Schema.optionalKey(Schema.String),
    command: Schema.String,
    args: Schema.Array(Schema.String),
    env: Env
  })
])
export type InstallPlan = typeof InstallPlan.Type

export const RegistryAgent = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  /** Missing if it is unknown. */
  version: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  website: Schema.optionalKey(Schema.String),
  repository: Schema.optionalKey(Schema.String),
  authors: Schema.optionalKey(Schema.Array(Schema.String)),
  license: Schema.optionalKey(Schema.String),
  /** How it would run on this machine. */
  plan: Schema.optionalKey(InstallPlan),
  /** The reason for a missing plan, in one sentence. */
  reason: Schema.optionalKey(Schema.String),
  /** Agents in the settings that came from this entry, by their names there. */
  installed: Schema.Array(Schema.Struct({ name: Schema.String, version: Schema.String }))
})
export type RegistryAgent = typeof RegistryAgent.Type

export const RegistryListing = Schema.Struct({
  /** `shipped`: the list that came with Signalbox. `refreshed`: loaded at `at`. */
  source: Schema.Literals(["shipped", "refreshed"]),
  at: Schema.optionalKey(Timestamp),
  agents: Schema.Array(RegistryAgent),
  /** Entries that could not be read, each in one sentence. The others are usable. */
  unreadable: Schema.Array(Schema.String)
})
export type RegistryListing = typeof RegistryListing.Type

export const InstallRequest = Schema.Struct({
  id: Schema.String,
  /** The plan that people saw. Refused if it has changed since. */
  plan: InstallPlan,
  /** The name in the settings. Default: the id. */
  name: Schema.optionalKey(Schema.String),
  /** Accepts a download that can't be verified. */
  unverified: Schema.optionalKey(Schema.Literal(true)),
  /** Replaces an agent with this name that did not come from the registry. */
  replace: Schema.optionalKey(Schema.Literal(true))
})
export type InstallRequest = typeof InstallRequest.Type

/** The frames of an installation, in this order. The last is `installed`. */
export const InstallFrame = Schema.Union([
  /** Bytes. `total` is missing if the server did not report it. */
  Schema.Struct({
    type: Schema.tag("downloading"),
    received: Schema.Int,
    total: Schema.optionalKey(Schema.Int)
  }),
  /** The download is complete. `verified`: it has the registry's checksum; otherwise it was not checked. */
  Schema.Struct({ type: Schema.tag("downloaded"), sha256: Schema.String, verified: Schema.Boolean }),
  Schema.Struct({ type: Schema.tag("unpacking") }),
  /** The agent is in the settings with this name. */
  Schema.Struct({ type: Schema.tag("installed"), name: Schema.String, version: Schema.String })
])
export type InstallFrame = typeof InstallFrame.Type
