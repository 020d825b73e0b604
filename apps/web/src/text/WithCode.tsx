import { RevealedProse } from "./Revealed.tsx"

/** Plain text in which `backticks` set machine text apart. Nothing else is read into it. */
export const WithCode = ({ text }: { readonly text: string }) =>
  text.split(/`([^`\n]+)`/).map((piece, index) =>
    index % 2 === 1 ? (
      // eslint-disable-next-line react/no-array-index-key -- pieces have no identity of their own
      <code key={index}>
        <RevealedProse text={piece} />
      </code>
    ) : (
      // eslint-disable-next-line react/no-array-index-key -- as above
      <RevealedProse key={index} text={piece} />
    )
  )
