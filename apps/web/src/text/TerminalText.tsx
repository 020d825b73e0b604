import { settleLines } from "@signalbox/contracts/OutputLines"
import { memo } from "react"
import { type AnsiRun, parseAnsi } from "./ansi.ts"
import { FileLink } from "./FilePath.tsx"
import { type FileName, filesIn } from "./fileNames.ts"
import { useFiles } from "./files.ts"
import { Revealed } from "./Revealed.tsx"
import { StyledRun } from "./StyledRun.tsx"

/** Colours and weight of terminals, and places in files that open them. Nothing else of what terminals understand. */
export const TerminalText = memo(({ text }: { readonly text: string }) => {
  const isKnown = useFiles() !== undefined
  const runs = parseAnsi(settleLines(text))
  return (isKnown ? withPlaces(runs) : [{ runs, file: undefined }]).map(({ file, runs }, index) => {
    const drawn = runs.map((run, at) => (
      // eslint-disable-next-line react/no-array-index-key -- runs have no identity of their own
      <StyledRun key={at} style={run.style}>
        <Revealed output text={run.text} />
      </StyledRun>
    ))
    return file === undefined ? (
      drawn
    ) : (
      // eslint-disable-next-line react/no-array-index-key -- as above
      <FileLink key={index} path={file.path} line={file.line}>
        {drawn}
      </FileLink>
    )
  })
})

interface Stretch {
  readonly runs: ReadonlyArray<AnsiRun>
  /** The place in a file that it names. */
  readonly file: FileName | undefined
}

/** Runs in stretches: a name and its line may have several colours. */
const withPlaces = (runs: ReadonlyArray<AnsiRun>): ReadonlyArray<Stretch> => {
  const places = filesIn(runs.map(({ text }) => text).join(""), true)
  if (places.length === 0) return [{ runs, file: undefined }]
  const stretches: Array<{ readonly runs: Array<AnsiRun>; readonly file: FileName | undefined }> = []
  let at = 0
  let next = 0
  for (const { style, text } of runs) {
    let from = 0
    while (from < text.length) {
      while ((places[next]?.to ?? Infinity) <= at) next += 1
      const place = places[next]
      const isInside = place !== undefined && at >= place.from
      const end = place === undefined ? Infinity : isInside ? place.to : place.from
      const to = Math.min(text.length, from + end - at)
      const file = isInside ? place : undefined
      const last = stretches.at(-1)
      const run = { style, text: text.slice(from, to) }
      if (last !== undefined && last.file === file) last.runs.push(run)
      else stretches.push({ runs: [run], file })
      at += to - from
      from = to
    }
  }
  return stretches
}
