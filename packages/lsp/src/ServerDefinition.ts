/** A language server as people configure it: its program, the languages that it knows, and how a project's root is found. */

/** How messages reach a server. `stdio` is usual. The others are for servers that connect to their client. */
export type ServerTransport =
  | "stdio"
  /** We listen on a socket in a private folder. The argument `--pipe=PATH` is added. */
  | "pipe"
  /** We listen on a port of the loopback interface. The argument `--socket=PORT` is added. */
  | "tcp"

/**
 * What says that a server has read its project.
 * - `initialized`: nothing but its answer to `initialize`, and the end of progress that it has begun by then.
 * - `progress`: the end of a first piece of work whose progress it reports.
 * - `serverStatus`: `experimental/serverStatus` with `quiescent`, as rust-analyzer sends it.
 */
export type ReadySign = "initialized" | "progress" | "serverStatus"

export interface ServerDefinition {
  /** Names the server in states and diagnostics: `typescript`. */
  readonly id: string
  /** The name for people: `TypeScript language server`. */
  readonly name: string
  /** A program of the search path, or an absolute path. It never comes from a repository. */
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Identifiers of languages, as the protocol lists them: `typescript`, `typescriptreact`. */
  readonly languages: ReadonlyArray<string>
  /** Names of files. The nearest folder that has one of them is the root; without one it is the workspace folder. */
  readonly rootMarkers: ReadonlyArray<string>
  readonly initializationOptions?: unknown
  /** Answers of `workspace/configuration`, by section: `{ yaml: { validate: true } }`. */
  readonly settings?: unknown
  /** Default: `stdio`. */
  readonly transport?: ServerTransport
  /** Default: `initialized`. */
  readonly readySign?: ReadySign
}
