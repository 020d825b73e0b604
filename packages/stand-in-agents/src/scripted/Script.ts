/**
 * The script format of the scripted agent. Scripts are JSON. Nothing in them is validated, since sending nonsense is
 * their purpose.
 */
import type { Json, JsonObject } from "../Json.ts"

/** A JSON-RPC error to answer with. */
export interface ErrorReply {
  readonly code: number
  readonly message: string
  readonly data?: Json
}

/** One step of a script. A step has exactly one of these members, besides those in brackets. */
export interface Step {
  /** Sends an `agent_message_chunk`. (`messageId`) */
  readonly text?: string
  readonly messageId?: string
  /** Sends an `agent_thought_chunk`. */
  readonly thought?: string
  /** Sends a `user_message_chunk`, for replays. */
  readonly user?: string
  /** Sends any update unchanged. */
  readonly update?: JsonObject
  /**
   * Sends `session/request_permission` with these params. Then plays the steps under the answer's option id, or under
   * `cancelled`. (`on`)
   */
  readonly permission?: JsonObject
  /**
   * Sends any request to the client, and then its answer as text. (`on.result`, `on.error`: played after it) It gets
   * the session's id unless it has a `requestId`. `{terminal:1}` stands for the id of the first terminal that the
   * client has made.
   */
  readonly request?: { readonly method: string; readonly params: JsonObject }
  readonly on?: Readonly<Record<string, ReadonlyArray<Step>>>
  readonly notify?: { readonly method: string; readonly params: JsonObject }
  /** Sends a JSON-RPC message unchanged: wrong ids, wrong shapes. */
  readonly message?: Json
  /** Writes these characters without a line end. */
  readonly raw?: string
  /** Writes these bytes. */
  readonly rawBase64?: string
  /** Writes all later output in pieces of so many bytes. 0 ends that. */
  readonly pieces?: number
  readonly stderr?: string
  /** Writes a file of that name into its working folder. (`content`) */
  readonly write?: string
  readonly content?: string
  /** The number of repetitions, for `stderr` and `raw`. */
  readonly times?: number
  /** Waits so many milliseconds. A cancel ends the wait. */
  readonly wait?: number
  readonly waitForCancel?: true
  /** Waits until its working folder has a file of that name. A cancel ends the wait. */
  readonly waitForFile?: string
  /** Plays the steps so many times. `{i}` in their texts is the round. (`steps`) */
  readonly repeat?: number
  readonly steps?: ReadonlyArray<Step>
  /** Plays several lists concurrently. */
  readonly together?: ReadonlyArray<ReadonlyArray<Step>>
  /** Leaves a sleeping process in our group, and sends its pid as text. */
  readonly child?: true
  /** Leaves a process in its own group that keeps our stdout and stderr open, as a daemon does. */
  readonly daemon?: true
  /** Ends the process immediately: by an exit code, or by a signal's name. */
  readonly crash?: number | string
  /** Ends the turn with this error. */
  readonly error?: ErrorReply
  /** Ends the turn with this stop reason. Without a `stop` or an `error`: `end_turn`. */
  readonly stop?: string
  /** Plays these steps after the response to the prompt. */
  readonly after?: ReadonlyArray<Step>
}

/** The agent's behaviour outside of prompts: the file or the JSON text in `SCRIPTED_AGENT`. */
export interface Setup {
  /** Members that override the result of `initialize`. */
  readonly initialize?: JsonObject
  /** Members that override the result of `initialize`, for a client with the capability `elicitation`. */
  readonly initializeAsking?: JsonObject
  readonly initializeError?: ErrorReply
  /** Whether it answers -32000 until `authenticate` was called. */
  readonly authRequired?: boolean
  readonly authenticate?: { readonly error: ErrorReply }
  /** Played before the response to `authenticate`. */
  readonly onAuthenticate?: ReadonlyArray<Step>
  /** Members that override the result of `session/new` (`modes`, `configOptions`, …). */
  readonly newSession?: JsonObject
  /** The errors for the first calls of `session/new`, one each. */
  readonly newSessionErrors?: ReadonlyArray<ErrorReply>
  /** Methods that always get these errors. */
  readonly errors?: Readonly<Record<string, ErrorReply>>
  /** Methods that always get these results. */
  readonly results?: Readonly<Record<string, Json>>
  /** Whether it answers notifications with an error, which the protocol forbids. */
  readonly answersNotifications?: boolean
  /** Methods that get no response. */
  readonly silent?: ReadonlyArray<string>
  /** Milliseconds until it reads the first line: a slow start. */
  readonly startAfter?: number
  /** Whether it stops answering after a line that is not JSON. */
  readonly deafAfterNoise?: boolean
  /** Whether it refuses folders that are relative or missing. */
  readonly checksFolders?: boolean
  /** Whether it ignores everything before `initialize`. */
  readonly waitsForInitialize?: boolean
  /** Played before the response to `session/new`. */
  readonly beforeNewSession?: ReadonlyArray<Step>
  /** `session/load`, offered only if given. `replay` is played before the response, `replayAfter` after it. */
  readonly load?: {
    readonly replay?: ReadonlyArray<Step>
    readonly replayAfter?: ReadonlyArray<Step>
    readonly result?: Json
    readonly error?: ErrorReply
  }
  readonly resume?: { readonly result?: Json; readonly error?: ErrorReply }
  /**
   * `session/fork`, offered only if given. The copy has the id `copy`. `replay` is played before the response,
   * `replayAfter` after it.
   */
  readonly fork?: {
    readonly replay?: ReadonlyArray<Step>
    readonly replayAfter?: ReadonlyArray<Step>
    readonly result?: Json
    readonly error?: ErrorReply
  }
  readonly list?: JsonObject
  /** The options that follow from choosing a value: `{ model: { big: [ … ] } }`. By default only the value changes. */
  readonly dependentOptions?: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<JsonObject>>>>>
  /** The error for every change of an option. */
  readonly refuseOptions?: ErrorReply
  /** Played for prompts without a script: the first list for the first prompt, the last for all later ones. */
  readonly prompts?: ReadonlyArray<ReadonlyArray<Step>>
  /**
   * Played for prompts that contain a text, by that text; `empty` is for prompts without text. `{file}` in the steps is
   * the first name of a text file in the prompt.
   */
  readonly onPrompt?: Readonly<Record<string, ReadonlyArray<Step>>>
  /**
   * Accepts prompts within a turn (`_session/steering`), advertised only if given. Plays `steps`, then answers
   * `outcome`, by default `injected`.
   */
  readonly steering?: {
    readonly outcome?: string
    readonly error?: ErrorReply
    readonly steps?: ReadonlyArray<Step>
  }
  /**
   * The effect of `session/cancel`: ends the turn as `cancelled` (default), ends it as given here, or has no effect.
   */
  readonly onCancel?: "end" | "ignore" | { readonly error: ErrorReply } | { readonly stopReason: string }
  /** Played before the response to a cancelled turn's prompt. */
  readonly afterCancel?: ReadonlyArray<Step>
  /** Milliseconds from the cancel to its effect. */
  readonly cancelAfter?: number
  /** Milliseconds from the end of its stdin, or from SIGTERM, to the exit. */
  readonly exitAfter?: number
  /** Whether it stays alive when the client closes its stdin, or after SIGTERM. */
  readonly ignoreEof?: boolean
  readonly ignoreSigterm?: boolean
}
