/** The form in which one agent is known before it has said a word: a file for each stands beside this one. */

/** A package of npm. Its version is npm's newest unless given; `npm run registry` writes it down. */
export interface NpmPackage {
  readonly package: string
  readonly version?: string
  /** Its program, where `npx` can't tell which of several is meant. */
  readonly cmd?: string
  readonly args?: ReadonlyArray<string>
}

/** A package of PyPI, in one version. */
export interface PyPiPackage {
  readonly package: string
  readonly version: string
  readonly args?: ReadonlyArray<string>
}

export interface Download {
  readonly archive: string
  /** In the unpacked folder. */
  readonly cmd: string
  readonly args?: ReadonlyArray<string>
  /** Absent where nobody has published one. */
  readonly sha256?: string
}

/** Downloads by platform, as the public registry calls those: `linux-x86_64`. Empty where no address is known. */
export interface Binary {
  readonly version?: string
  readonly targets: Readonly<Record<string, Download>>
}

export interface KnownAgent {
  /** The id that the public registry gives it. */
  readonly id: string
  /** The name that people use. */
  readonly name: string
  /** The sources of all that is said here. */
  readonly source: string
  /** The names of its program's file. */
  readonly programs: ReadonlyArray<string>
  readonly npm?: NpmPackage
  readonly pypi?: PyPiPackage
  readonly binary?: Binary
  /** Variables that it should have, unless its settings say otherwise. */
  readonly env?: Readonly<Record<string, string>>
  /** The answer to `fs/read_text_file` for a file that is not there: an empty text. An error unless given. */
  readonly missingFile?: "empty"
}
