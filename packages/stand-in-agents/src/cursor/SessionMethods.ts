import { resolve } from "node:path"
import { ConfigOptions } from "./ConfigOptions.ts"
import type { Incoming } from "./Connection.ts"
import type { Emulator } from "./Emulator.ts"
import { textIn, type JsonObject } from "../Json.ts"
import { modes } from "./Modes.ts"
import { replay } from "./Replay.ts"
import { authenticationRequired, internalError, invalidParams } from "./RpcError.ts"
import type { Session } from "./Session.ts"

/** Settings as this client wants them written. */
export const configOptions = (emulator: Emulator): ConfigOptions =>
  new ConfigOptions(emulator.environment, emulator.client?.parameterizedModelPicker === true)

const requireAccount = (emulator: Emulator): void => {
  if (!emulator.account.authenticated) throw authenticationRequired()
}

export const newSession = async (emulator: Emulator, incoming: Incoming): Promise<void> => {
  const { quirks } = emulator.environment
  if (quirks.has("hang_new")) return
  if (emulator.client === undefined && !quirks.has("new_without_init"))
    throw internalError("Connection is not initialized")
  requireAccount(emulator)
  await emulator.timeline.wait(2700)
  if (quirks.has("new_transient_error") && emulator.takeFirstNew())
    throw internalError("Failed to initialize session services")
  const session = open(emulator, { id: emulator.random.uuid(), cwd: cwdIn(incoming), mode: "agent", title: undefined })
  incoming.reply({ sessionId: session.id, ...settings(emulator, session, true) })
  announceCommands(emulator, session)
}

/** Replays the session before it answers; nothing marks the replay as one. */
export const loadSession = async (emulator: Emulator, incoming: Incoming): Promise<void> => {
  const { quirks } = emulator.environment
  const id = textIn(incoming.params, "sessionId")
  if (id === undefined) throw invalidParams("sessionId is required")
  requireAccount(emulator)
  await emulator.timeline.wait(2700)
  const stored = quirks.has("load_not_found") ? undefined : (emulator.sessions.get(id) ?? emulator.store.load(id))
  if (stored === undefined) throw invalidParams(`Session "${id}" not found`)
  emulator.sessions.get(id)?.turn?.cancel()
  const session = open(emulator, { id, cwd: cwdIn(incoming), mode: stored.mode, title: stored.title })
  session.turns.push(...stored.turns)
  if (!quirks.has("load_no_replay")) for (const update of replay(session.turns)) emulator.update(id, update)
  incoming.reply({
    ...(quirks.has("load_no_session_id") ? {} : { sessionId: id }),
    ...settings(emulator, session, !quirks.has("load_no_config"))
  })
  announceCommands(emulator, session)
}

/** Not in pages: a `cursor` is refused. */
export const listSessions = async (emulator: Emulator, incoming: Incoming): Promise<void> => {
  requireAccount(emulator)
  if (incoming.params["cursor"] !== undefined) throw invalidParams("cursor is not supported")
  const cwd = textIn(incoming.params, "cwd")
  const sessions = emulator.store.list().filter((session) => cwd === undefined || session.cwd === cwd)
  incoming.reply({
    sessions: sessions.map(({ id, cwd, title, updatedAt }) => ({ sessionId: id, cwd, title, updatedAt }))
  })
}

const cwdIn = (incoming: Incoming): string => resolve(textIn(incoming.params, "cwd") ?? process.cwd())

const open = (emulator: Emulator, known: Pick<Session, "id" | "cwd" | "mode" | "title">): Session => {
  const shared = emulator.environment.quirks.has("model_global")
  const selection = shared ? emulator.selection : emulator.selection.copy()
  const session: Session = { ...known, selection, turns: [], turn: undefined }
  emulator.sessions.set(session.id, session)
  return session
}

const settings = (emulator: Emulator, session: Session, withConfig: boolean): JsonObject => {
  const modesNow = { currentModeId: session.mode, availableModes: modes }
  if (emulator.environment.generation === "2026.02") return { modes: modesNow }
  const options = configOptions(emulator)
  return {
    modes: modesNow,
    models: options.models(session.selection),
    ...(withConfig ? { configOptions: options.all(session.mode, session.selection) } : {})
  }
}

const commands = [
  { name: "copy-request-id", description: "Copy the last request id (global)" },
  {
    name: "review",
    description: "Review the changes of this branch (builtin skill)",
    input: { hint: "what to look at" }
  },
  { name: "release-notes", description: "Write release notes (user skill)" },
  { name: "scratch", description: "---" }
]

/** On its own schedule; a prompt may be running by then. */
const announceCommands = (emulator: Emulator, session: Session): void => {
  const announce = () =>
    emulator.update(session.id, { sessionUpdate: "available_commands_update", availableCommands: commands })
  if (emulator.environment.quirks.has("commands_late")) emulator.timeline.after(530, announce)
  else announce()
}
