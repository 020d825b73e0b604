/** What no sandboxed program may read: keys and passwords, and sockets that lead to other programs of the user. */
import { lstat } from "node:fs/promises"
import { homedir, userInfo } from "node:os"
import { isAbsolute, join } from "node:path"
import * as Containment from "../workspace/Containment.ts"
import { keyNames } from "@signalbox/permission/ProtectedNames"
import type { Environment, Hidden } from "./Layers.ts"

/** Names in a home folder that let a program act for the user, by desktops and daemons. */
const doorNames: ReadonlyArray<string> = [".Xauthority", ".docker/run", ".docker/desktop"]

/** Variables that lead to programs of the user outside. */
export const doorVariables: ReadonlyArray<string> =
  "SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO DBUS_SESSION_BUS_ADDRESS DOCKER_HOST XDG_RUNTIME_DIR XAUTHORITY WAYLAND_DISPLAY".split(
    " "
  )

/** The real path of an existing file or folder. Undefined if there is none, or it can't be followed. */
export const existing = async (path: string): Promise<Hidden | undefined> => {
  try {
    const real = await Containment.follow(path)
    if (!real.exists) return undefined
    const found = await lstat(real.path)
    return { path: real.path, kind: found.isDirectory() ? "folder" : "file" }
  } catch {
    return undefined
  }
}

/** The home folders that count: the user's, and those that the environment names. Absolute, not followed. */
export const homes = (env: Environment): ReadonlyArray<string> =>
  unique([userInfo().homedir, homedir(), env["HOME"]].filter(isPath))

const isPath = (path: string | undefined): path is string => path !== undefined && isAbsolute(path)

const unique = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(all)]

/** What is hidden, as it exists now. `own`: the folders of Signalbox. */
export const of = async (env: Environment, own: ReadonlyArray<string>): Promise<ReadonlyArray<Hidden>> => {
  const config = env["XDG_CONFIG_HOME"]
  const named = [...keyNames, ...doorNames]
  const paths = [
    ...own,
    ...homes(env).flatMap((home) => named.map((name) => join(home, name))),
    ...(isPath(config) ? keyNames.flatMap((name) => inConfig(config, name)) : []),
    ...["SSH_AUTH_SOCK", "XDG_RUNTIME_DIR", "XAUTHORITY"].map((name) => env[name]).filter(isPath),
    ...[env["DOCKER_HOST"]].flatMap((address) => (address?.startsWith("unix:///") ? [address.slice(7)] : []))
  ]
  const found = await Promise.all(unique(paths).map(existing))
  const byPath = new Map(found.flatMap((one) => (one === undefined || one.path === "/" ? [] : [[one.path, one]])))
  return [...byPath.values()]
}

const inConfig = (config: string, name: string): ReadonlyArray<string> =>
  name.startsWith(".config/") ? [join(config, name.slice(".config/".length))] : []
