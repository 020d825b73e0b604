import type { Incoming } from "./Connection.ts"
import type { Emulator } from "./Emulator.ts"
import { textIn, type Json } from "../Json.ts"
import { catalogue, findModel, type Model } from "./Models.ts"
import { findMode, type ModeId } from "./Modes.ts"
import { invalidParams } from "./RpcError.ts"
import type { Session } from "./Session.ts"
import { configOptions } from "./SessionMethods.ts"

/** Sets the mode. The update is sent before the result. */
export const setMode = async (emulator: Emulator, incoming: Incoming): Promise<void> => {
  const session = sessionIn(emulator, incoming)
  changeMode(session, textIn(incoming.params, "modeId"))
  announceMode(emulator, session)
  incoming.reply({})
}

export const setModel = async (emulator: Emulator, incoming: Incoming): Promise<void> => {
  const session = sessionIn(emulator, incoming)
  chooseModel(emulator, session, textIn(incoming.params, "modelId"))
  incoming.reply({})
}

/**
 * Answers with all options, since a new model has other parameters. Only a change of mode is also sent as an update,
 * afterwards.
 */
export const setConfigOption = async (emulator: Emulator, incoming: Incoming): Promise<void> => {
  const session = sessionIn(emulator, incoming)
  const configId = textIn(incoming.params, "configId") ?? ""
  const value = incoming.params["value"]
  if (configId === "mode") changeMode(session, typeof value === "string" ? value : undefined)
  else if (configId === "model") chooseModel(emulator, session, typeof value === "string" ? value : undefined)
  else chooseParameter(emulator, session, configId, value)
  incoming.reply({ configOptions: configOptions(emulator).all(session.mode, session.selection) })
  if (configId === "mode") announceMode(emulator, session)
}

/** Cursor's own method: lists every model with its parameters, without choosing one. */
export const listAvailableModels = async (emulator: Emulator, incoming: Incoming): Promise<void> => {
  const { quirks } = emulator.environment
  if (quirks.has("slow_models")) await emulator.timeline.wait(quirks.number("slow_models", 11_600))
  const options = configOptions(emulator)
  incoming.reply({
    models: catalogue.map((model) => ({
      value: model.id,
      name: model.name,
      configOptions: options.parameters(model, emulator.selection)
    }))
  })
}

const sessionIn = (emulator: Emulator, incoming: Incoming): Session => {
  const id = textIn(incoming.params, "sessionId") ?? ""
  const session = emulator.sessions.get(id)
  if (session === undefined) throw invalidParams(`Session "${id}" not found`)
  return session
}

const changeMode = (session: Session, wanted: string | undefined): void => {
  const mode: ModeId | undefined = wanted === undefined ? undefined : findMode(wanted)
  if (mode === undefined) throw invalidParams(`Invalid mode value: ${wanted ?? ""}`)
  session.mode = mode
}

const announceMode = (emulator: Emulator, session: Session): void =>
  emulator.update(session.id, { sessionUpdate: "current_mode_update", currentModeId: session.mode })

const chooseModel = (emulator: Emulator, session: Session, wanted: string = ""): void => {
  const { quirks } = emulator.environment
  const autoOnly = quirks.has("set_model_auto_only") && !["auto", "default", "default[]"].includes(wanted)
  const model: Model | undefined =
    emulator.client?.parameterizedModelPicker === true ? findModel(wanted) : session.selection.findVariant(wanted)
  if (model === undefined || autoOnly) throw invalidParams(`Invalid model value: ${wanted}`)
  session.selection.choose(model)
  persist(emulator, session)
}

const chooseParameter = (emulator: Emulator, session: Session, id: string, value: Json | undefined): void => {
  const picks = emulator.client?.parameterizedModelPicker === true
  const parameter = picks ? session.selection.model.parameters.find((candidate) => candidate.id === id) : undefined
  if (parameter === undefined) throw invalidParams(`Unknown model config option: ${id}`)
  const text = typeof value === "boolean" || typeof value === "string" ? String(value) : ""
  if (!parameter.values.includes(text)) throw invalidParams(`Invalid value for ${id}: ${text}`)
  session.selection.set(parameter, text)
  persist(emulator, session)
}

/** Stores the choice as the user's default, if `model_global` is on. */
const persist = (emulator: Emulator, session: Session): void => {
  if (emulator.environment.quirks.has("model_global")) emulator.config.update(session.selection.config)
}
