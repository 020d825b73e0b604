/** A path that a request names, and where it leads on the machine. */
export interface FollowedPath {
  /** The path as the agent wrote it. */
  readonly path: string
  /** The real path, without links. Null where it can't be known. */
  readonly leadsTo: string | null
  readonly exists: boolean
}
