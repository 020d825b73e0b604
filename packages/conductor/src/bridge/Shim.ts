/** The program that an agent starts for a server, where it takes programs only. It passes lines on, and holds no logic. */
import * as StdioRelay from "./StdioRelay.ts"

/** Variables that the program reads. Arguments could be read by everyone on the machine. */
const Variable = { url: "SIGNALBOX_MCP_URL", token: "SIGNALBOX_MCP_TOKEN" } as const

/** The program's text: its standard input is the body of one request, and the answer is its standard output. */
const text = `
const { request } = require("node:http")
const { ${Variable.url}: url, ${Variable.token}: token } = process.env
const fail = (message) => {
  console.error("Signalbox's MCP bridge: " + message)
  process.exit(1)
}
const headers = { authorization: "Bearer " + token, "content-type": "${StdioRelay.contentType}" }
const post = request(url, { method: "POST", headers }, (response) => {
  if (response.statusCode !== 200) fail("status " + response.statusCode)
  response.on("error", ({ message }) => fail(message))
  response.on("end", () => process.exit(0))
  response.pipe(process.stdout)
})
post.on("error", ({ message }) => fail(message))
process.stdout.on("error", ({ message }) => fail(message))
post.flushHeaders()
process.stdin.pipe(post)
`

/** The program, as an agent is asked to start it. */
export const program = (url: string, token: string) => ({
  command: process.execPath,
  args: ["--eval", text],
  env: [
    { name: Variable.url, value: url },
    { name: Variable.token, value: token }
  ]
})
