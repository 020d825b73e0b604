import { isObject, listIn, objectIn, textIn, type JsonObject } from "../Json.ts"
import { catalogue, findModel, type Model, type Parameter } from "./Models.ts"

const initialModel = "composer-2.5"

/** The chosen model and, for every model, the parameters last chosen for it. */
export class ModelSelection {
  #model: Model
  readonly #values = new Map<string, string>()

  constructor(modelId: string = initialModel) {
    const model = findModel(modelId)
    if (model === undefined) throw new Error(`no model ${modelId}`)
    this.#model = model
  }

  /** From a `cli-config.json`; whatever is not in the catalogue any more is passed over. */
  static stored(config: JsonObject): ModelSelection {
    const selected = objectIn(config, "selectedModel")
    const model = findModel(textIn(selected, "modelId") ?? "")
    const selection = new ModelSelection(model?.id)
    for (const entry of listIn(selected, "parameters")) {
      if (!isObject(entry)) continue
      const parameter = model?.parameters.find((candidate) => candidate.id === entry["id"])
      const value = textIn(entry, "value")
      if (parameter !== undefined && value !== undefined && parameter.values.includes(value))
        selection.set(parameter, value)
    }
    return selection
  }

  /** The inverse of `stored`. */
  get config(): JsonObject {
    const parameters = this.#model.parameters.map((parameter) => ({ id: parameter.id, value: this.value(parameter) }))
    return { selectedModel: { modelId: this.#model.id, parameters } }
  }

  copy(): ModelSelection {
    const selection = new ModelSelection(this.#model.id)
    for (const [key, value] of this.#values) selection.#values.set(key, value)
    return selection
  }

  get model(): Model {
    return this.#model
  }

  choose(model: Model): void {
    this.#model = model
  }

  /** The current value of a parameter of the given model, by default the chosen one. */
  value(parameter: Parameter, model: Model = this.#model): string {
    return this.#values.get(`${model.id} ${parameter.id}`) ?? parameter.initial
  }

  set(parameter: Parameter, value: string): void {
    this.#values.set(`${this.#model.id} ${parameter.id}`, value)
  }

  /** Such as `composer-2.5[fast=true]`: how a model is called when parameters are not settings of their own. */
  variant(model: Model = this.#model): string {
    return `${model.id}[${model.parameters.map((item) => `${item.id}=${this.value(item, model)}`).join(",")}]`
  }

  /** Only strings that are listed can be chosen; `auto` and `default` always can. */
  findVariant(text: string): Model | undefined {
    if (text === "auto" || text === "default") return findModel(text)
    return catalogue.find((model) => this.variant(model) === text)
  }
}
