import type { JsonObject } from "../Json.ts"
import type { Turn } from "./Turn.ts"

/** The visible members of a tool call: at first, or after more is known. */
export interface Face {
  readonly title: string
  readonly rawInput: JsonObject
  readonly locations?: ReadonlyArray<JsonObject>
}

export interface ToolShape {
  readonly kind: "read" | "search" | "edit" | "delete" | "execute" | "fetch" | "other"
  /** The face before the arguments are known, such as `Terminal`. */
  readonly generic: Face
  /** The face with its arguments, such as `` `npm test` ``. Missing if the agent never sends it. */
  readonly detail?: Face
  /** Whether the call is announced with its arguments immediately, as reads and commands are since October. */
  readonly atOnce?: boolean
}

/** The result of a tool. Empty after a rejection. */
export interface Outcome {
  readonly rawOutput?: JsonObject
  readonly content?: ReadonlyArray<JsonObject>
}

const members = (face: Face): JsonObject => ({
  title: face.title,
  rawInput: face.rawInput,
  ...(face.locations === undefined ? {} : { locations: face.locations })
})

/** One tool call on the wire, in the frames of the generation. */
export class Tool {
  readonly id: string
  readonly #turn: Turn
  readonly #shape: ToolShape
  #face: Face

  /** Makes a call with an id, before it is on the wire. */
  constructor(turn: Turn, shape: ToolShape) {
    this.#turn = turn
    this.#shape = shape
    this.#face = shape.detail ?? shape.generic
    this.id = turn.emulator.toolCallId()
  }

  static open(turn: Turn, shape: ToolShape): Tool {
    const tool = new Tool(turn, shape)
    tool.open()
    return tool
  }

  open(): void {
    const { generic, detail, atOnce } = this.#shape
    const { quirks } = this.#turn
    this.#turn.openTools.add(this.id)
    const later = quirks.has("enrich_update") && atOnce !== true
    if (detail !== undefined && (quirks.has("dup_tool_call") || quirks.has("generic_tool_call") || later)) {
      this.#announce(generic)
      this.enrich(detail)
    } else this.#announce(detail ?? generic)
  }

  /** Sends the arguments of an open call: by a second `tool_call`, by an update without status, or never. */
  enrich(face: Face): void {
    this.#face = face
    const { quirks } = this.#turn
    if (quirks.has("dup_tool_call")) this.#announce(face)
    else if (!quirks.has("generic_tool_call"))
      this.#turn.update({ sessionUpdate: "tool_call_update", toolCallId: this.id, ...members(face) })
  }

  start(): void {
    this.#turn.update({ sessionUpdate: "tool_call_update", toolCallId: this.id, status: "in_progress" })
  }

  /** Completes the call. It is the only end, since Cursor's tools never report `failed`. */
  complete(outcome: Outcome = {}): void {
    const { rawOutput, content } = outcome
    const result: JsonObject = {
      ...(rawOutput === undefined ? {} : { rawOutput }),
      ...(content === undefined ? {} : { content })
    }
    this.#turn.openTools.delete(this.id)
    this.#turn.record({ type: "tool", call: { kind: this.#shape.kind, ...members(this.#face) }, outcome: result })
    this.#turn.update({
      sessionUpdate: "tool_call_update",
      toolCallId: this.id,
      status: "completed",
      ...result
    })
  }

  #announce(face: Face): void {
    this.#turn.update({
      sessionUpdate: "tool_call",
      toolCallId: this.id,
      title: face.title,
      kind: this.#shape.kind,
      status: "pending",
      rawInput: face.rawInput,
      ...(face.locations === undefined ? {} : { locations: face.locations })
    })
  }
}
