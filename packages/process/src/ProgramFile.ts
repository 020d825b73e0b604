/** Finds a program by the rules of the shell. */
import { constants } from "node:fs"
import { access, stat } from "node:fs/promises"
import { delimiter, resolve } from "node:path"
import { isMissing } from "@signalbox/system/SystemError"

/**
 * The file of a program that is named with a folder or is in the search path. Rejects with the system's error; an
 * existing program that can't run has priority over missing ones. `path`: the variable `PATH`. `cwd`: absolute.
 */
export const find = async (command: string, cwd: string, path = "/usr/bin:/bin"): Promise<string> => {
  const folders = command.includes("/") ? [""] : path.split(delimiter)
  const failures: Array<unknown> = []
  for (const folder of folders) {
    const file = resolve(cwd, folder, command)
    try {
      await check(file)
      return file
    } catch (error) {
      failures.push(error)
    }
  }
  throw failures.find((error) => !isMissing(error)) ?? failures[0]
}

const check = async (file: string): Promise<void> => {
  const found = await stat(file)
  if (!found.isFile()) throw Object.assign(new Error(`${file} is no file`), { code: "EACCES" })
  await access(file, constants.X_OK)
}
