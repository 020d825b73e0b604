/** A package that a project names among its dependencies, and that is on this machine. */
import type * as Effect from "effect/Effect"

export interface Dependency {
  readonly ecosystem: "npm" | "cargo"
  /** The name by which the project knows it. It is a name by the rules of its ecosystem. */
  readonly name: string
  readonly version: string
  /** The absolute folder of its source, with links followed. */
  readonly folder: string
  /** What its manifest says to agents, unchecked; undefined if it says nothing. */
  readonly metadata: unknown
}

/** The packages of one ecosystem that a project depends on. */
export interface Dependencies {
  /** The dependencies that the project itself names, by name. Packages that are not on this machine are left out. */
  readonly direct: ReadonlyArray<Dependency>
  /** Finds a package that another one names, on this machine. */
  readonly find: (name: string, from: Dependency) => Effect.Effect<Dependency | undefined>
}

/** Gets a sentence about what is wrong with a text of others. */
export type Warn = (sentence: string) => void

/** The most dependencies of a project that are looked at. */
export const most = 1000
