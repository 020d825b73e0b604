/** The versions of crates that a project uses, as its `Cargo.lock` says. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { parse } from "smol-toml"
import * as CrateName from "./CrateName.ts"
import * as NearestFolder from "../ecosystem/NearestFolder.ts"

export interface LockedCrate {
  readonly name: string
  readonly version: string
  /** The registry or repository that it comes from. Absent for crates of the project itself. */
  readonly source?: string | undefined
  /** SHA-256 of its archive, in hexadecimal digits. */
  readonly checksum?: string | undefined
}

const Lock = Schema.Struct({
  package: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        name: Schema.String,
        version: Schema.String,
        source: Schema.optionalKey(Schema.String),
        checksum: Schema.optionalKey(Schema.String)
      })
    )
  )
})

const decode = Schema.decodeUnknownEffect(Lock)

const mostBytes = 32 * 1024 * 1024

/** All crates in the lock file of the project; none if there is no such file, or if nobody can read it. */
export const cratesOf = Effect.fnUntraced(function* (cwd: string): Effect.fn.Return<ReadonlyArray<LockedCrate>> {
  const folder = yield* NearestFolder.nearest("Cargo.lock", cwd)
  if (folder === undefined) return []
  const lock = yield* Effect.tryPromise(async () => {
    const path = join(folder, "Cargo.lock")
    const { size } = await stat(path)
    if (size > mostBytes) throw new Error("It is too large.")
    return parse(await readFile(path, "utf8"))
  }).pipe(
    Effect.flatMap(decode),
    // Cargo says what is wrong with it, when the project is built.
    Effect.orElseSucceed((): typeof Lock.Type => ({}))
  )
  return lock.package ?? []
})

/** All versions of a crate in the lock file of the project. */
export const versionsOf = (name: string, cwd: string): Effect.Effect<ReadonlyArray<LockedCrate>> =>
  Effect.map(cratesOf(cwd), (crates) => crates.filter((crate) => CrateName.isSame(crate.name, name)))
