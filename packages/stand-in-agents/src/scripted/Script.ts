/** What the scripted agent can be told to do. Scripts are JSON; nothing in them is checked for sense, since sending nonsense is the point. */
import type { Json, JsonObject } from "../Json.ts"

/** An error to answer with, as JSON-RPC has it. */
export interface ErrorReply {
  readonly code: number
  readonly message: string
  readonly data?: Json
}

/** One thing to do. A step has exactly one of these members, besides those in brackets. */
export interface Step {
  /** An `agent_message_chunk`. (`messageId`) */
  readonly text?: string
  readonly messageId?: string
  /** An `agent_thought_chunk`. */
  readonly thought?: string
  /** A `user_message_chunk`: for replays. */
  readonly user?: string
  /** Any update, as it is. */
  readonly update?: JsonObject
  /** `session/request_permission` with these params; the steps under the answer's option id, or `cancelled`, follow. (`on`) */
  readonly permission?: JsonObject
  /**
   * Any request to the client; its answer is told as text. (`on.result`, `on.error`: played after it) It is about the session
   * unless it names a `requestId`. `{terminal:1}` stands for the id of the first terminal that the client has made.
   */
  readonly request?: { readonly method: string; readonly params: JsonObject }
  readonly on?: Readonly<Record<string, ReadonlyArray<Step>>>
  readonly notify?: { readonly method: string; readonly params: JsonObject }
  /** A whole JSON-RPC message, as it is: wrong ids, wrong shapes. */
  readonly message?: Json
  /** Characters, as they are: no line end is added. */
  readonly raw?: string
  /** Bytes, as they are. */
  readonly rawBase64?: string
  /** From here on everything is written in pieces of so many bytes; 0 ends that. */
  readonly pieces?: number
  readonly stderr?: string
  /** Writes a file of that name into the folder that it works in. */
  readonly write?: string
  /** How often: for `stderr` and `raw`. */
  readonly times?: number
  /** Milliseconds. A cancel ends the wait. */
  readonly wait?: number
  readonly waitForCancel?: true
  /** Plays the steps so often; `{i}` in their texts is the round. (`steps`) */
  readonly repeat?: number
  readonly steps?: ReadonlyArray<Step>
  /** Plays several lists side by side. */
  readonly together?: ReadonlyArray<ReadonlyArray<Step>>
  /** Leaves a sleeping process in our group and tells its pid as text. */
  readonly child?: true
  /** Leaves a process in a group of its own, with our stdout and stderr kept open: what a daemon does. */
  readonly daemon?: true
  /** Ends the process at once: an exit code, or a signal by name. */
  readonly crash?: number | string
  /** Ends the turn with this error. */
  readonly error?: ErrorReply
  /** Ends the turn with this stop reason. Without a `stop` or an `error`: `end_turn`. */
  readonly stop?: string
  /** Played after the prompt was answered. */
  readonly after?: ReadonlyArray<Step>
}

/** How the agent behaves outside of prompts: the file or the JSON text that `SCRIPTED_AGENT` names. */
export interface Setup {
  /** Members laid over the result of `initialize`. */
  readonly initialize?: JsonObject
  /** Members laid over the result of `initialize`, for a client that says it can ask people (`elicitation`). */
  readonly initializeAsking?: JsonObject
  readonly initializeError?: ErrorReply
  /** Whether -32000 is answered until `authenticate` was called. */
  readonly authRequired?: boolean
  readonly authenticate?: { readonly error: ErrorReply }
  /** Played before `authenticate` is answered. */
  readonly onAuthenticate?: ReadonlyArray<Step>
  /** Members laid over the result of `session/new` (`modes`, `configOptions`, …). */
  readonly newSession?: JsonObject
  /** Answers to the first calls of `session/new`, one each. */
  readonly newSessionErrors?: ReadonlyArray<ErrorReply>
  /** What these methods are always answered with. */
  readonly errors?: Readonly<Record<string, ErrorReply>>
  /** The results that these methods are always answered with. */
  readonly results?: Readonly<Record<string, Json>>
  /** Answers notifications, which nobody may, with an error. */
  readonly answersNotifications?: boolean
  /** Methods that are never answered. */
  readonly silent?: ReadonlyArray<string>
  /** Milliseconds until the first line is read: a slow start. */
  readonly startAfter?: number
  /** Says nothing any more after a line that is no JSON. */
  readonly deafAfterNoise?: boolean
  /** Refuses folders that are not absolute, or that are not there. */
  readonly checksFolders?: boolean
  /** Says nothing to what comes before `initialize`. */
  readonly waitsForInitialize?: boolean
  /** Played before `session/new` is answered. */
  readonly beforeNewSession?: ReadonlyArray<Step>
  /** Offered only when given; `replay` comes before the answer, `replayAfter` behind it. */
  readonly load?: {
    readonly replay?: ReadonlyArray<Step>
    readonly replayAfter?: ReadonlyArray<Step>
    readonly result?: Json
    readonly error?: ErrorReply
  }
  readonly resume?: { readonly result?: Json; readonly error?: ErrorReply }
  /** Offered only when given; the copy has the id `copy`, `replay` is told of it before the answer, `replayAfter` behind it. */
  readonly fork?: {
    readonly replay?: ReadonlyArray<Step>
    readonly replayAfter?: ReadonlyArray<Step>
    readonly result?: Json
    readonly error?: ErrorReply
  }
  readonly list?: JsonObject
  /** The option set that follows from choosing a value: `{ model: { big: [ … ] } }`. Otherwise only the value changes. */
  readonly dependentOptions?: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<JsonObject>>>>>
  /** Every change of an option is answered with this. */
  readonly refuseOptions?: ErrorReply
  /** Played for prompts that hold no script: the first for the first prompt, the last for all that follow. */
  readonly prompts?: ReadonlyArray<ReadonlyArray<Step>>
  /**
   * Played for prompts that hold a text, by that text; under `empty` for those without any. `{file}` in the steps is the first name of
   * a text file in the prompt.
   */
  readonly onPrompt?: Readonly<Record<string, ReadonlyArray<Step>>>
  /** Takes prompts into its turn (`_session/steering`), advertised only when given: plays `steps`, then answers `outcome`, else `injected`. */
  readonly steering?: {
    readonly outcome?: string
    readonly error?: ErrorReply
    readonly steps?: ReadonlyArray<Step>
  }
  /** What `session/cancel` does: end the turn `cancelled` (default) or as given here, or nothing. */
  readonly onCancel?: "end" | "ignore" | { readonly error: ErrorReply } | { readonly stopReason: string }
  /** Played before the prompt of a cancelled turn is answered. */
  readonly afterCancel?: ReadonlyArray<Step>
  /** Milliseconds from the cancel to its effect. */
  readonly cancelAfter?: number
  /** Milliseconds from the end of our stdin, or from SIGTERM, to the exit. */
  readonly exitAfter?: number
  /** Stay alive when the client closes our stdin, or ignore SIGTERM. */
  readonly ignoreEof?: boolean
  readonly ignoreSigterm?: boolean
}
