import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"

/** cline 3.0.65: its provider comes first and has the category of the model, which comes behind it. */
export const clineSettings: Setup = {
  newSession: {
    configOptions: [
      {
        type: "select",
        id: "provider",
        name: "Provider",
        description: "The authentication provider to use",
        category: "model",
        currentValue: "cline",
        options: [{ value: "cline", name: "Cline Usage-Billing" }]
      },
      {
        type: "select",
        id: "model",
        name: "Model",
        category: "model",
        currentValue: "large",
        options: [
          { value: "large", name: "Large" },
          { value: "small", name: "Small" }
        ]
      }
    ]
  }
}
