// An agent that keeps sessions and wants a login, both in a file, so that they outlive its process. What it offers is in $KEEPER:
// { state, offers?: { session?, load?, auth? }, authMethods?, wantsLogin?: [methods], pageSize?, onAuthenticate?: [steps],
//   keepsPrompted?, furtherPagesWaitFor?: file, errors?: { method: error }, results?: { method: result } }
// Called with `login` it asks for a code on its terminal.
import {
  appendFileSync,
  existsSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync
} from "node:fs"
import { randomUUID } from "node:crypto"
import { dirname } from "node:path"
import { createInterface } from "node:readline"

const setup = JSON.parse(process.env.KEEPER ?? "{}")
const read = () => (existsSync(setup.state) ? JSON.parse(readFileSync(setup.state, "utf8")) : { sessions: [] })
// Others may read it meanwhile: they find it whole.
const write = (state) => {
  const draft = `${setup.state}.${process.pid}`
  writeFileSync(draft, JSON.stringify(state))
  renameSync(draft, setup.state)
}
// Takes the lock, which names its holder. One that was killed meanwhile holds nothing.
const take = (lock) => {
  try {
    symlinkSync(String(process.pid), lock)
    return true
  } catch (error) {
    if (error.code !== "EEXIST") throw error
  }
  try {
    process.kill(Number(readlinkSync(lock)), 0)
  } catch (error) {
    if (error.code === "ESRCH") rmSync(lock, { force: true })
  }
  return false
}
// Processes side by side change it one after the other, however long one takes on a busy machine.
const change = (step) => {
  const lock = `${setup.state}.lock`
  const pause = new Int32Array(new SharedArrayBuffer(4))
  while (!take(lock)) Atomics.wait(pause, 0, 0, 4)
  try {
    const state = read()
    const result = step(state)
    write(state)
    return result
  } finally {
    rmSync(lock, { force: true })
  }
}

// Until there is such a file.
const fileThere = (name) =>
  new Promise((resolve) => {
    const look = () => {
      if (!existsSync(name)) return
      watcher.close()
      resolve()
    }
    const watcher = watch(dirname(name), look)
    look()
  })

if (process.argv[2] === "login") await login()
else serve()

async function login() {
  // It holds on to its life, whatever becomes of its terminal.
  process.on("SIGHUP", () => {})
  process.on("uncaughtException", () => {})
  setInterval(() => {}, 60_000)
  process.stdout.write(
    `\u001b[1mWelcome\u001b[0m, ${process.env.KEEPER_GREETING ?? "stranger"}. A terminal: ${process.stdin.isTTY ? "true" : "false"}, ${process.stdout.columns} wide.\r\n`
  )
  process.stdout.write("Visit https://keeper.example/device?code=AB-CD for a code.\r\n")
  process.stdout.on("resize", () => process.stdout.write(`Now ${process.stdout.columns} wide.\r\n`))
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: process.stdin.isTTY })
  lines.on("SIGINT", () => {
    process.stdout.write("Given up.\r\n")
    process.exit(4)
  })
  const code = await new Promise((resolve) => lines.question("Code: ", resolve))
  lines.close()
  if (code !== "1234") {
    process.stdout.write("That is not the code.\r\n")
    process.exit(3)
  }
  change((state) => {
    state.signedIn = true
  })
  process.stdout.write("Signed in.\r\n")
  process.exit(0)
}

