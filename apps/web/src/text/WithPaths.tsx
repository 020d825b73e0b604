/** Plain text in which absolute paths are set as machine text. */
export const WithPaths = ({ text }: { readonly text: string }) =>
  text.split(/(?<=^|[\s(“"])(\/[^\s,;:)”"]*[^\s,;:)”".])/).map((piece, index) =>
    index % 2 === 1 ? (
      // eslint-disable-next-line react/no-array-index-key -- pieces have no identity of their own
      <code key={index}>{piece}</code>
    ) : (
      piece
    )
  )
