/** Paths in the page. What is below the folder of a known thread is opened in the editor. Whether it is there, the editor says. */
import { shownPath } from "@signalbox/contracts/Paths"
import type { ReactNode } from "react"
import { fileNamed } from "./fileNames.ts"
import { useFileHref, useFiles } from "./files.ts"
import { Revealed, RevealedProse } from "./Revealed.tsx"

/** Something that opens a file of the thread. Without a thread, or outside of its folder, it is just there. */
export const FileLink = (props: {
  readonly path: string
  /** From 1. */
  readonly line?: number | undefined
  readonly children: ReactNode
}) => {
  const href = useFileHref(props.path, props.line)
  if (href === undefined) return props.children
  return (
    <a className="link" href={href}>
      {props.children}
    </a>
  )
}

/** A path, from the folder of the thread if it is below that. `asGiven`: as it was written. */
export const FilePath = (props: {
  readonly path: string
  readonly line?: number | undefined
  readonly asGiven?: boolean
}) => {
  const { asGiven = false, line, path } = props
  const files = useFiles()
  const shown = asGiven || files === undefined ? path : shownPath(path, files.cwd)
  return (
    <FileLink path={path} line={line}>
      <Revealed text={line === undefined ? shown : `${shown}:${line}`} />
    </FileLink>
  )
}

/** Machine text of a few words: if it is the name of a file, it opens that. */
export const FileCode = ({ text }: { readonly text: string }) => {
  const name = fileNamed(text)
  const words = <RevealedProse text={text} />
  return (
    <code>
      {name === undefined ? (
        words
      ) : (
        <FileLink path={name.path} line={name.line}>
          {words}
        </FileLink>
      )}
    </code>
  )
}
