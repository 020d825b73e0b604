import { defaultVersion, generations, parseGeneration, type Generation } from "./Generation.ts"
import { Quirks } from "./Quirks.ts"
import { StateFolder } from "./StateFolder.ts"

/** How the user is signed in: by a login, by a key in the environment, or not at all. */
export type Login = "ok" | "apikey" | "none"

/** What the FAKE_CURSOR_* variables say; the README has the table. */
export interface Environment {
  readonly generation: Generation
  readonly version: string
  readonly login: Login
  readonly quirks: Quirks
  readonly scenario: string | undefined
  readonly timeScale: number
  readonly logFile: string | undefined
  readonly state: StateFolder
  readonly seed: number | undefined
}

type Variables = Readonly<Record<string, string | undefined>>

const chosen = (variables: Variables, name: string): string | undefined => {
  const value = variables[name]
  return value === undefined || value === "" ? undefined : value
}

const number = (variables: Variables, name: string): number | undefined => {
  const text = chosen(variables, name)
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isFinite(value) || value < 0) throw new Error(`${name}: "${text}" is not a number`)
  return value
}

const login = (variables: Variables): Login => {
  const value = chosen(variables, "FAKE_CURSOR_AUTH")
  if (value === "ok" || value === "apikey" || value === "none") return value
  if (value !== undefined) throw new Error(`FAKE_CURSOR_AUTH: "${value}" is none of ok, apikey, none`)
  return (chosen(variables, "CURSOR_API_KEY") ?? chosen(variables, "CURSOR_AUTH_TOKEN")) ? "apikey" : "ok"
}

/** @throws Error naming the variable that cannot be read. */
export const readEnvironment = (variables: Variables): Environment => {
  const wanted = chosen(variables, "FAKE_CURSOR_GEN") ?? "2026.10"
  const generation = parseGeneration(wanted)
  if (generation === undefined) throw new Error(`FAKE_CURSOR_GEN: "${wanted}" is none of ${generations.join(", ")}`)
  return {
    generation,
    version: chosen(variables, "FAKE_CURSOR_VERSION") ?? defaultVersion[generation],
    login: login(variables),
    quirks: Quirks.parse(generation, variables["FAKE_CURSOR_QUIRKS"] ?? ""),
    scenario: chosen(variables, "FAKE_CURSOR_SCENARIO"),
    timeScale: number(variables, "FAKE_CURSOR_TIME_SCALE") ?? 1,
    logFile: chosen(variables, "FAKE_CURSOR_LOG"),
    state: StateFolder.of(variables),
    seed: number(variables, "FAKE_CURSOR_SEED")
  }
}
