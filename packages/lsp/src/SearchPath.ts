/** The search path of language servers, and of the programs that they start. */
import { delimiter, isAbsolute } from "node:path"

/**
 * A search path without the folders that a project may bring. `npx` and scripts of npm put `node_modules/.bin` before all others, and a
 * relative folder means another one in each project.
 */
export const withoutProjects = (path: string): string =>
  path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !folder.split("/").includes("node_modules"))
    .join(delimiter)
