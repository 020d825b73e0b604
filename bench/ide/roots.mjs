// Ten folders that ask a language server each, one after the other, at a server whose settings allow three: `node roots.mjs`. It reads /proc for the
// language servers that run, and whether the one that ends is the one that was asked longest ago.
import { randomUUID } from "node:crypto"
import { readdirSync, readFileSync, readlinkSync, writeFileSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { report } from "../measure.mjs"
import { start } from "../processes.mjs"
import { connect } from "../servers/wire.mjs"
import { workshop } from "./project.mjs"

const limit = 3
const folders = 10
const made = workshop()
const state = join(made.folder, "state")
mkdirSync(state)
writeFileSync(
  join(state, "settings.json"),
  JSON.stringify({ languageServers: { typescript: made.entry }, languageServerLimit: limit })
)

const fieldsOf = (pid) => {
  try {
    return {
      pid,
      parent: Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ")[1]),
      words: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0"),
      folder: readlinkSync(`/proc/${pid}/cwd`)
    }
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}

/** The processes below one, at this moment. */
const below = (root) => {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => fieldsOf(Number(name)) ?? [])
  const found = []
  for (let parents = [root]; parents.length > 0;) {
    const children = all.filter(({ parent }) => parents.includes(parent))
    found.push(...children)
    parents = children.map(({ pid }) => pid)
  }
  return found
}

const isLanguageServer = ({ words }) => words.some((word) => word.endsWith("machine/typescript-language-server"))

const server = start("../apps/server/dist/bin.js", ["serve", "--port", "0", "--state-dir", state])
try {
  const [, url, token] = await server.line(/(http:\S+)\/#token=(\S+)/)
  const { call, socket } = await connect(url, token)
  const given = async (tag, payload) => {
    const exit = await call(tag, payload)
    if (exit._tag !== "Success") throw new Error(`${tag}: ${JSON.stringify(exit)}`)
    return exit.value
  }

  let most = 0
  let mostProcesses = 0
  let looks = 0
  const look = () => {
    const all = below(server.pid)
    looks += 1
    most = Math.max(most, all.filter(isLanguageServer).length)
    mostProcesses = Math.max(mostProcesses, all.length)
  }
  const timer = setInterval(look, 10)

  const pages = []
  for (let at = 0; at < folders; at++) {
    const { cwd, place } = made.project(`root-${at}`, 20)
    const threadId = randomUUID()
    await given("send", {
      commandId: randomUUID(),
      threadId,
      command: { type: "thread.create", provider: "scripted", cwd }
    })
    const me = { threadId, page: `page-${at}` }
    await new Promise((on) => void call("watchLanguage", me, ({ type }) => type === "on" && on()))
    pages.push({ cwd, me, place: place(1), isOpen: false })
  }

  /** Asks until the server has read its project. */
  const ask = async (page) => {
    const { cwd, me, place } = page
    if (!page.isOpen) {
      const text = readFileSync(join(cwd, place.path), "utf8")
      await given("reportToLanguage", { ...me, reports: [{ type: "opened", path: place.path, version: 1, text }] })
      page.isOpen = true
    }
    const position = { line: place.line, character: place.character }
    for (let tries = 0; tries < 50; tries++) {
      const answer = await given("findDefinitions", { ...me, path: place.path, version: 1, position })
      if (answer.type === "locations") return answer.total
      if (answer.type !== "none") throw new Error(JSON.stringify(answer))
    }
    throw new Error("There was no answer.")
  }

  // The first one is asked again before each new one, so it is never the oldest.
  let recent = []
  let wrong = 0
  let answered = 0
  for (const page of pages) {
    for (const each of page === pages[0] ? [page] : [pages[0], page]) {
      answered += (await ask(each)) > 0 ? 1 : 0
      recent = [each.cwd, ...recent.filter((cwd) => cwd !== each.cwd)].slice(0, limit)
    }
    look()
    const there = below(server.pid)
      .filter(isLanguageServer)
      .map(({ folder }) => folder)
    if (there.length !== recent.length || !recent.every((cwd) => there.includes(cwd))) wrong += 1
  }
  clearInterval(timer)
  socket.close()
  report({ folders, answered, most, mostProcesses, looks, wrong })
} finally {
  await server.stop()
  made.remove()
}