function serve() {
  // Its client may be gone.
  process.stdout.on("error", () => {})
  const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const waiting = new Map()
  const cancelled = new Map()
  let asked = 0
  const ask = (method, params) =>
    new Promise((resolve) => {
      const id = `ask-${asked++}`
      waiting.set(id, resolve)
      send({ id, method, params })
    })

  const fail = (code, message, data) => {
    throw Object.assign(new Error(message), { code, data })
  }
  const sessionOf = (sessionId, state = read()) =>
    state.sessions.find((session) => session.sessionId === sessionId) ?? fail(-32002, "No such session", { sessionId })
  const keptOf = (sessionId) => {
    const session = sessionOf(sessionId)
    // As some do: a session is kept from its first prompt on.
    return setup.keepsPrompted === true && session.history.length === 0 ? fail(-32002, "No such session") : session
  }
  const update = (sessionId, update) => send({ method: "session/update", params: { sessionId, update } })
  const say = (sessionId, sessionUpdate, text) => update(sessionId, { sessionUpdate, content: { type: "text", text } })
  const open = (sessionId, cwd, additionalDirectories, history = []) =>
    change((state) => {
      state.sessions.push({ sessionId, cwd, additionalDirectories, history })
    })

  const play = async (steps, id) => {
    for (const step of steps) {
      if (step.stdout !== undefined) process.stdout.write(step.stdout)
      else if (step.stderr !== undefined) process.stderr.write(step.stderr)
      else if (step.error !== undefined) fail(step.error.code, step.error.message)
      else if (step.ask !== undefined) {
        const answer = await ask(step.ask.method, { ...step.ask.params, requestId: id })
        if (answer.result?.action !== "accept") fail(-32603, "Nobody consented")
      } else if (step.forCancel === true) {
        await new Promise((resolve) => cancelled.set(id, resolve))
        fail(-32800, "Request cancelled")
      }
    }
  }

  const methods = {
    initialize: () => ({
      protocolVersion: 1,
      agentInfo: { name: "keeper", version: "1.0.0" },
      agentCapabilities: {
        loadSession: setup.offers?.load ?? true,
        sessionCapabilities: setup.offers?.session ?? {},
        auth: setup.offers?.auth ?? {}
      },
      authMethods: setup.authMethods ?? []
    }),
    authenticate: async (_, id) => {
      const steps = setup.onAuthenticate ?? []
      await play(steps, id)
      if (!steps.some(({ forgets }) => forgets === true))
        change((state) => {
          state.signedIn = true
        })
      return {}
    },
    logout: () => {
      change((state) => {
        state.signedIn = false
      })
      return {}
    },
    "auth/status": () => {
      const signedIn = read().signedIn === true
      return {
        state: setup.authState ?? (signedIn ? "authenticated" : "unauthenticated"),
        accounts: signedIn ? [{ label: "ada@keeper.example" }] : []
      }
    },
    "session/new": ({ additionalDirectories, cwd }) => {
      const sessionId = randomUUID()
      open(sessionId, cwd, additionalDirectories)
      return { sessionId }
    },
    "session/load": ({ sessionId }) => {
      const { history, title } = keptOf(sessionId)
      const tell = () => {
        for (const { agent, user } of history) {
          say(sessionId, "user_message_chunk", user)
          say(sessionId, "agent_message_chunk", agent)
        }
        if (title !== undefined) update(sessionId, { sessionUpdate: "session_info_update", title })
      }
      if (setup.historyAfter !== true) tell()
      else {
        // One write holds the answer and the history, so that no pause can part them.
        process.stdout.cork()
        setImmediate(() => {
          tell()
          process.stdout.uncork()
        })
      }
      return {}
    },
    "session/resume": ({ sessionId }) => {
      keptOf(sessionId)
      return {}
    },
    "session/fork": ({ additionalDirectories, cwd, sessionId }) => {
      const copy = randomUUID()
      open(copy, cwd, additionalDirectories, keptOf(sessionId).history)
      return { sessionId: copy }
    },
    "session/list": async ({ archived = "exclude", cursor, cwd: named }) => {
      const cwd = setup.byFolder ? (named ?? process.cwd()) : setup.deafToFolder && named ? "/nowhere" : named
      const all = read().sessions.filter(
        (session) =>
          (cwd === undefined || session.cwd === cwd) &&
          (archived === "include" || (archived === "only") === (session.archived === true))
      )
      if (cursor !== undefined && setup.furtherPagesWaitFor !== undefined) await fileThere(setup.furtherPagesWaitFor)
      const size = setup.pageSize ?? 50
      const start = cursor === undefined ? 0 : Number(Buffer.from(cursor, "base64").toString().slice(1))
      // Every other page is empty: agents filter after they have cut.
      const empty = setup.emptyPages === true && cursor !== undefined && !cursor.endsWith("!")
      const sessions = empty ? [] : all.slice(start, start + size)
      const next = empty ? start : start + size
      const more = setup.endless === true || next < all.length
      const token = Buffer.from(`@${setup.endless === true ? 0 : next}`).toString("base64")
      return {
        sessions: sessions.map((session) => ({ ...session, history: undefined })),
        ...(more && { nextCursor: empty ? `${token}!` : token })
      }
    },
    "session/close": ({ sessionId }) => {
      if (sessionId === "crash") process.exit(9)
      sessionOf(sessionId)
      return {}
    },
    "session/delete": ({ sessionId }) => {
      keptOf(sessionId)
      change((state) => {
        state.sessions = state.sessions.filter((session) => session.sessionId !== sessionId)
      })
      return {}
    },
    "session/archive": ({ sessionId }) => archive(sessionId, true),
    "session/unarchive": ({ sessionId }) => archive(sessionId, false),
    "session/set_title": ({ sessionId, title }) =>
      change((state) => {
        const session = sessionOf(sessionId, state)
        session.title = title.slice(0, 20)
        return { title: session.title }
      }),
    "session/prompt": ({ prompt, sessionId }) => {
      const user = prompt.map(({ text = "" }) => text).join("")
      const agent = `You said: ${user}`
      // Not even Stop ends this.
      if (user === "hang") return new Promise(() => {})
      if (user === "who?") {
        const accounts = [{ label: "grace@keeper.example" }]
        send({ method: "auth/status_update", params: { state: "authenticated", accounts } })
      }
      change((state) => sessionOf(sessionId, state).history.push({ user, agent }))
      say(sessionId, "agent_message_chunk", agent)
      return { stopReason: "end_turn" }
    }
  }

  const archive = (sessionId, archived) => {
    change((state) => {
      sessionOf(sessionId, state).archived = archived
    })
    return {}
  }

  const answer = async ({ id, method, params = {} }) => {
    try {
      if ((setup.wantsLogin ?? []).includes(method) && read().signedIn !== true) fail(-32000, "Authentication required")
      const error = setup.errors?.[method]
      if (error !== undefined) fail(error.code, error.message, error.data)
      const result = setup.results?.[method]
      if (result !== undefined) return send({ id, result })
      const handler = methods[method] ?? fail(-32601, "Method not found")
      send({ id, result: await handler(params, id) })
    } catch (error) {
      send({ id, error: { code: error.code ?? -32603, message: error.message, data: error.data } })
    }
  }

  createInterface({ input: process.stdin })
    .on("line", (line) => {
      if (process.env.KEEPER_LOG !== undefined) appendFileSync(process.env.KEEPER_LOG, `${line}\n`)
      const message = JSON.parse(line)
      if (message.method === "$/cancel_request") cancelled.get(message.params.requestId)?.()
      else if (message.method === undefined) waiting.get(message.id)?.(message)
      else if (message.id !== undefined) void answer(message)
    })
    .on("close", () => process.exit(0))
}
