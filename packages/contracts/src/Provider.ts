/** Agents that threads can use, and the state of each on this machine. */
import * as Schema from "effect/Schema"
import type { ChainComponent } from "./ChainConfig.ts"
import { ProviderId, Timestamp } from "./Ids.ts"
import { Problem } from "./Problem.ts"
import { SandboxSettings } from "./Sandbox.ts"

/**
 * The driver for the agent: `cursor`, or `acp` for any agent of the protocol. Any name is valid, so that records of
 * other versions of Signalbox stay readable.
 */
export const ProviderKind = Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9-]{0,31}$/))
export type ProviderKind = typeof ProviderKind.Type

export { ProviderId }

/** How Cursor is started. Without `binaryPath`, Signalbox looks for `cursor-agent`, then `agent`. */
export const CursorOptions = Schema.Struct({
  binaryPath: Schema.optionalKey(Schema.String),
  /** Passed as `-e URL` before `acp`. */
  apiEndpoint: Schema.optionalKey(Schema.String),
  /** Global flags, placed before `acp`. */
  args: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Added to the inherited environment. Never written to a tape. */
  env: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})
export type CursorOptions = typeof CursorOptions.Type

const optionalText = Schema.optionalKey(Schema.String)

/**
 * Who answers permission requests that no rule answers. `ask`: people. `allow-reads`: reading and searching in the
 * session's folders is allowed, each time once. `read-only`: in addition, writing, deleting, moving and running is
 * refused. `edits`: in addition to reading, files in the session's folders may be changed. `bypass`: everything is
 * allowed that no rule denies or asks about. People decide everything else.
 */
export const PermissionProfile = Schema.Literals(["ask", "allow-reads", "read-only", "edits", "bypass"])
export type PermissionProfile = typeof PermissionProfile.Type

/**
 * How any other ACP agent is reached: started by `command`, an argument vector and never a shell line, or at `url`.
 * Missing options have defaults.
 */
export const AcpOptions = Schema.Struct({
  command: Schema.optionalKey(Schema.String),
  args: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Added to the inherited environment. Never written to a tape. */
  env: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  /**
   * The environment that the agent and its terminals inherit: `all` by default, or the variables in docs/SETTINGS.md
   * (`listed`).
   */
  environment: Schema.optionalKey(Schema.Literals(["all", "listed"])),
  /** The address of a remote agent: http, https, ws or wss. */
  url: optionalText,
  /** Sent with each request to a remote agent, usually credentials. Never written to a tape. */
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  /** The protocol version. Default: 1. */
  protocol: Schema.optionalKey(Schema.Literals([1, 2])),
  /**
   * The folder where its process starts: the thread's folder (`project`, the default), or this one. Its sessions always
   * use the thread's folder.
   */
  cwd: optionalText,
  auth: Schema.optionalKey(
    Schema.Struct({
      /** The method to authenticate with at each start, if the agent offers it. */
      methodId: optionalText,
      /** Names of environment variables; the agent needs one of them. A hint for people: their values are not read. */
      env: Schema.optionalKey(Schema.Array(Schema.String))
    })
  ),
  permissions: Schema.optionalKey(PermissionProfile),
  /** File names of its programs that continue after the agent. They are reported, not ended. */
  keeps: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /**
   * The files that Signalbox reads and writes for the agent. Default: `off`, since agents work on the disk themselves.
   */
  files: Schema.optionalKey(Schema.Literals(["off", "read", "write"])),
  /** `read`: files with several names (hard links) are read and replaced, too. By default they are refused. */
  hardLinks: Schema.optionalKey(Schema.Literal("read")),
  /** Whether Signalbox runs programs for the agent. Default: false. */
  terminals: Schema.optionalKey(Schema.Boolean)
})
export type AcpOptions = typeof AcpOptions.Type

export const ProviderOptions = Schema.Struct({
  cursor: Schema.optionalKey(CursorOptions),
  acp: Schema.optionalKey(AcpOptions),
  /** The sandbox that its programs run in. Only the settings decide about it, never a thread. */
  sandbox: Schema.optionalKey(SandboxSettings)
})
export type ProviderOptions = typeof ProviderOptions.Type

/** The options of an agent on this machine, with what is never sent to pages. */
export interface AgentOptions extends ProviderOptions {
  /** The components between people and the agent, nearest to people first. Only the settings decide about them. */
  readonly components?: ReadonlyArray<ChainComponent>
}

