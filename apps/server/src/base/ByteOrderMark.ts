/** The mark that some programs write at the beginning of a file. Editors don't count it as text. */

/** The first character of a file with a byte order mark. */
const mark = "\ufeff"

export interface Parted {
  /** Empty if the file has none. */
  readonly mark: string
  readonly text: string
}

/** The content of a file as editors have it, and the mark before it. */
export const parted = (content: string): Parted =>
  content.startsWith(mark) ? { mark, text: content.slice(mark.length) } : { mark: "", text: content }

/** The content of a file with this text and a mark. */
export const marked = (text: string): string => mark + text
