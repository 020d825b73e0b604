// `npm run dev`: the server, started again whenever its source changes, and the page from Vite, which updates it in place.
// Each start of the server has a new token, so that a link is printed each time. Ctrl-C ends both.
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createServer } from "vite"

const root = fileURLToPath(new URL("..", import.meta.url))
const port = Number(process.env.PORT ?? 4177)
const server = `http://127.0.0.1:${port}`

const stateBase = process.env.XDG_STATE_HOME || join(homedir(), ".local", "state")
const stateDirectory = process.env.SIGNALBOX_STATE_DIR || join(stateBase, "signalbox")

/**
 * The server talks to its own page only. The page from Vite stands in for it: its requests go on under the server's name. Those of any other
 * origin keep theirs, so that the server refuses them.
 */
const standIn = (proxy) => {
  const rename = (outgoing, request) => {
    if (request.headers.origin === `http://${request.headers.host}`) outgoing.setHeader("origin", server)
  }
  proxy.on("proxyReq", rename)
  proxy.on("proxyReqWs", rename)
  proxy.on("error", () => {})
}
const forwarded = { target: server, changeOrigin: true, configure: standIn }

const vite = await createServer({
  root: join(root, "apps", "web"),
  clearScreen: false,
  server: { proxy: { "/rpc": { ...forwarded, ws: true }, "/session": forwarded, "/health": forwarded } }
})
await vite.listen()
const page = vite.resolvedUrls?.local[0] ?? `http://127.0.0.1:${vite.config.server.port}/`

const child = spawn(
  process.execPath,
  [
    "--watch",
    "--watch-preserve-output",
    join(root, "apps", "server", "src", "bin.ts"),
    "serve",
    "--port",
    String(port)
  ],
  { cwd: root, stdio: ["inherit", "ignore", "inherit"] }
)

let told = ""
const tellLink = () => {
  try {
    const { token, url } = JSON.parse(readFileSync(join(stateDirectory, "server.json"), "utf8"))
    if (url !== server || token === told) return
    told = token
    console.log(`\n  ${page}#token=${token}\n`)
  } catch {
    // The server is not there yet, or between two starts.
  }
}
const telling = setInterval(tellLink, 300)

const end = async () => {
  clearInterval(telling)
  child.kill("SIGTERM")
  await vite.close()
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => void end())
child.once("exit", (code) => {
  void end().then(() => process.exit(code ?? 0))
})
