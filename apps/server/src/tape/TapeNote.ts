/** What a tape says about itself between the lines of the wire. Members may be added; readers take what they know. */
import type { ProviderRef } from "@signalbox/contracts/Provider"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"

/** A process has started: how, and what its session was asked to be. The names of variables, never their values. */
export interface StartNote {
  readonly event: "start"
  readonly argv: ReadonlyArray<string>
  readonly cwd: string
  readonly envNames: ReadonlyArray<string>
  readonly pid: number
  readonly threadId?: string
  readonly provider?: ProviderRef
  /** As the agent's `--version` said, where it has one. */
  readonly agentVersion?: string
  /** The session that was to be taken up. */
  readonly resume?: string
  /** One digest for each prompt that our record of the thread held, oldest first: enough to tell them again, not to read them. */
  readonly knownPrompts?: ReadonlyArray<string>
  /** The settings that people had chosen. */
  readonly settings?: Readonly<Record<string, SettingValue>>
  /** How long the agent may take to end a turn that it was told to stop. */
  readonly cancelGraceMs?: number
}

/** It has ended: by itself, because it was stopped, or because it did not stop a turn in time. */
export interface ExitNote {
  readonly event: "exit"
  readonly exitCode?: number
  readonly signal?: string
  readonly ended?: "itself" | "stopped" | "stuck"
}

/** The first line of every part but the first. */
export interface PartNote {
  readonly event: "part"
  /** From 2. */
  readonly part: number
  /** The number of this very line in the tape as a whole. */
  readonly firstLine: number
  /** What was given up so that the tape stays within its bound, both ends included. */
  readonly missing?: { readonly fromLine: number; readonly toLine: number }
}

/** In an export, before each tape: the next line is its first. */
export interface TapeStartNote {
  readonly event: "tape"
  readonly name: string
  /** Milliseconds since 1970. */
  readonly startedAt?: number
  readonly endedAt?: number
}

/** The first line of an export. */
export interface ExportNote {
  readonly event: "export"
  readonly signalbox: string
  /** Milliseconds since 1970. */
  readonly exportedAt: number
  readonly tapes: number
}

export type TapeNote = StartNote | ExitNote | PartNote | TapeStartNote | ExportNote

/** A note as a line of a tape. `json` is the note, fit to be written. */
export const lineOf = (at: number, json: string): string => `{"at":${at},"dir":"note","line":${json}}`
