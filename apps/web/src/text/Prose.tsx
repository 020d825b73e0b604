/** What people and agents write, with the files that it names. Nothing else is read into it. */
import { Fragment, type ReactNode } from "react"
import { FileLink } from "./FilePath.tsx"
import { filesIn } from "./fileNames.ts"
import { useFiles } from "./files.ts"
import { RevealedProse } from "./Revealed.tsx"

export const Prose = ({ text }: { readonly text: string }): ReactNode => {
  const isKnown = useFiles() !== undefined
  const names = isKnown ? filesIn(text) : []
  if (names.length === 0) return <RevealedProse text={text} />
  return names.map(({ from, line, path, to }, index) => (
    <Fragment key={from}>
      <RevealedProse text={text.slice(names[index - 1]?.to ?? 0, from)} />
      <FileLink path={path} line={line}>
        <RevealedProse text={text.slice(from, to)} />
      </FileLink>
      {index === names.length - 1 && <RevealedProse text={text.slice(to)} />}
    </Fragment>
  ))
}
