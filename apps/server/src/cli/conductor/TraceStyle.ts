/** How the pages of a trace look. Colours are those of Signalbox's page, and the theme is the system's. */
export const css = `:root {
  color-scheme: light dark;
  --panel: light-dark(#f6f8f7, #151b1a);
  --well: light-dark(#eef2f0, #101615);
  --pick: light-dark(#d3dedb, #27332f);
  --card: light-dark(#ffffff, #1b2221);
  --line: light-dark(#d2dad7, #2a3432);
  --ink: light-dark(#16201d, #e5ebe9);
  --ink2: light-dark(#414e4a, #b6c1be);
  --ink3: light-dark(#57635f, #92a09c);
  --blue: light-dark(#1b5792, #82b4ea);
  --amber: light-dark(#7f5200, #e4b04b);
  --amber-tint: light-dark(#fbf0d9, #2b2412);
  --red: light-dark(#ab231c, #f48a82);
  --red-tint: light-dark(#fae4e2, #321b1a);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--panel); color: var(--ink); font: 0.8125rem/1.125rem system-ui, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 80rem; margin: 0 auto; padding: 1rem; }
h1 { margin: 0; font-size: 1rem; line-height: 1.25rem; font-weight: 600; }
p { margin: 0.25rem 0; color: var(--ink2); overflow-wrap: anywhere; }
.path, td.hop, td.words, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 0.75rem; }
.note { color: var(--ink); background: var(--amber-tint); padding: 0.25rem 0.5rem; border-radius: 3px; }
nav { display: flex; flex-wrap: wrap; align-items: center; margin: 0.5rem -0.5rem; color: var(--ink3); }
nav > * { padding: 0.375rem 0.5rem; }
nav .now { color: var(--ink); }
a { color: var(--blue); text-decoration: none; border-radius: 3px; }
a:hover { text-decoration: underline; }
a:focus-visible { outline: 2px solid var(--blue); outline-offset: 1px; }
table { width: 100%; margin: 0.5rem 0; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
th, td { padding: 0.3125rem 0.5rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { position: sticky; top: 0; background: var(--card); color: var(--ink3); font: inherit; font-weight: 600; }
.time { text-align: right; white-space: nowrap; color: var(--ink3); }
.hop { white-space: nowrap; }
.words { width: 100%; overflow-wrap: anywhere; }
.words a { display: block; margin: -0.3125rem -0.5rem; padding: 0.3125rem 0.5rem; color: inherit; scroll-margin-top: 3rem; }
.words a:focus-visible { outline-offset: -2px; }
.words a:target { background: var(--pick); }
pre { margin: 0.5rem 0; padding: 0.5rem; background: var(--well); border: 1px solid var(--line); line-height: 1.125rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.down .hop span { color: var(--blue); }
.up .hop span, .up .words { color: var(--ink2); }
.failed { background: var(--red-tint); }
.failed .words { color: var(--red); }
.open { background: var(--amber-tint); }
b { color: var(--amber); font-weight: 600; white-space: nowrap; }
@media (max-width: 45rem) {
  main { padding: 0.75rem 0.5rem; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { display: grid; grid-template-columns: auto 1fr; border-bottom: 1px solid var(--line); }
  td { border: 0; }
  .hop { text-align: right; }
  .words { grid-column: 1 / -1; padding-top: 0; }
  a, nav > * { padding: 0.6875rem 0.5rem; }
  .words a { padding: 0.6875rem 0.5rem; }
}
`
