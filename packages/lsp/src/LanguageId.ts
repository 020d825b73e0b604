/** The language of a file by its name, as the protocol names languages. */
import { basename, extname } from "node:path"

const byExtension = new Map(
  Object.entries({
    ".bash": "shellscript",
    ".bats": "shellscript",
    ".c": "c",
    ".cc": "cpp",
    ".cjs": "javascript",
    ".clj": "clojure",
    ".cpp": "cpp",
    ".cs": "csharp",
    ".css": "css",
    ".cts": "typescript",
    ".cxx": "cpp",
    ".dart": "dart",
    ".ex": "elixir",
    ".exs": "elixir",
    ".go": "go",
    ".h": "c",
    ".hpp": "cpp",
    ".hs": "haskell",
    ".htm": "html",
    ".html": "html",
    ".java": "java",
    ".js": "javascript",
    ".json": "json",
    ".jsonc": "jsonc",
    ".jsx": "javascriptreact",
    ".kt": "kotlin",
    ".less": "less",
    ".lua": "lua",
    ".md": "markdown",
    ".mjs": "javascript",
    ".mts": "typescript",
    ".php": "php",
    ".pl": "perl",
    ".py": "python",
    ".pyi": "python",
    ".r": "r",
    ".rb": "ruby",
    ".rs": "rust",
    ".scala": "scala",
    ".scss": "scss",
    ".sh": "shellscript",
    ".sql": "sql",
    ".svelte": "svelte",
    ".swift": "swift",
    ".toml": "toml",
    ".ts": "typescript",
    ".tsx": "typescriptreact",
    ".vue": "vue",
    ".xml": "xml",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".zig": "zig",
    ".zsh": "shellscript"
  })
)

const byName = new Map(
  Object.entries({
    ".bashrc": "shellscript",
    ".profile": "shellscript",
    Dockerfile: "dockerfile",
    Makefile: "makefile",
    "go.mod": "go.mod",
    "go.sum": "go.sum",
    "tsconfig.json": "jsonc"
  })
)

/** The language's identifier. `plaintext` if the name says nothing. */
export const ofPath = (path: string): string =>
  byName.get(basename(path)) ?? byExtension.get(extname(path).toLowerCase()) ?? "plaintext"
