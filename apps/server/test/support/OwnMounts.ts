/** Folders that are full or can't be written, for one process and what it starts only. Linux with user namespaces. */
import { spawnSync } from "node:child_process"

/** Words before a command that see `folder` as `script` mounts it: `$0` there. */
const mounted = (folder: string, script: string): ReadonlyArray<string> => [
  "unshare",
  "--user",
  "--map-root-user",
  "--mount",
  "sh",
  "-c",
  `${script} && exec "$@"`,
  folder
]

/** A disk of its own of so many bytes. */
export const smallDisk = (folder: string, bytes: number): ReadonlyArray<string> =>
  mounted(folder, `mount -t tmpfs -o size=${bytes},mode=0700 tmpfs "$0"`)

export const readOnly = (folder: string): ReadonlyArray<string> =>
  mounted(folder, `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"`)

/** The path of such a folder of a process, from outside. */
export const seenBy = (pid: number, folder: string): string => `/proc/${pid}/root${folder}`

export const hasOwnMounts = spawnSync("unshare", ["--user", "--map-root-user", "--mount", "true"]).status === 0
