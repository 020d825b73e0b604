/** The repository of a workspace, as an agent learns it when its session begins. */
import type { StartRequest } from "@signalbox/acp/NesSchema"
import * as Effect from "effect/Effect"
import * as Git from "@signalbox/process/GitReader"

type Repository = NonNullable<StartRequest["repository"]>

/** The longest address that is read. */
const longestUrl = 2000

/** `scheme://host/path`, or `user@host:path`. A path of this machine is neither. */
const withScheme = /^(?!file:)[a-z][a-z0-9+.-]*:\/\/([^/?#]+)\/([^?#]+)/i
const withoutScheme = /^([^/:]{2,}):(?!\/\/|:)([^?#]+)$/

/** A name that has no part of an address or of a password in it. */
const plain = /^[^@:\s]+$/

/** Names the repository at an address. Undefined if it is on no other machine, or its owner is unknown. */
export const at = (remoteUrl: string): Repository | undefined => {
  if (remoteUrl.length > longestUrl) return undefined
  const [, host = "", path = ""] = withScheme.exec(remoteUrl) ?? withoutScheme.exec(remoteUrl) ?? []
  const parts = path.split("/").filter((part) => part !== "")
  const name = parts.at(-1)?.replace(/\.git$/, "") ?? ""
  const owner = parts.at(-2) ?? ""
  return plain.test(name) && plain.test(owner) && !isHere(host) ? { name, owner, remoteUrl } : undefined
}

/** Whether a host is this machine by its name. `authority`: with who signs in, and a port. */
const isHere = (authority: string): boolean => {
  const host = authority.slice(authority.lastIndexOf("@") + 1)
  try {
    // It also reads other ways to write a number.
    const { hostname } = new URL(`http://${host}`)
    return /^(?:(?:.*\.)?localhost\.?|127\..*|0\.0\.0\.0|\[::1?\])$/.test(hostname)
  } catch {
    return false
  }
}

/** The repository that a folder comes from: its remote `origin`. */
export const of = (folder: string): Effect.Effect<Repository | undefined> =>
  Effect.map(Git.run(folder, ["config", "--get", "remote.origin.url"]), (found) => at((found?.text ?? "").trim()))
