/** What an agent asks for, with what the machine says about it: the side of a decision that is no rule. */
import type { Obstacle, Word } from "../shell/ShellReading.ts"

/** A file or folder that a request names. */
export interface NamedPath {
  /** The words of the request, unchanged. */
  readonly path: string
  /** The absolute path of these words, without `.` and `..`; links are not followed. Null where that can't be known. */
  readonly said: string | null
  /** The path behind all links. Null where that can't be known. */
  readonly leadsTo: string | null
  /** `any`: it may be read, written or no path at all, such as an argument of a program. */
  readonly access: "read" | "write" | "any"
  /** It is a folder, and these patterns, one for each level below it, say which names are meant. */
  readonly below?: ReadonlyArray<string>
  /** It may be no path at all: a part of an argument. What allows does not look at it. */
  readonly isDoubtful?: true
  /** A built-in rule that is about it. */
  readonly guard?: Guard
}

/** A built-in rule about a path. */
export interface Guard {
  readonly effect: "deny" | "ask"
  /** A sentence. */
  readonly why: string
}

/** A simple command of a line. */
export interface CommandPart {
  readonly words: ReadonlyArray<Word>
  readonly text: string
  /** Whether it runs inside the folders of the session. Null where that can't be known. */
  readonly isInside: boolean | null
  /** The folder that it runs in. A command that names no file is about this folder. */
  readonly folder: NamedPath
  /** The arguments that may be paths. */
  readonly paths: ReadonlyArray<NamedPath>
}

export interface Subject {
  /** The id of the agent. */
  readonly agent: string
  /** A kind of tool call, or another kind of request. */
  readonly kind: string
  readonly tool?: string
  readonly server?: string
  readonly host?: string
  /** Absent where no command is to run. */
  readonly commands?: ReadonlyArray<CommandPart>
  /** The paths of the request itself, and the files that the shell opens for a command. */
  readonly paths: ReadonlyArray<NamedPath>
  /** Why nobody can say what it would do. */
  readonly obstacles: ReadonlyArray<Obstacle>
  readonly place: Place
}

/** The place and the time of a request. */
export interface Place {
  /** The folder of the session, without links. */
  readonly project: string
  readonly home: string
  readonly thread?: string
  readonly session?: string
  readonly sessionKind?: string
  /** Milliseconds since 1970. */
  readonly now: number
}
