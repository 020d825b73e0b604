import { isList, isObject, objectIn, parseJson, textIn, type Json, type JsonObject } from "../Json.ts"
import { findMode, type ModeId } from "./Modes.ts"
import type { Session, Step, TurnRecord } from "./Session.ts"
import type { StateFolder } from "./StateFolder.ts"

const folder = "acp-sessions"

export interface StoredSession {
  readonly id: string
  readonly cwd: string
  readonly title: string | undefined
  readonly mode: ModeId
  readonly updatedAt: string
  readonly turns: ReadonlyArray<TurnRecord>
}

/** Sessions on disk, `acp-sessions/<id>/{meta.json,turns.jsonl}`: any process with the same state folder can load them. */
export class SessionStore {
  readonly #state: StateFolder

  constructor(state: StateFolder) {
    this.#state = state
  }

  save(session: Session): void {
    const meta: JsonObject = {
      schemaVersion: 1,
      cwd: session.cwd,
      title: session.title,
      mode: session.mode,
      updatedAt: new Date().toISOString()
    }
    this.#state.write(`${JSON.stringify(meta)}\n`, folder, session.id, "meta.json")
  }

  append(session: Session, turn: TurnRecord): void {
    this.#state.append(`${JSON.stringify(turn)}\n`, folder, session.id, "turns.jsonl")
    this.save(session)
  }

  load(id: string): StoredSession | undefined {
    if (!/^[\w-]+$/.test(id)) return undefined
    const meta = parseJson(this.#state.read(folder, id, "meta.json") ?? "")
    if (!isObject(meta)) return undefined
    const lines = (this.#state.read(folder, id, "turns.jsonl") ?? "").split("\n")
    return {
      id,
      cwd: textIn(meta, "cwd") ?? "/",
      title: textIn(meta, "title"),
      mode: findMode(textIn(meta, "mode") ?? "agent") ?? "agent",
      updatedAt: textIn(meta, "updatedAt") ?? "",
      turns: lines.flatMap((line) => readTurn(parseJson(line)))
    }
  }

  list(): ReadonlyArray<StoredSession> {
    return this.#state
      .list(folder)
      .flatMap((id) => this.load(id) ?? [])
      .sort((left, right) => right.updatedAt.localeCompare(left.updatedAt))
  }
}

/** A line that was cut off by a kill is passed over. */
const readTurn = (value: Json | undefined): ReadonlyArray<TurnRecord> => {
  if (!isObject(value)) return []
  const steps = value["steps"]
  return [{ prompt: textIn(value, "prompt") ?? "", steps: isList(steps) ? steps.flatMap(readStep) : [] }]
}

const readStep = (value: Json): ReadonlyArray<Step> => {
  if (!isObject(value)) return []
  const { type } = value
  if (type === "tool") return [{ type, call: objectIn(value, "call"), outcome: objectIn(value, "outcome") }]
  if (type === "thought" || type === "message") return [{ type, text: textIn(value, "text") ?? "" }]
  return []
}
