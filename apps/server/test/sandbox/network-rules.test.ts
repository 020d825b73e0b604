/** Which hosts and addresses the filter of a sandbox lets through. */
import { assert, describe, it } from "@effect/vitest"
import { allows, isPublic, targetOf } from "../../src/sandbox/NetworkRules.ts"

describe("a host of the list", () => {
  const list = ["example.com", "*.cursor.sh", "git.example:22", "Mixed.Example"]
  const cases: ReadonlyArray<readonly [string, number, boolean]> = [
    ["example.com", 443, true],
    ["example.com", 80, true],
    ["EXAMPLE.com.", 443, true],
    ["example.com", 22, false],
    ["www.example.com", 443, false],
    ["evil-example.com", 443, false],
    ["example.com.evil", 443, false],
    ["api2.cursor.sh", 443, true],
    ["a.b.cursor.sh", 443, true],
    ["cursor.sh", 443, false],
    [".cursor.sh", 443, false],
    ["evilcursor.sh", 443, false],
    ["git.example", 22, true],
    ["git.example", 443, false],
    ["mixed.example", 443, true],
    ["93.184.215.14", 443, false],
    ["", 443, false]
  ]
  it.each(cases)("%s, port %d: %s", (host, port, expected) => {
    assert.strictEqual(allows(list, { host, port }), expected)
  })
})

describe("an address", () => {
  it.each([
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::7f00:1",
    "fe80::1",
    "fe80::1%eth0",
    "fd00::1",
    "2002:7f00:1::",
    "2001:db8::1",
    "ff02::1",
    "127.1",
    "example.com",
    ""
  ])("%s is not reached", (address) => assert.isFalse(isPublic(address)))

  it.each(["93.184.215.14", "172.32.0.1", "1.1.1.1", "2606:4700:4700::1111"])("%s is reached", (address) =>
    assert.isTrue(isPublic(address))
  )
})

describe("the address of a CONNECT", () => {
  it.each([
    ["example.com:443", { host: "example.com", port: 443 }],
    ["[2606:4700::1]:8443", { host: "2606:4700::1", port: 8443 }],
    ["example.com", undefined],
    ["example.com:0", undefined],
    ["example.com:65536", undefined],
    ["user@example.com:443", undefined],
    ["example.com:443/x", undefined],
    ["a b:443", undefined]
  ] as const)("%s", (given, expected) => assert.deepStrictEqual(targetOf(given), expected))
})
