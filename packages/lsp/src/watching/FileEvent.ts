/** A change of a file or folder on the disk. */

export interface FileEvent {
  /** The absolute path. */
  readonly path: string
  readonly kind: "created" | "changed" | "deleted"
}
