/**
 * gemini-cli 0.61.0 before it writes a new file: it reads it, and takes its words for an error of the answer. It knows a missing file by
 * "does not exist" in them, and builds of 2025 give up on any error.
 */
export const geminiNewFile = (path: string) => [{ request: { method: "fs/read_text_file", params: { path } } }]
