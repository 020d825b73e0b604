/** A kind of packages, such as Rust's crates: how the source of one is found on this machine, or brought to it. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Why the source of a package could not be had, as a sentence for a model. It names the package, and the versions that were asked for. */
export class SourceFailure extends Schema.TaggedError<SourceFailure>()("SourceFailure", { message: Schema.String }) {}

export interface PackageQuery {
  readonly name: string
  /**
   * Which versions will do, as the ecosystem writes them. The newest published one is taken. Absent: the version that the project uses, or
   * else the latest one.
   */
  readonly range?: string | undefined
  /** The folder of the project. */
  readonly cwd: string
}

export interface PackageSource {
  /** The name as its author writes it. */
  readonly name: string
  /** The one version that was chosen. */
  readonly version: string
  /** The absolute folder of its source. Nothing in it may be changed. */
  readonly path: string
  /** Whether the source of this version never changes, as that of what is published. */
  readonly isFixed: boolean
  /** What else there is to know, a sentence each: why it is not the newest version, or where more of the source is. */
  readonly notes: ReadonlyArray<string>
}

export interface Ecosystem {
  /** How queries name it. */
  readonly name: string
  /** Whether the project in a folder uses it. */
  readonly isUsedIn: (cwd: string) => Effect.Effect<boolean>
  readonly find: (query: PackageQuery) => Effect.Effect<PackageSource, SourceFailure>
}
