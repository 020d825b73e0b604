/**
 * gemini-cli 0.61.0, `write_file` of a new file: it reads the file twice, first for the diff that it asks about, and then writes it. An
 * error to either reading ends the call as failed ("Error checking existing file: …"), and nothing is written.
 */
export const geminiNewFile = (path: string) => {
  const read = { request: { method: "fs/read_text_file", params: { path } } }
  return [read, read]
}
