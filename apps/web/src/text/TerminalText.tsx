import { settleLines } from "@signalbox/contracts/OutputLines"
import { memo } from "react"
import { parseAnsi } from "./ansi.ts"
import { Revealed } from "./Revealed.tsx"
import { StyledRun } from "./StyledRun.tsx"

/** Colours and weight of terminals, nothing else of what they understand. */
export const TerminalText = memo(({ text }: { readonly text: string }) =>
  parseAnsi(settleLines(text)).map(({ style, text }, index) => (
    // eslint-disable-next-line react/no-array-index-key -- runs have no identity of their own
    <StyledRun key={index} style={style}>
      <Revealed output text={text} />
    </StyledRun>
  ))
)
