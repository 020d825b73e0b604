import { FileCode } from "./FilePath.tsx"
import { Prose } from "./Prose.tsx"

/** Plain text in which `backticks` set machine text apart. Names of files open them. Nothing else is read into it. */
export const WithCode = ({ text }: { readonly text: string }) =>
  text.split(/`([^`\n]+)`/).map((piece, index) =>
    index % 2 === 1 ? (
      // eslint-disable-next-line react/no-array-index-key -- pieces have no identity of their own
      <FileCode key={index} text={piece} />
    ) : (
      // eslint-disable-next-line react/no-array-index-key -- as above
      <Prose key={index} text={piece} />
    )
  )
