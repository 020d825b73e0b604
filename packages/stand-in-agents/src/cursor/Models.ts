export type ParameterId = "thinking" | "context" | "effort" | "reasoning" | "reasoning_effort" | "fast"

interface ParameterText {
  readonly name: string
  readonly description: string
  readonly category: string
}

/** How each knob is called in the settings. */
export const parameterTexts: Readonly<Record<ParameterId, ParameterText>> = {
  thinking: {
    name: "Thinking",
    description: "Does the model use thinking to generate its response?",
    category: "thought_level"
  },
  context: { name: "Context", description: "Context size the model has available.", category: "model_config" },
  effort: {
    name: "Effort",
    description: "Effort the model uses to generate its response.",
    category: "thought_level"
  },
  reasoning: {
    name: "Reasoning",
    description: "Reasoning effort the model uses to generate its response.",
    category: "thought_level"
  },
  reasoning_effort: {
    name: "Reasoning Effort",
    description: "Reasoning effort the model uses to generate its response.",
    category: "thought_level"
  },
  fast: { name: "Fast", description: "2x more expensive, but significantly faster speeds.", category: "model_config" }
}

export const valueNames: Readonly<Record<string, string>> = {
  "200k": "200K",
  "256k": "256K",
  "272k": "272K",
  "300k": "300K",
  "1m": "1M",
  none: "None",
  low: "Low",
  medium: "Medium",
  high: "High",
  xhigh: "Extra High",
  "extra-high": "Extra High",
  max: "Max"
}

export interface Parameter {
  readonly id: ParameterId
  readonly values: ReadonlyArray<string>
  readonly initial: string
}

export interface Model {
  readonly id: string
  readonly name: string
  /** In the order in which the model's variant strings name them. */
  readonly parameters: ReadonlyArray<Parameter>
}

const parameter = (id: ParameterId, initial: string, ...values: ReadonlyArray<string>): Parameter => ({
  id,
  values,
  initial
})
const toggle = (id: ParameterId, initial: boolean) => parameter(id, String(initial), "false", "true")

/** Few models, but every kind of parameter. */
export const catalogue: ReadonlyArray<Model> = [
  { id: "default", name: "Auto", parameters: [] },
  { id: "composer-2.5", name: "Composer 2.5", parameters: [toggle("fast", true)] },
  {
    id: "grok-4.7",
    name: "Grok 4.7",
    parameters: [
      parameter("context", "256k", "256k"),
      parameter("reasoning_effort", "high", "low", "medium", "high"),
      toggle("fast", true)
    ]
  },
  {
    id: "claude-opus-5",
    name: "Opus 5",
    parameters: [
      toggle("thinking", true),
      parameter("context", "300k", "300k", "1m"),
      parameter("effort", "high", "low", "medium", "high", "xhigh", "max"),
      toggle("fast", false)
    ]
  },
  {
    id: "claude-sonnet-4",
    name: "Sonnet 4",
    parameters: [toggle("thinking", false), parameter("context", "200k", "200k", "1m")]
  },
  {
    id: "gpt-5.6-sol",
    name: "GPT-5.6 Sol",
    parameters: [
      parameter("context", "272k", "272k", "1m"),
      parameter("reasoning", "medium", "none", "low", "medium", "high", "extra-high"),
      toggle("fast", false)
    ]
  },
  { id: "glm-5.2", name: "GLM 5.2", parameters: [parameter("reasoning", "high", "high", "max")] },
  { id: "gemini-3.1-pro", name: "Gemini 3.1 Pro", parameters: [] }
]

export const findModel = (id: string): Model | undefined =>
  catalogue.find((model) => model.id === (id === "auto" ? "default" : id))
