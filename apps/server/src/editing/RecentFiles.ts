/** The files that a person has looked at lately, the latest first. */

/** Most files that are remembered. */
const mostFiles = 50

export interface RecentFiles {
  readonly seen: (uri: string, languageId: string) => void
  readonly list: () => ReadonlyArray<RecentFile>
}

export interface RecentFile {
  readonly uri: string
  readonly languageId: string
}

export const make = (): RecentFiles => {
  let files: ReadonlyArray<RecentFile> = []
  return {
    seen: (uri, languageId) => {
      files = [{ uri, languageId }, ...files.filter((file) => file.uri !== uri)].slice(0, mostFiles)
    },
    list: () => files
  }
}
