/** The language of a file by its name, as editors call it. */
import { extname } from "node:path"

const known: Readonly<Record<string, string>> = {
  c: "c",
  cc: "cpp",
  cjs: "javascript",
  cpp: "cpp",
  cs: "csharp",
  css: "css",
  cts: "typescript",
  dart: "dart",
  ex: "elixir",
  exs: "elixir",
  go: "go",
  h: "c",
  hpp: "cpp",
  hs: "haskell",
  html: "html",
  java: "java",
  js: "javascript",
  json: "json",
  jsx: "javascriptreact",
  kt: "kotlin",
  lua: "lua",
  md: "markdown",
  mjs: "javascript",
  mts: "typescript",
  php: "php",
  pl: "perl",
  py: "python",
  r: "r",
  rb: "ruby",
  rs: "rust",
  scala: "scala",
  scss: "scss",
  sh: "shellscript",
  sql: "sql",
  swift: "swift",
  toml: "toml",
  ts: "typescript",
  tsx: "typescriptreact",
  vue: "vue",
  xml: "xml",
  yaml: "yaml",
  yml: "yaml",
  zig: "zig"
}

/** `plaintext` if the name says nothing. */
export const of = (path: string): string => {
  const extension = extname(path).slice(1).toLowerCase()
  return Object.hasOwn(known, extension) ? (known[extension] ?? "plaintext") : "plaintext"
}
