/** One silhouette and one colour per state. Hidden from screen readers: the word beside it is text. */
import type { ReactNode } from "react"
import styles from "./Lamp.module.css"
import type { LampStatus } from "./status.ts"

const ring = (radius: number) => <circle data-stroke="" cx="7" cy="7" r={radius} />

const glyphs: { readonly [Status in LampStatus]: ReactNode } = {
  queued: ring(4.9),
  todo: ring(4.4),
  sent: (
    <>
      {ring(5.6)}
      <path d="M5.5 4.3 10 7l-4.5 2.7z" />
    </>
  ),
  working: (
    <>
      <circle cx="7" cy="7" r="3.7" />
      <circle className={styles["halo"]} cx="7" cy="7" r="6" />
    </>
  ),
  waiting: <path fillRule="evenodd" d="M7 .5 13.5 7 7 13.5.5 7zM6.2 3.7v4.2h1.6V3.7zm0 5.2v1.6h1.6V8.9z" />,
  cancelling: (
    <>
      <rect data-stroke="" x="1.8" y="1.8" width="10.4" height="10.4" rx="1.2" />
      <rect x="4.6" y="4.6" width="4.8" height="4.8" />
    </>
  ),
  completed: <path data-stroke="" d="m2.2 7.6 3.1 3.1 6.5-7.2" />,
  cancelled: <rect data-stroke="" x="2.3" y="2.3" width="9.4" height="9.4" rx="1.2" />,
  refused: (
    <>
      {ring(5.6)}
      <rect x="3.4" y="6" width="7.2" height="2" rx=".6" />
    </>
  ),
  limited: (
    <>
      {ring(5.6)}
      <path d="M1.6 7a5.4 5.4 0 0 0 10.8 0z" />
    </>
  ),
  failed: (
    <path
      fillRule="evenodd"
      d="M4.4.8h5.2l3.6 3.6v5.2l-3.6 3.6H4.4L.8 9.6V4.4zM8.77 4.1 7 5.87 5.23 4.1 4.1 5.23 5.87 7 4.1 8.77 5.23 9.9 7 8.13 8.77 9.9 9.9 8.77 8.13 7 9.9 5.23z"
    />
  ),
  lost: (
    <>
      <circle data-stroke="" cx="7" cy="7" r="5.6" strokeDasharray="5.4 3.4" strokeDashoffset="2.7" />
      <circle cx="7" cy="7" r="1.6" />
    </>
  ),
  unread: <circle cx="7" cy="7" r="3.2" />
}

/** `still`: nothing was heard for a while, so the halo stands. */
export const Lamp = (props: { readonly status: LampStatus; readonly still?: boolean; readonly className?: string }) => (
  <svg
    className={[styles["lamp"], styles[props.status], props.still && styles["still"], props.className]
      .filter(Boolean)
      .join(" ")}
    viewBox="0 0 14 14"
    aria-hidden="true"
    data-lamp={props.status}
  >
    {glyphs[props.status]}
  </svg>
)

/** A word in the colour of a state. */
export const StateWord = (props: { readonly status: LampStatus; readonly children: ReactNode }) => (
  <span className={`${styles["word"]} ${styles[props.status] ?? ""}`}>{props.children}</span>
)
