/** Agents that threads can run on, and what is known about each on this machine. */
import * as Schema from "effect/Schema"
import { ProviderId, Timestamp } from "./Ids.ts"
import { Problem } from "./Problem.ts"

/**
 * Which driver speaks to the agent: `cursor`, or `acp` for any agent of the protocol. A name and no closed list: what another version
 * of Signalbox has recorded stays readable.
 */
export const ProviderKind = Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9-]{0,31}$/))
export type ProviderKind = typeof ProviderKind.Type

export { ProviderId }

/** How Cursor is started. Everything is optional: without `binaryPath` we look for `cursor-agent`, then `agent`. */
export const CursorOptions = Schema.Struct({
  binaryPath: Schema.optionalKey(Schema.String),
  /** Passed as `-e URL` before `acp`. */
  apiEndpoint: Schema.optionalKey(Schema.String),
  /** Global flags, placed before `acp`. */
  args: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Added to our own environment. Never written to a tape. */
  env: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})
export type CursorOptions = typeof CursorOptions.Type

const optionalText = Schema.optionalKey(Schema.String)

/**
 * Who answers when the agent asks for permission. `ask`: people. `allow-reads`: reading and searching is allowed, each time anew.
 * `read-only`: that too, and what writes, deletes, moves or runs something is refused. What is not decided goes to people.
 */
export const PermissionProfile = Schema.Literals(["ask", "allow-reads", "read-only"])
export type PermissionProfile = typeof PermissionProfile.Type

/**
 * How any other ACP agent is reached: started by `command`, an argument vector and never a shell line, or found at `url`. What is
 * absent is left to the agent and to us.
 */
export const AcpOptions = Schema.Struct({
  command: Schema.optionalKey(Schema.String),
  args: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Added to our own environment. Never written to a tape. */
  env: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  /** What it and its terminals have of our own environment: `all` of it unless given, or what docs/SETTINGS.md lists (`listed`). */
  environment: Schema.optionalKey(Schema.Literals(["all", "listed"])),
  /** The address of an agent that runs elsewhere: http, https, ws or wss. */
  url: optionalText,
  /** Sent with each request to it: credentials, mostly. Never written to a tape. */
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  /** The version of the protocol to begin with; 1 unless given. */
  protocol: Schema.optionalKey(Schema.Literals([1, 2])),
  /**
   * The folder where its process starts: the thread's folder (`project`, the default), or this one. Its sessions are about the thread's.
   */
  cwd: optionalText,
  auth: Schema.optionalKey(
    Schema.Struct({
      /** The method to authenticate with at each start, where the agent offers it. */
      methodId: optionalText,
      /** Variables of the environment of which it needs one, by name. A hint for people: no value is read out of them. */
      env: Schema.optionalKey(Schema.Array(Schema.String))
    })
  ),
  permissions: Schema.optionalKey(PermissionProfile),
  /** Programs that it starts and that go on when it ends, by the names of their files: they are told, and not ended. */
  keeps: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** Which files it may have us read and write for it; `off` unless given: agents work on the disk themselves. */
  files: Schema.optionalKey(Schema.Literals(["off", "read", "write"])),
  /** `read`: files that have several names (hard links) are read and replaced, too; refused unless given. */
  hardLinks: Schema.optionalKey(Schema.Literal("read")),
  /** Whether it may have us run programs for it; not unless given. */
  terminals: Schema.optionalKey(Schema.Boolean)
})
export type AcpOptions = typeof AcpOptions.Type

export const ProviderOptions = Schema.Struct({
  cursor: Schema.optionalKey(CursorOptions),
  acp: Schema.optionalKey(AcpOptions)
})
export type ProviderOptions = typeof ProviderOptions.Type

/** The agent of one thread. */
export const ProviderRef = Schema.Struct({
  id: ProviderId,
  kind: ProviderKind,
  /** The name that people use: "Cursor". */
  name: Schema.String,
  /** Stands in for a real agent; marked wherever it is shown. */
  simulated: Schema.Boolean
})
export type ProviderRef = typeof ProviderRef.Type

/** What an agent said that it can do with the sessions that it keeps. */
export const SessionAbilities = Schema.Struct({
  list: Schema.Boolean,
  /** A session that it keeps opens with its history: `session/load`. */
  load: Schema.Boolean,
  /** A session that it keeps goes on, without its history: `session/resume`. */
  resume: Schema.Boolean,
  fork: Schema.Boolean,
  close: Schema.Boolean,
  delete: Schema.Boolean,
  archive: Schema.Boolean,
  rename: Schema.Boolean,
  /** Threads may have more folders than one. */
  additionalDirectories: Schema.Boolean
})
export type SessionAbilities = typeof SessionAbilities.Type

/** What an agent said that it takes in prompts besides text and links. */
export const PromptAbilities = Schema.Struct({
  image: Schema.Boolean,
  audio: Schema.Boolean,
  /** Files whose content goes along. */
  embeddedContext: Schema.Boolean
})
export type PromptAbilities = typeof PromptAbilities.Type

/** What sessions of an adapter can do, so that a page asks instead of learning from an error. */
export const ProviderCapabilities = Schema.Struct({
  rollback: Schema.Union([
    Schema.Struct({ supported: Schema.Literal(true) }),
    Schema.Struct({ supported: Schema.Literal(false), reason: Schema.String })
  ]),
  resume: Schema.Boolean,
  images: Schema.Boolean,
  /** Known of an agent that runs: what it takes in prompts besides text and links. */
  prompt: Schema.optionalKey(PromptAbilities),
  /** Known of an agent that runs: what it can do with its own sessions. Absent means that it was not asked yet. */
  sessions: Schema.optionalKey(SessionAbilities),
  /** Known of an agent that runs: it takes prompts into its running turn. Absent: the turn is stopped for one that is to come between. */
  steering: Schema.optionalKey(Schema.Literal("agent")),
  /** Known of an agent that runs: whether it can forget who is signed in. */
  signOut: Schema.optionalKey(Schema.Boolean)
})
export type ProviderCapabilities = typeof ProviderCapabilities.Type

/** One step of looking an agent over, in the order in which people would check it. */
export const ProviderCheck = Schema.Struct({
  name: Schema.Literals(["found", "version", "login"]),
  state: Schema.Literals(["ok", "attention", "failed", "unknown"]),
  /** What was seen, in one sentence or value. */
  detail: Schema.String,
  durationMs: Schema.optionalKey(Schema.Finite)
})
export type ProviderCheck = typeof ProviderCheck.Type

/** What is known about an agent on this machine, and since when. */
export const ProviderStatus = Schema.Struct({
  provider: ProviderRef,
  description: Schema.String,
  /** `ready` and `attention` can start threads; with `attention` something is likely to be asked for first. */
  state: Schema.Literals(["checking", "ready", "attention", "unavailable"]),
  /** Who made it known: it is built in, or people have put it into their settings. */
  source: Schema.optionalKey(Schema.Literals(["built-in", "settings"])),
  /** What is started, as one would type it: the program and its arguments, without its environment. */
  commandLine: Schema.optionalKey(Schema.String),
  /** Names of the variables that it is given on purpose. Their values may be secret, and are not told. */
  variables: Schema.optionalKey(Schema.Array(Schema.String)),
  path: Schema.optionalKey(Schema.String),
  version: Schema.optionalKey(Schema.String),
  checks: Schema.Array(ProviderCheck),
  problem: Schema.optionalKey(Problem),
  capabilities: ProviderCapabilities,
  checkedAt: Schema.optionalKey(Timestamp)
})
export type ProviderStatus = typeof ProviderStatus.Type