/** The agent of one thread. */
export const ProviderRef = Schema.Struct({
  id: ProviderId,
  kind: ProviderKind,
  /** The agent's name for people: "Cursor". */
  name: Schema.String,
  /** Whether it stands in for a real agent. It is marked wherever it is shown. */
  simulated: Schema.Boolean
})
export type ProviderRef = typeof ProviderRef.Type

/** The operations on its stored sessions that an agent offers. */
export const SessionAbilities = Schema.Struct({
  list: Schema.Boolean,
  /** Whether a stored session can be opened with its history: `session/load`. */
  load: Schema.Boolean,
  /** Whether a stored session can continue without its history: `session/resume`. */
  resume: Schema.Boolean,
  fork: Schema.Boolean,
  close: Schema.Boolean,
  delete: Schema.Boolean,
  archive: Schema.Boolean,
  rename: Schema.Boolean,
  /** Whether threads may have additional folders. */
  additionalDirectories: Schema.Boolean
})
export type SessionAbilities = typeof SessionAbilities.Type

/** The kinds of parts that an agent accepts in prompts, beside text and links. */
export const PromptAbilities = Schema.Struct({
  image: Schema.Boolean,
  audio: Schema.Boolean,
  /** Files with their content. */
  embeddedContext: Schema.Boolean
})
export type PromptAbilities = typeof PromptAbilities.Type

/** The capabilities of an adapter's sessions, so that clients need not learn them from errors. */
export const ProviderCapabilities = Schema.Struct({
  rollback: Schema.Union([
    Schema.Struct({ supported: Schema.Literal(true) }),
    Schema.Struct({ supported: Schema.Literal(false), reason: Schema.String })
  ]),
  resume: Schema.Boolean,
  images: Schema.Boolean,
  /** Known for a running agent: the kinds of parts that it accepts in prompts. */
  prompt: Schema.optionalKey(PromptAbilities),
  /** Known for a running agent: the operations on its stored sessions. Missing if it was not asked yet. */
  sessions: Schema.optionalKey(SessionAbilities),
  /** Known for a running agent: it accepts prompts within a turn. If missing, steering stops the turn first. */
  steering: Schema.optionalKey(Schema.Literal("agent")),
  /** Known for a running agent: whether it offers to sign out. */
  signOut: Schema.optionalKey(Schema.Boolean)
})
export type ProviderCapabilities = typeof ProviderCapabilities.Type

/** One step of an agent's check, in the order in which people would check it. */
export const ProviderCheck = Schema.Struct({
  name: Schema.Literals(["found", "version", "login", "components"]),
  state: Schema.Literals(["ok", "attention", "failed", "unknown"]),
  /** The observation, in one sentence or value. */
  detail: Schema.String,
  durationMs: Schema.optionalKey(Schema.Finite)
})
export type ProviderCheck = typeof ProviderCheck.Type

/** What is known about an agent on this machine, and since when. */
export const ProviderStatus = Schema.Struct({
  provider: ProviderRef,
  description: Schema.String,
  /**
   * Agents in `ready` and `attention` can start threads. With `attention` the agent probably asks for something first.
   */
  state: Schema.Literals(["checking", "ready", "attention", "unavailable"]),
  /** The origin of the agent: Signalbox itself, or the settings. */
  source: Schema.optionalKey(Schema.Literals(["built-in", "settings"])),
  /** The program and its arguments as people type them, without the environment. */
  commandLine: Schema.optionalKey(Schema.String),
  /** Who answers its permission requests that no rule answers, by the settings as they are now. */
  permissions: Schema.optionalKey(PermissionProfile),
  /** Names of the variables that the options set. Their values may be secret and are left out. */
  variables: Schema.optionalKey(Schema.Array(Schema.String)),
  /** What it reaches from its sandbox, in a few words. Missing if it runs without a sandbox. */
  sandbox: Schema.optionalKey(Schema.String),
  path: Schema.optionalKey(Schema.String),
  version: Schema.optionalKey(Schema.String),
  checks: Schema.Array(ProviderCheck),
  problem: Schema.optionalKey(Problem),
  capabilities: ProviderCapabilities,
  checkedAt: Schema.optionalKey(Timestamp)
})
export type ProviderStatus = typeof ProviderStatus.Type
