import type { Environment } from "./Environment.ts"
import type { JsonObject } from "../Json.ts"
import { catalogue, parameterTexts, valueNames, type Model, type Parameter } from "./Models.ts"
import type { ModelSelection } from "./ModelSelection.ts"
import { modes } from "./Modes.ts"

/** How settings are written on the wire: by generation, switches, and whether the client picks parameters itself. */
export class ConfigOptions {
  readonly #environment: Environment
  readonly #parameterized: boolean

  constructor(environment: Environment, parameterized: boolean) {
    this.#environment = environment
    this.#parameterized = parameterized
  }

  all(mode: string, selection: ModelSelection): ReadonlyArray<JsonObject> {
    const options = [this.#mode(mode), this.#model(selection)]
    return this.#parameterized ? [...options, ...this.parameters(selection.model, selection)] : options
  }

  /** The legacy `models` member of a new session. */
  models(selection: ModelSelection): JsonObject {
    return {
      currentModelId: this.#modelId(selection.model, selection),
      availableModels: catalogue.map((model) => ({
        modelId: this.#modelId(model, selection),
        name: this.#modelName(model)
      }))
    }
  }

  parameters(model: Model, selection: ModelSelection): ReadonlyArray<JsonObject> {
    return model.parameters.map((item) => this.#parameter(item, selection.value(item, model)))
  }

  #modelId(model: Model, selection: ModelSelection): string {
    return this.#parameterized ? model.id : selection.variant(model)
  }

  #modelName(model: Model): string {
    const bare = !this.#parameterized && this.#environment.quirks.has("names_bare")
    return bare && model.id !== "default" ? model.id : model.name
  }

  #mode(mode: string): JsonObject {
    return {
      id: "mode",
      name: "Mode",
      description: "Controls how the agent executes tasks",
      category: "mode",
      type: "select",
      currentValue: mode,
      options: modes.map(({ id, name, description }) => ({ value: id, name, description }))
    }
  }

  #model(selection: ModelSelection): JsonObject {
    const variants = !this.#parameterized && this.#environment.generation === "2026.10"
    return {
      id: "model",
      name: "Model",
      description: `Controls which model${variants ? " variant" : ""} is used for responses`,
      category: "model",
      type: "select",
      currentValue: this.#modelId(selection.model, selection),
      options: catalogue.map((model) => ({ value: this.#modelId(model, selection), name: this.#modelName(model) }))
    }
  }

  #parameter(parameter: Parameter, value: string): JsonObject {
    const { quirks } = this.#environment
    const described = { id: parameter.id, ...parameterTexts[parameter.id] }
    const toggles = parameter.id === "thinking" || parameter.id === "fast"
    if (toggles && quirks.has("bool_params")) return { ...described, type: "boolean", currentValue: value === "true" }
    const on = quirks.has("icon_names")
      ? { thinking: ":icon-brain:", fast: "Fast\u200b" }
      : { thinking: "On", fast: "Fast" }
    const nameOf = (option: string) => {
      if (parameter.id !== "thinking" && parameter.id !== "fast") return valueNames[option] ?? option
      return option === "true" ? on[parameter.id] : "Off"
    }
    return {
      ...described,
      type: "select",
      currentValue: value,
      options: parameter.values.map((option) => ({ value: option, name: nameOf(option) }))
    }
  }
}
