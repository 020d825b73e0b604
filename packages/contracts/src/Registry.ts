/** The public registry of ACP agents: which there are, how each would be run here, and what installing one does. */
import * as Schema from "effect/Schema"
import { Timestamp } from "./Ids.ts"

/** The variables that the registry adds to an agent's environment. They are public, and shown. */
const Env = Schema.Record(Schema.String, Schema.String)

/**
 * Exactly what would be done to install an agent and to run it. People agree to this and to nothing else: what is installed is what
 * they were shown.
 */
export const InstallPlan = Schema.Union([
  /** A download that is kept in the state folder. */
  Schema.Struct({
    way: Schema.tag("binary"),
    version: Schema.String,
    /** The address that it is loaded from. */
    archive: Schema.String,
    /** What it has to have, in small hexadecimal digits. Absent: nobody has said, and whatever comes is run. */
    sha256: Schema.optionalKey(Schema.String),
    /** The folder that the agent will be in, absolute. */
    folder: Schema.String,
    command: Schema.String,
    args: Schema.Array(Schema.String),
    env: Env
  }),
  /** Loaded by npm or uv when it is first run, in exactly this version. Needs `command` to be there. */
  Schema.Struct({
    way: Schema.Literals(["npx", "uvx"]),
    version: Schema.String,
    /** With its version, as the command names it. */
    package: Schema.String,
    /** The checksum that npm had of it when this entry was written. npm compares what it loads with its own. */
    integrity: Schema.optionalKey(Schema.String),
    /** What has to be there to run it, such as `Node.js >=22`. */
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
  /** Absent where it is not known. */
  version: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  website: Schema.optionalKey(Schema.String),
  repository: Schema.optionalKey(Schema.String),
  authors: Schema.optionalKey(Schema.Array(Schema.String)),
  license: Schema.optionalKey(Schema.String),
  /** How it would be run on this machine. */
  plan: Schema.optionalKey(InstallPlan),
  /** Without a plan: why there is none, in one sentence. */
  reason: Schema.optionalKey(Schema.String),
  /** Those of the settings that came from here, by their names there. */
  installed: Schema.Array(Schema.Struct({ name: Schema.String, version: Schema.String }))
})
export type RegistryAgent = typeof RegistryAgent.Type

export const RegistryListing = Schema.Struct({
  /** `shipped`: as it came with us, with what was known then. `refreshed`: loaded at `at`. */
  source: Schema.Literals(["shipped", "refreshed"]),
  at: Schema.optionalKey(Timestamp),
  agents: Schema.Array(RegistryAgent),
  /** Entries that could not be read, each in one sentence. The others are not harmed by them. */
  unreadable: Schema.Array(Schema.String)
})
export type RegistryListing = typeof RegistryListing.Type

export const InstallRequest = Schema.Struct({
  id: Schema.String,
  /** The plan that was shown. Refused if it is no longer what would be done. */
  plan: InstallPlan,
  /** The name in the settings; the id unless given. */
  name: Schema.optionalKey(Schema.String),
  /** Takes a download that nothing can be checked against. */
  unverified: Schema.optionalKey(Schema.Literal(true)),
  /** Puts it in place of an agent of this name that did not come from here. */
  replace: Schema.optionalKey(Schema.Literal(true))
})
export type InstallRequest = typeof InstallRequest.Type

/** What happens, in this order. The last is `installed`. */
export const InstallFrame = Schema.Union([
  /** Bytes; `total` where the server has said it. */
  Schema.Struct({
    type: Schema.tag("downloading"),
    received: Schema.Int,
    total: Schema.optionalKey(Schema.Int)
  }),
  /** All is there. `verified`: it is what the registry says; otherwise nobody knows. */
  Schema.Struct({ type: Schema.tag("downloaded"), sha256: Schema.String, verified: Schema.Boolean }),
  Schema.Struct({ type: Schema.tag("unpacking") }),
  /** It is in the settings under this name. */
  Schema.Struct({ type: Schema.tag("installed"), name: Schema.String, version: Schema.String })
])
export type InstallFrame = typeof InstallFrame.Type
