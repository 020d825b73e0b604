// A language server by hand, without a dependency: `node flood-server.mjs HOW [COUNT]`.
// - `silent` reads, and never answers. `mute` answers `initialize` and no question.
// - `utf-8`, `utf-16`: counts places so. It answers `textDocument/hover`, and then publishes COUNT findings about the file, as tsserver
//   writes them. A definition stands at the end of the file that was asked about.
import { basename } from "node:path"

const [, , how, count = "0"] = process.argv
const lastLines = new Map()

const write = (message) => {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message })
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

/** One in four has a second place, as some errors of TypeScript have. */
const related = (uri, number) =>
  number % 4 > 0
    ? []
    : [
        {
          location: { uri, range: { start: { line: 0, character: 0 }, end: { line: 0, character: 9 } } },
          message: "The expected type comes from property 'one', which is declared here."
        }
      ]

const finding = (uri, number) => ({
  range: { start: { line: number % 5000, character: 4 }, end: { line: number % 5000, character: 9 } },
  severity: 1,
  code: 2322,
  source: "typescript",
  message: `Type 'string' is not assignable to type 'number'. This is finding ${number} of ${basename(uri)}.`,
  tags: [],
  relatedInformation: related(uri, number)
})

/** The message that publishes so many findings, as text. */
export const publication = (uri, length) => ({
  method: "textDocument/publishDiagnostics",
  params: { uri, diagnostics: Array.from({ length }, (_, number) => finding(uri, number)) }
})

const capabilities = {
  positionEncoding: how,
  textDocumentSync: { openClose: true, change: 2 },
  hoverProvider: true,
  definitionProvider: true
}

const receive = ({ id, method, params }) => {
  if (how === "silent") return undefined
  if (method === "initialize") return write({ id, result: { capabilities } })
  if (method === "shutdown") return write({ id, result: null })
  if (method === "exit") return process.exit(0)
  if (how === "mute") return undefined
  if (method === "textDocument/didOpen") {
    const { text, uri } = params.textDocument
    return lastLines.set(uri, text.split("\n").length - 1)
  }
  if (id === undefined) return undefined
  const uri = params?.textDocument?.uri
  const length = Number(count)
  if (method === "textDocument/definition") {
    const line = Math.max(0, (lastLines.get(uri) ?? 0) - 1)
    return write({ id, result: [{ uri, range: { start: { line, character: 0 }, end: { line, character: 3 } } }] })
  }
  write({ id, result: method === "textDocument/hover" ? { contents: "here" } : null })
  return method === "textDocument/hover" && length > 0 ? write(publication(uri, length)) : undefined
}

const serve = () => {
  let parts = []
  let size = 0
  /** The bytes of the first message, with its header. Undefined if its header is not there yet. */
  let needed
  process.stdin.on("data", (chunk) => {
    parts.push(chunk)
    size += chunk.length
    while (needed === undefined || size >= needed) {
      const all = Buffer.concat(parts)
      parts = [all]
      const end = all.indexOf("\r\n\r\n")
      if (end < 0) return
      const length = Number(/content-length: *(\d+)/i.exec(all.toString("latin1", 0, end))[1])
      needed = end + 4 + length
      if (size < needed) return
      const body = all.toString("utf8", end + 4, needed)
      parts = [all.subarray(needed)]
      size -= needed
      needed = undefined
      receive(JSON.parse(body))
    }
  })
  process.stdin.on("end", () => process.exit(0))
}

if (how !== undefined && process.argv[1]?.endsWith("flood-server.mjs")) serve()
