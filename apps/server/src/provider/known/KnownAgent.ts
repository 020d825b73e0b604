/** The description of an agent that is known before its handshake. Each agent has a file beside this one. */

/** An npm package. By default its newest version, which `npm run registry` writes down. */
export interface NpmPackage {
  readonly package: string
  readonly version?: string
  /** The package's program, if it has several and `npx` can't choose. */
  readonly cmd?: string
  readonly args?: ReadonlyArray<string>
}

/** A PyPI package in one version. */
export interface PyPiPackage {
  readonly package: string
  readonly version: string
  readonly args?: ReadonlyArray<string>
}

export interface Download {
  readonly archive: string
  /** The path in the unpacked folder. */
  readonly cmd: string
  readonly args?: ReadonlyArray<string>
  /** Undefined if nobody has published one. */
  readonly sha256?: string
}

/** Downloads by the public registry's platform names, e.g. `linux-x86_64`. Empty if no address is known. */
export interface Binary {
  readonly version?: string
  readonly targets: Readonly<Record<string, Download>>
}

export interface KnownAgent {
  /** The id in the public registry. */
  readonly id: string
  /** The name for people. */
  readonly name: string
  /** The sources of this description. */
  readonly source: string
  /** The file names of its program. */
  readonly programs: ReadonlyArray<string>
  readonly npm?: NpmPackage
  readonly pypi?: PyPiPackage
  readonly binary?: Binary
  /** Default environment variables. The settings may override them. */
  readonly env?: Readonly<Record<string, string>>
  /** `empty`: `fs/read_text_file` answers a missing file with an empty text. By default it is an error. */
  readonly missingFile?: "empty"
}
