/** Clients in their file: they expire, are bounded in number, and are known by nobody where the file is not ours. */
import { assert, describe, it } from "@effect/vitest"
import type { ClientId } from "@signalbox/contracts/ClientList"
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Clients from "../src/Clients.ts"
import { temporaryFolder } from "../../system/test/support/TemporaryFolder.ts"

const clientsFile = () => join(temporaryFolder("clients"), "clients.json")
const content = (file: string) => JSON.parse(readFileSync(file, "utf8"))
const unexpected = (message: string): never => assert.fail(message)
const open = (file: string) => Clients.open(file, { warn: unexpected })

const minute = 60 * 1000
const day = 24 * 60 * minute

describe("pages", () => {
  it("expire 30 days after they were last here, not after they came in", () => {
    const clients = open(clientsFile())
    const { secret } = clients.admit(0)
    for (let days = 20; days <= 100; days += 20) assert.isDefined(clients.ofCookie(secret, days * day))
    assert.isDefined(clients.ofCookie(secret, 130 * day - 1))
    const other = clients.admit(0)
    assert.isUndefined(clients.ofCookie(other.secret, 30 * day))
  })

  it("expire while they are connected too, unless they stay so", () => {
    const file = clientsFile()
    const { client } = open(file).admit(0)
    const clients = open(file)
    assert.isDefined(clients.present(client.id, 29 * day))
    assert.isDefined(open(file).present(client.id, 58 * day), "that it was here is stored")
    assert.isUndefined(clients.present(client.id, 89 * day))
  })

  it("are known after a clock that jumped, and a time in the future is corrected", () => {
    const file = clientsFile()
    const clients = open(file)
    const { client, secret } = clients.admit(100 * day)
    assert.isUndefined(clients.ofCookie(secret, 200 * day))
    clients.admit(200 * day)
    assert.isDefined(clients.ofCookie(secret, 101 * day), "it is still in when the clock is back")
    assert.isDefined(clients.ofCookie(secret, 10 * day))
    assert.strictEqual(clients.present(client.id, 10 * day)?.lastHereAt, 10 * day)
    assert.isUndefined(clients.ofCookie(secret, 40 * day))
  })

  it("are so many at most: who was here longest ago has to come in again", () => {
    const file = clientsFile()
    const clients = open(file)
    const cookies = Array.from({ length: 258 }, (_, n) => clients.admit(n).secret)
    assert.lengthOf(content(file).clients, 256)
    const known = cookies.map((cookie) => clients.ofCookie(cookie, 300) !== undefined)
    assert.deepStrictEqual(known.slice(0, 3), [false, false, true])
    assert.isTrue(known.slice(2).every(Boolean))
    assert.isDefined(open(file).ofCookie(cookies.at(-1), 300), "the file is not too large")
  })

  it("are known by nobody, and reported, if the file is a link or can't be written; the page is in all the same", () => {
    const file = clientsFile()
    const elsewhere = clientsFile()
    const { secret } = open(elsewhere).admit(0)
    symlinkSync(elsewhere, file)
    const said: Array<string> = []
    const warn = (message: string) => void said.push(message)
    assert.isUndefined(Clients.open(file, { warn }).ofCookie(secret, 1))
    assert.match(said[0] ?? "", /can't be read/)
    const nowhere = Clients.open(`${dirname(file)}/missing/clients.json`, { warn })
    assert.isDefined(nowhere.ofCookie(nowhere.admit(0).secret, 1))
    assert.match(said[1] ?? "", /can't be written/)
    assert.throws(() => nowhere.invite({ scope: "view" }, 0), /ENOENT/)
  })

  it("are known by nobody, and reported, if the folder can't be looked into any more", () => {
    const folder = join(dirname(clientsFile()), "state")
    mkdirSync(folder)
    const said: Array<string> = []
    const clients = Clients.open(join(folder, "clients.json"), { warn: (message) => said.push(message) })
    const { secret } = clients.admit(0)
    rmSync(folder, { recursive: true })
    symlinkSync(folder, folder)
    assert.isUndefined(clients.ofCookie(secret, 1))
    assert.isUndefined(clients.ofCookie(secret, 2))
    assert.lengthOf(said, 1)
    assert.match(said[0] ?? "", /can't be read/)
  })
})

describe("invitations", () => {
  it("let in one page, once, with their scope and name", () => {
    const file = clientsFile()
    const clients = open(file)
    const { invitation, token } = clients.invite({ scope: "approve", name: "phone" }, 0)
    const here = clients.accept(token, 1)
    assert.isTrue(typeof here === "object" && clients.ofCookie(here.secret, 2)?.name === "phone")
    assert.isTrue(typeof here === "object" && clients.ofCookie(here.secret, 2)?.scope === "approve")
    assert.isUndefined(clients.accept(token, 1))
    assert.isUndefined(open(file).accept(token, 1))
    assert.deepStrictEqual(content(file).invitations, [])
    assert.isUndefined(clients.accept(invitation.id, 1))
  })

  it("are used once by two processes at the same time", () => {
    const file = clientsFile()
    const { token } = open(file).invite({ scope: "view" }, 0)
    const two = [open(file), open(file)]
    assert.lengthOf(
      two.map((clients) => clients.accept(token, 1)).filter((here) => here !== undefined),
      1
    )
  })

  it("end when they expire, and count neither before they were made: a clock that goes back lengthens none", () => {
    const clients = open(clientsFile())
    const { token } = clients.invite({ scope: "view", lasts: 10 * minute }, 100 * day)
    assert.isUndefined(clients.accept(token, 100 * day + 10 * minute))
    assert.isUndefined(clients.accept(token, 99 * day))
    assert.deepStrictEqual(clients.list(99 * day).invitations, [])
    assert.isDefined(clients.accept(token, 100 * day + 10 * minute - 1))
  })

  it("are not used up by a page that may do as much, and give a page that may do less a new cookie", () => {
    const clients = open(clientsFile())
    const { client: admin } = clients.admit(0)
    const viewer = clients.invite({ scope: "view" }, 0)
    assert.strictEqual(clients.accept(viewer.token, 1, admin), "known")
    const page = clients.accept(viewer.token, 1)
    if (typeof page !== "object") return assert.fail()
    const more = clients.invite({ scope: "operate" }, 0)
    const after = clients.accept(more.token, 2, page.client)
    if (typeof after !== "object") return assert.fail()
    assert.strictEqual(after.client.id, page.client.id)
    assert.isUndefined(clients.ofCookie(page.secret, 3), "the cookie before it counts no more")
    assert.strictEqual(clients.ofCookie(after.secret, 3)?.scope, "operate")
  })

  it("can be withdrawn", () => {
    const clients = open(clientsFile())
    const { invitation, token } = clients.invite({ scope: "admin" }, 0)
    assert.isTrue(clients.revoke(invitation.id))
    assert.isFalse(clients.revoke(invitation.id))
    assert.isUndefined(clients.accept(token, 1))
  })
})

describe("programs", () => {
  it("come by a token that is no cookie, and pages by a cookie that is no token", () => {
    const clients = open(clientsFile())
    const page = clients.admit(0)
    const program = clients.add({ scope: "view" }, 0)
    assert.isUndefined(clients.ofToken(page.secret, 1))
    assert.isUndefined(clients.ofCookie(program.secret, 1))
    assert.isDefined(clients.ofToken(program.secret, 1))
  })

  it("stay until they are revoked, or until the end that they were given", () => {
    const clients = open(clientsFile())
    const { secret } = clients.add({ scope: "view" }, 0)
    const short = clients.add({ scope: "view" }, 0, day)
    assert.isDefined(clients.ofToken(secret, 4000 * day))
    assert.isDefined(clients.ofToken(short.secret, day - 1))
    assert.isUndefined(clients.ofToken(short.secret, day))
  })
})

describe("the file of clients", () => {
  it("is private, whole, and has digests only", () => {
    const file = clientsFile()
    const clients = open(file)
    const secrets = [
      clients.admit(0).secret,
      clients.add({ scope: "view" }, 0).secret,
      clients.invite({ scope: "view" }, 0).token
    ]
    for (const name of readdirSync(dirname(file)))
      assert.strictEqual(statSync(join(dirname(file), name)).mode & 0o777, 0o600)
    assert.deepStrictEqual(readdirSync(dirname(file)), ["clients.json", "clients.lock"])
    for (const secret of secrets) assert.notInclude(readFileSync(file, "utf8"), secret)
    for (const { digest } of [...content(file).clients, ...content(file).invitations]) {
      assert.isUndefined(clients.ofCookie(digest, 1))
      assert.isUndefined(clients.ofToken(digest, 1))
      assert.isUndefined(clients.accept(digest, 1))
    }
  })

  it("keeps a revocation when another process notes at the same time that the client is here", () => {
    const file = clientsFile()
    const server = open(file)
    const { client, secret } = server.admit(0)
    const other = open(file)
    assert.isTrue(other.revoke(client.id))
    assert.isUndefined(server.ofCookie(secret, day))
    assert.isUndefined(server.present(client.id, day))
    assert.isFalse(server.change(client.id, { scope: "admin" }))
    assert.deepStrictEqual(content(file).clients, [])
  })

  it("loses no change of two processes that change it in turn", () => {
    const file = clientsFile()
    const two = [open(file), open(file)]
    for (let n = 0; n < 20; n++) two[n % 2]?.add({ scope: "view", name: `p${n}` }, n)
    assert.lengthOf(content(file).clients, 20)
  })

  it("counts at once when its scopes change elsewhere", () => {
    const file = clientsFile()
    const server = open(file)
    const { client, secret } = server.admit(0)
    open(file).change(client.id, { scope: "view", name: "tablet" })
    assert.strictEqual(server.ofCookie(secret, 1)?.scope, "view")
    open(file).change(client.id, { name: null })
    assert.isUndefined(server.ofCookie(secret, 1)?.name)
  })

  it("revokes everybody when it is deleted, damaged, or names what there is not", () => {
    const file = clientsFile()
    const said: Array<string> = []
    const server = Clients.open(file, { warn: (message) => said.push(message) })
    const { secret } = server.admit(0)
    const whole = readFileSync(file, "utf8")
    for (const damaged of [
      whole.slice(0, -3),
      whole.replace('"admin"', '"owner"'),
      whole.replace('"page"', '"server"'),
      whole.replace(/"id":"[^"]*"/, '"id":"server"'),
      "",
      "[]"
    ]) {
      writeFileSync(file, damaged)
      assert.isUndefined(server.ofCookie(secret, 1), damaged)
    }
    assert.lengthOf(said, 6)
    writeFileSync(file, whole)
    assert.isDefined(server.ofCookie(secret, 1))
    Clients.revokeAll(file)
    assert.isUndefined(server.ofCookie(secret, 1))
  })

  it("is removed although another process holds its lock, or the lock is no file of ours", () => {
    const file = clientsFile()
    const server = open(file)
    const { secret } = server.admit(0)
    rmSync(join(dirname(file), "clients.lock"))
    writeFileSync(join(dirname(file), "clients.lock"), "no database, and long enough to be looked at ".repeat(100))
    assert.throws(() => server.add({ scope: "view" }, 0), /not a database/)
    Clients.revokeAll(file)
    assert.isUndefined(server.ofCookie(secret, 1))
  })
})

describe("browsers of an earlier version", () => {
  const digest = "a".repeat(64)

  it("are taken over once, as pages with the scope admin and without a name", () => {
    const file = clientsFile()
    const earlier = join(dirname(file), "browsers.json")
    const browsers = `{"server":"${"b".repeat(16)}","browsers":[{"digest":"${digest}","lastHereAt":5}]}`
    writeFileSync(earlier, browsers)
    const clients = Clients.open(file, { earlier, warn: unexpected })
    assert.strictEqual(clients.cookieName, `signalbox-${"b".repeat(16)}`)
    const [page] = clients.list(6).clients
    assert.include(page, { kind: "page", scope: "admin", lastHereAt: 5 })
    assert.strictEqual(content(file).clients[0].digest, digest)
    assert.deepStrictEqual(readdirSync(dirname(file)), ["clients.json", "clients.lock"])
    // An old file that comes back lets nobody in again.
    const id: ClientId | undefined = page?.id
    if (id !== undefined) clients.revoke(id)
    writeFileSync(earlier, browsers)
    assert.deepStrictEqual(Clients.open(file, { earlier, warn: unexpected }).list(6).clients, [])
    assert.deepStrictEqual(readdirSync(dirname(file)), ["clients.json", "clients.lock"])
  })

  it("are nobody, which is reported, if their file is damaged", () => {
    const file = clientsFile()
    const earlier = join(dirname(file), "browsers.json")
    writeFileSync(earlier, "{")
    const said: Array<string> = []
    assert.deepStrictEqual(Clients.open(file, { earlier, warn: (message) => said.push(message) }).list(6).clients, [])
    assert.match(said.join(), /need the link again.*the file is damaged/)
  })
})
