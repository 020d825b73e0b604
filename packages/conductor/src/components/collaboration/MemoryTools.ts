/** Tools of agents for the memory. They write below its folder only. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import { type Memory, type MemoryFailure, most } from "./Memory.ts"

const text = (description: string) => Schema.String.annotate({ description })
const persona = Schema.optional(text("The persona (default: that of the session)"))
const done = Schema.Struct({ done: Schema.String })

const LoadIdentity = Tool.make("load_identity", {
  description:
    "Reads who you are in this session: identity, insights, the last checkpoint of your work, and what the user has said of themselves.",
  parameters: Schema.Struct({ persona }),
  success: Schema.Struct({
    persona: Schema.String,
    identity: Schema.String,
    memory: Schema.optional(Schema.String),
    memoryFrom: Schema.optional(text("When the checkpoint was made")),
    insights: Schema.Array(Schema.String),
    profile: Schema.optional(Schema.String)
  }),
  failure: Schema.String
}).annotate(Tool.Readonly, true)

const CheckpointMemory = Tool.make("checkpoint_memory", {
  description: `Keeps what the next session needs to know, up to ${most.text} characters. It replaces the last checkpoint.`,
  parameters: Schema.Struct({ text: Schema.String, persona }),
  success: done,
  failure: Schema.String
})

const SaveInsight = Tool.make("save_insight", {
  description: `Keeps one thing that you have learned about working with the user, up to ${most.insight} characters.`,
  parameters: Schema.Struct({ text: Schema.String, persona }),
  success: done,
  failure: Schema.String
})

const FetchProfile = Tool.make("fetch_profile", {
  description: "Reads what the user has said of themselves.",
  success: Schema.Struct({ profile: Schema.optional(Schema.String) }),
  failure: Schema.String
}).annotate(Tool.Readonly, true)

const Setup = Tool.make("setup", {
  description: `Keeps what the user says of themselves, up to ${most.text} characters. It replaces what was there. Ask the user first.`,
  parameters: Schema.Struct({ profile: Schema.String }),
  success: done,
  failure: Schema.String
})

const ListPersonas = Tool.make("list_personas", {
  description: "Lists the personas that there are.",
  success: Schema.Struct({ personas: Schema.Array(Schema.String) }),
  failure: Schema.String
}).annotate(Tool.Readonly, true)

const CreatePersona = Tool.make("create_persona", {
  description: "Makes a persona with an identity: who you are when you work as it. Ask the user first.",
  parameters: Schema.Struct({ name: Schema.String, identity: Schema.String }),
  success: done,
  failure: Schema.String
})

const RenamePersona = Tool.make("rename_persona", {
  description: "Gives a persona another name. Ask the user first.",
  parameters: Schema.Struct({ from: Schema.String, to: Schema.String }),
  success: done,
  failure: Schema.String
})

export const toolkit = Toolkit.make(
  LoadIdentity,
  CheckpointMemory,
  SaveInsight,
  FetchProfile,
  Setup,
  ListPersonas,
  CreatePersona,
  RenamePersona
)

const inWords = Effect.mapError(({ message }: MemoryFailure) => message)

/** What the tools do in a session with this persona. */
export const layer = (memory: Memory, own: string) => {
  const said = (effect: Effect.Effect<unknown, MemoryFailure>, words: string) =>
    inWords(Effect.as(effect, { done: words }))
  return toolkit.toLayer({
    load_identity: ({ persona = own }) => inWords(memory.identity(persona)),
    checkpoint_memory: ({ persona = own, text }) => said(memory.checkpoint(persona, text), `Kept for ${persona}.`),
    save_insight: ({ persona = own, text }) =>
      inWords(
        Effect.map(memory.addInsight(persona, text), (count) => ({ done: `Kept. ${persona} has ${count} now.` }))
      ),
    fetch_profile: () => inWords(Effect.map(memory.profile, (profile) => (profile === undefined ? {} : { profile }))),
    setup: ({ profile }) => said(memory.setProfile(profile), "Kept."),
    list_personas: () => inWords(Effect.map(memory.list, (personas) => ({ personas }))),
    create_persona: ({ identity, name }) => said(memory.create(name, identity), `Made ${name}.`),
    rename_persona: ({ from, to }) => said(memory.rename(from, to), `${from} is ${to} now.`)
  })
}
