/** Which hosts and addresses a sandboxed program reaches through the filter. Pure. */
import { BlockList, isIP } from "node:net"

export interface Target {
  readonly host: string
  readonly port: number
}

/** Ports that an entry without a port means. */
const usualPorts: ReadonlyArray<number> = [80, 443]

/** Whether the list has a target. `*.example.com` means all names below, and not the name itself. */
export const allows = (hosts: ReadonlyArray<string>, { host, port }: Target): boolean =>
  hosts.some((entry) => {
    const [, name = "", given] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? []
    const ports = given === undefined ? usualPorts : [Number(given)]
    return ports.includes(port) && matches(name.toLowerCase(), plain(host))
  })

/** A name as it is compared: in small letters, without the dot at its end. */
const plain = (host: string): string => host.toLowerCase().replace(/\.$/, "")

const matches = (name: string, host: string): boolean =>
  name.startsWith("*.") ? host.endsWith(name.slice(1)) && host.length > name.length - 1 : host === name

/** `host:port` of a CONNECT. Undefined if it is something else. */
export const targetOf = (authority: string): Target | undefined => {
  const [, bracketed, name, port] = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9_.-]{1,253})):(\d{1,5})$/i.exec(authority) ?? []
  const host = bracketed ?? name
  return host === undefined || Number(port) < 1 || Number(port) > 65_535 ? undefined : { host, port: Number(port) }
}

const inner = new BlockList()
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3]
] as const)
  inner.addSubnet(network, prefix, "ipv4")
// Addresses that carry one of version 4, and those of examples.
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20]
] as const)
  inner.addSubnet(network, prefix, "ipv6")

const global = new BlockList()
global.addSubnet("2000::", 3, "ipv6")

/** Whether an address is in the public internet. One that can't be read is not. */
export const isPublic = (address: string): boolean => {
  const kind = isIP(address)
  if (kind === 4) return !inner.check(address, "ipv4")
  return kind === 6 && !address.includes("%") && global.check(address, "ipv6") && !inner.check(address, "ipv6")
}
