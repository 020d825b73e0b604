import { catalogue, findModel, type Model } from "./Models.ts"
import type { ModelSelection } from "./ModelSelection.ts"

interface Slug {
  readonly slug: string
  readonly name: string
  readonly model: Model
  readonly values: Readonly<Record<string, string>>
}

const variant = (modelId: string, suffix: string, name: string, values: Readonly<Record<string, string>>) => {
  const model = findModel(modelId)
  return model === undefined ? [] : [{ slug: `${modelId}-${suffix}`, name: `${model.name} ${name}`, model, values }]
}

/** How models are called on the command line, which is not how they are called over ACP. */
const slugs: ReadonlyArray<Slug> = [
  ...catalogue.map((model) => ({
    slug: model.id === "default" ? "auto" : model.id,
    name: model.name,
    model,
    values: {}
  })),
  ...variant("gpt-5.6-sol", "high-fast", "High Fast", { reasoning: "high", fast: "true" }),
  ...variant("claude-opus-5", "thinking-high", "1M Thinking", { thinking: "true", effort: "high", context: "1m" })
]

/** The rows of `agent models`. */
export const slugRows = (current: Model): ReadonlyArray<string> =>
  slugs.map(({ slug, name, model, values }) => {
    const isCurrent = model === current && Object.keys(values).length === 0
    return `${slug} - ${name}${slug === "auto" ? " (default)" : ""}${isCurrent ? " (current)" : ""}`
  })

export const slugNames: ReadonlyArray<string> = slugs.map(({ slug }) => slug)

const parse = (text: string): Omit<Slug, "name"> | undefined => {
  const known = slugs.find(({ slug }) => slug === text)
  if (known !== undefined) return known
  const [, id = text, overrides = ""] = /^([^[]+)\[(.*)\]$/.exec(text) ?? []
  const model = findModel(id)
  if (model === undefined) return undefined
  const values = overrides.split(",").filter((item) => item !== "")
  return { slug: text, model, values: Object.fromEntries(values.map((item) => item.split("=", 2))) }
}

export const isSlug = (text: string): boolean => parse(text) !== undefined

/** Chooses what `--model` names, with quoted overrides such as `claude-opus-5[context=1m]`; ignores what is unknown. */
export const chooseSlug = (selection: ModelSelection, text: string): void => {
  const slug = parse(text)
  if (slug === undefined) return
  selection.choose(slug.model)
  for (const parameter of slug.model.parameters) {
    const value = slug.values[parameter.id]
    if (value !== undefined && parameter.values.includes(value)) selection.set(parameter, value)
  }
}
