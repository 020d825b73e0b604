/** Icons on a grid of 16, drawn for Signalbox. One never stands without a word or a label, and never takes the colour of a state. */
import type { ReactNode } from "react"
import styles from "./Icon.module.css"

const line = (d: string) => <path d={d} />

const icons = {
  mark: (
    <>
      <rect x="4.3" y="1" width="7.4" height="9.2" rx="3.7" />
      <circle data-fill="" cx="8" cy="4" r=".7" />
      <circle cx="8" cy="7.2" r="1.1" />
      {line("M8 10.2V15M5 15h6")}
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.4" />
      {line("m10.3 10.3 3.6 3.6")}
    </>
  ),
  plus: line("M8 3v10M3 8h10"),
  x: line("m4 4 8 8m0-8-8 8"),
  menu: line("M2.5 4.5h11M2.5 8h11m-11 3.5h11"),
  gear: (
    <>
      <circle cx="8" cy="8" r="2.4" />
      {line("M8 1.6v2.1m0 8.6v2.1M1.6 8h2.1m8.6 0h2.1M3.5 3.5 5 5m6 6 1.5 1.5m0-9L11 5m-6 6-1.5 1.5")}
    </>
  ),
  panel: (
    <>
      <rect x="1.8" y="2.8" width="12.4" height="10.4" rx="1" />
      {line("M10 2.8v10.4")}
    </>
  ),
  folder: line("M1.8 12.8V3.3h4.3l1.5 1.8h6.6v7.7z"),
  branch: (
    <>
      <circle cx="4.5" cy="3.4" r="1.6" />
      <circle cx="4.5" cy="12.6" r="1.6" />
      <circle cx="11.5" cy="5.4" r="1.6" />
      {line("M4.5 5v6m7-4c0 2.8-3.6 2.5-6 3.9")}
    </>
  ),
  agent: line("M5.5 1.8v3.3m5-3.3v3.3m-7 0h9v3.4a4.5 4.5 0 0 1-9 0zM8 13v1.6"),
  you: (
    <>
      <circle cx="8" cy="5.2" r="2.8" />
      {line("M2.6 14c.6-3 2.6-4.5 5.4-4.5s4.8 1.5 5.4 4.5")}
    </>
  ),
  read: line("M3.5 1.8h5.9l3.1 3.1v9.3h-9zM5.8 8h4.4m-4.4 2.7h4.4"),
  grep: (
    <>
      {line("M2 3.5h9.2M2 7h4.4M2 10.5h3.4m6.7 1.6 2 2")}
      <circle cx="10" cy="10" r="2.8" />
    </>
  ),
  run: (
    <>
      <rect x="1.5" y="2.5" width="13" height="11" rx="1.5" />
      {line("m4.3 6 2.2 2-2.2 2m4 .4h3.2")}
    </>
  ),
  edit: line("m2.4 13.6.6-3 7.8-7.8a1.2 1.2 0 0 1 1.7 0l.7.7a1.2 1.2 0 0 1 0 1.7L5.4 13zm7-9.4 2.4 2.4"),
  plan: line("m2 4 1.2 1.2L5.4 3M2 8.6l1.2 1.2 2.2-2.2M8 4.2h6M8 8.6h6M8 13h6M2.5 13h2.3"),
  thought: (
    <>
      <circle data-fill="" cx="2.6" cy="8" r=".5" />
      <circle data-fill="" cx="6.2" cy="8" r=".5" />
      <circle data-fill="" cx="9.8" cy="8" r=".5" />
      <circle data-fill="" cx="13.4" cy="8" r=".5" />
    </>
  ),
  more: (
    <>
      <circle data-fill="" cx="3.5" cy="8" r=".9" />
      <circle data-fill="" cx="8" cy="8" r=".9" />
      <circle data-fill="" cx="12.5" cy="8" r=".9" />
    </>
  ),
  text: line("M2.5 4h11m-11 4h11m-11 4H9"),
  right: line("m6 3.5 4.5 4.5L6 12.5"),
  down: line("M3.5 6 8 10.5 12.5 6"),
  up: line("M3.5 10 8 5.5 12.5 10"),
  enter: line("M13 3.5v4.8H3.4m3-3.1L3.3 8.3l3.1 3.1"),
  stop: <rect data-fill="" x="4.2" y="4.2" width="7.6" height="7.6" />,
  hold: line("M5.5 4v8m5-8v8"),
  undo: line("M3 6.5h6.5a3.7 3.7 0 0 1 0 7.4H6M6 3.3 2.8 6.5 6 9.7"),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8.5" rx="1" />
      {line("M3.6 10.5H2.5v-8h8v1")}
    </>
  ),
  comment: line("M2 3h12v8H7.4l-3 2.8V11H2z"),
  rule: line("M6.2 1.8h3.6V5H6.2zM8 5v6.2m0 0-2.2 3m2.2-3 2.2 3m-5.7 0h7"),
  swap: line("M2 5.5h10M9.5 3 12 5.5 9.5 8m4.5 2.5H4M6.5 8 4 10.5 6.5 13"),
  chain: line("M2 8h2.5m3 0h1m3 0H14M4.5 6.5h3v3h-3zm4 0h3v3h-3z"),
  out: line("M2 8h11M9 4l4 4-4 4"),
  in: line("M14 8H3m4-4L3 8l4 4"),
  play: <path data-fill="" d="M5 3.2v9.6L12.6 8z" />,
  unknown: (
    <>
      <circle cx="8" cy="8" r="6" />
      {line("M6.2 6.4c.1-1.2.9-1.8 1.9-1.8s1.8.7 1.8 1.6c0 1.4-1.8 1.5-1.8 2.8m0 2.3v.1")}
    </>
  )
} as const satisfies { readonly [name: string]: ReactNode }

export type IconName = keyof typeof icons

export const Icon = (props: { readonly name: IconName; readonly className?: string }) => (
  <svg
    className={props.className === undefined ? styles["icon"] : `${styles["icon"]} ${props.className}`}
    viewBox="0 0 16 16"
    aria-hidden="true"
  >
    {icons[props.name]}
  </svg>
)
