/** The language of a file, by its name, and its grammar, which is loaded when it is first needed. */
import { LanguageSupport, StreamLanguage, type StreamParser } from "@codemirror/language"
import { paced } from "./PacedParser.ts"

export interface Language {
  /** The name that people see. */
  readonly name: string
  /** Undefined for plain text. */
  readonly load?: () => Promise<LanguageSupport>
}

/** A grammar that reads the whole file. A legacy one ends at the screen by itself. */
const whole = (load: () => Promise<LanguageSupport>) => async () => paced(await load())

const javascript = (options: { readonly typescript?: boolean; readonly jsx?: boolean }) =>
  whole(async () => (await import("@codemirror/lang-javascript")).javascript(options))

const legacy = (load: () => Promise<StreamParser<unknown>>) => async () =>
  new LanguageSupport(StreamLanguage.define(await load()))

const shell = legacy(async () => (await import("@codemirror/legacy-modes/mode/shell")).shell)
const clike = (pick: "c" | "cpp" | "java") =>
  legacy(async () => (await import("@codemirror/legacy-modes/mode/clike"))[pick])

const languages: ReadonlyArray<Language & { readonly ends: ReadonlyArray<string> }> = [
  { name: "TypeScript", ends: ["ts", "mts", "cts"], load: javascript({ typescript: true }) },
  { name: "TypeScript JSX", ends: ["tsx"], load: javascript({ typescript: true, jsx: true }) },
  { name: "JavaScript", ends: ["js", "mjs", "cjs", "jsx"], load: javascript({ jsx: true }) },
  {
    name: "JSON",
    ends: ["json", "jsonc", "jsonl"],
    load: whole(async () => (await import("@codemirror/lang-json")).json())
  },
  { name: "Python", ends: ["py", "pyi"], load: whole(async () => (await import("@codemirror/lang-python")).python()) },
  { name: "Rust", ends: ["rs"], load: whole(async () => (await import("@codemirror/lang-rust")).rust()) },
  { name: "CSS", ends: ["css"], load: whole(async () => (await import("@codemirror/lang-css")).css()) },
  {
    name: "HTML",
    ends: ["html", "htm", "svg"],
    load: whole(async () => (await import("@codemirror/lang-html")).html())
  },
  {
    name: "Markdown",
    ends: ["md", "markdown"],
    load: whole(async () => (await import("@codemirror/lang-markdown")).markdown())
  },
  { name: "Shell", ends: ["sh", "bash", "zsh"], load: shell },
  { name: "Go", ends: ["go"], load: legacy(async () => (await import("@codemirror/legacy-modes/mode/go")).go) },
  {
    name: "YAML",
    ends: ["yaml", "yml"],
    load: legacy(async () => (await import("@codemirror/legacy-modes/mode/yaml")).yaml)
  },
  { name: "TOML", ends: ["toml"], load: legacy(async () => (await import("@codemirror/legacy-modes/mode/toml")).toml) },
  {
    name: "SQL",
    ends: ["sql"],
    load: legacy(async () => (await import("@codemirror/legacy-modes/mode/sql")).standardSQL)
  },
  { name: "C", ends: ["c", "h"], load: clike("c") },
  { name: "C++", ends: ["cc", "cpp", "cxx", "hpp"], load: clike("cpp") },
  { name: "Java", ends: ["java"], load: clike("java") }
]

const byEnd = new Map(languages.flatMap((language) => language.ends.map((end) => [end, language] as const)))

const plain: Language = { name: "Plain text" }

export const languageOf = (path: string): Language => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
  const dot = name.lastIndexOf(".")
  return (dot === -1 ? undefined : byEnd.get(name.slice(dot + 1))) ?? plain
}
