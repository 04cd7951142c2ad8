/**
 * The stylesheet of all pages: light and dark, wide and narrow, and on paper.
 *
 * The colours of series (`--series-N`) are like those of Okabe and Ito, which people with any kind of colour blindness can tell apart:
 * darker on white and lighter on black, so that text in them can be read. No page says anything by colour alone.
 */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fdfdfc; --raised: #f5f4f1; --ink: #1d1c1a; --quiet: #66635d; --rule: #e3e1db; --strong-rule: #c4c1b9;
  --accent: #0b6ea8; --good: #00795b; --bad: #b0460a; --mark: #fff1c9;
  --series-1: #0b6ea8; --series-2: #b45309; --series-3: #00795b; --series-4: #a64a83; --series-5: #7d6300; --series-6: #5b6670;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161614; --raised: #201f1d; --ink: #ebe9e4; --quiet: #a09d95; --rule: #32312d; --strong-rule: #55534c;
    --accent: #63b5e8; --good: #3ec299; --bad: #f0904e; --mark: #4a3f1c;
    --series-1: #63b5e8; --series-2: #f0904e; --series-3: #3ec299; --series-4: #d995bd; --series-5: #dcc04a; --series-6: #9aa5b0;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0 auto; padding: 2.5rem clamp(1rem, 4vw, 3rem) 5rem; max-width: 76rem;
  background: var(--paper); color: var(--ink); font: 1rem/1.55 var(--sans); font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
h1 { margin: 0 0 .35rem; font-size: 1.75rem; font-weight: 650; letter-spacing: -.015em; }
h2 { margin: 3.25rem 0 .4rem; font-size: 1.25rem; font-weight: 650; letter-spacing: -.01em; }
h3 { margin: 1.75rem 0 .4rem; font-size: 1rem; font-weight: 650; }
p, ul, ol, dl { margin: .4rem 0 1rem; max-width: 46rem; }
a { color: var(--accent); text-underline-offset: .15em; }
code, pre, kbd, samp { font-family: var(--mono); font-size: .8125rem; }
pre {
  margin: .25rem 0 1rem; padding: .75rem .9rem; border-radius: .4rem; background: var(--raised);
  line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4;
}
.quiet { color: var(--quiet); }
.small { font-size: .875rem; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.lead { color: var(--quiet); margin-bottom: 1.25rem; }
.hidden, [hidden] { display: none !important; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .2rem; }

dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.25rem; font-size: .875rem; }
dl.facts dt { color: var(--quiet); }
dl.facts dd { margin: 0; min-width: 0; }
dl.facts dd > pre { margin: 0; padding: .3rem .6rem; }
dl.facts dt:has(+ dd > pre) { padding-top: .3rem; }

.scroll { overflow-x: auto; margin: .25rem 0 1.25rem; }
table { border-collapse: collapse; font-size: .875rem; line-height: 1.4; }
table.wide { width: 100%; }
caption { text-align: left; color: var(--quiet); padding-bottom: .35rem; }
th, td { padding: .4rem .75rem; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--rule); }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
thead th { font-weight: 500; color: var(--quiet); border-bottom-color: var(--strong-rule); vertical-align: bottom; }
tbody th { font-weight: 500; }
tbody tr:last-child > * { border-bottom: 0; }
thead th { overflow-wrap: normal; }
.number { text-align: right; white-space: nowrap; }

details { border-top: 1px solid var(--rule); }
details:last-of-type { border-bottom: 1px solid var(--rule); }
summary { cursor: pointer; padding: .5rem .25rem; list-style-position: outside; margin-left: 1rem; }
summary:hover { color: var(--accent); }
details > :not(summary) { margin-left: 1rem; }

label { font-size: .875rem; color: var(--quiet); }
input, select, button {
  font: inherit; font-size: .9375rem; color: inherit; background: var(--paper);
  border: 1px solid var(--strong-rule); border-radius: .35rem; padding: .35rem .6rem; min-height: 2.25rem; max-width: 100%;
}
input[type=checkbox] { min-height: 0; width: 1rem; height: 1rem; margin: 0 .4rem 0 0; vertical-align: -.12em; accent-color: var(--accent); }
button { cursor: pointer; }
button:hover { border-color: var(--quiet); }
.controls { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; margin: .75rem 0 1rem; }
.controls > label { display: grid; grid-template-columns: minmax(0, 1fr); gap: .2rem; min-width: 0; max-width: 100%; }
.controls > label.line { display: block; padding-bottom: .45rem; color: var(--ink); }

.pieces .control { color: var(--accent); background: color-mix(in srgb, var(--accent) 13%, transparent); border-radius: .2rem; padding: 0 .15em; }
.pieces .from-system, .pieces .from-tools { color: var(--series-5); }
.pieces .from-user { color: var(--series-3); }
.pieces .from-assistant { color: var(--ink); }
.pieces .from-tool { color: var(--series-4); }
.pieces .from-template { color: var(--quiet); }
.pieces .left-out { display: block; color: var(--quiet); font-style: italic; font-family: var(--sans); padding: .3rem 0; }

svg.plot { display: block; overflow: visible; }
th.plot-cell, td.plot-cell { width: 100%; min-width: 9rem; }
td.plot-cell { position: relative; height: 1.9rem; }
td.plot-cell svg { position: absolute; inset: 0 .75rem; width: calc(100% - 1.5rem); height: 100%; }
tbody tr:has(.plot-cell) > * { border-bottom: 0; vertical-align: middle; }
.plot .grid { stroke: var(--rule); stroke-width: 1; shape-rendering: crispEdges; }
.plot .tick { fill: var(--quiet); font-size: .75rem; }
.plot .spread { stroke-width: 5; stroke-opacity: .38; stroke-linecap: round; }
.plot .spread.thin { stroke-width: 2; stroke-opacity: .6; }
.plot .dot { stroke: var(--paper); stroke-width: 1.5; }
.plot .in-dot { fill: var(--paper); font-size: .75rem; font-weight: 700; pointer-events: none; }
.bar { stroke: var(--paper); stroke-width: 1; }
.series-1 { fill: var(--series-1); } .series-2 { fill: var(--series-2); } .series-3 { fill: var(--series-3); }
.series-4 { fill: var(--series-4); } .series-5 { fill: var(--series-5); } .series-6 { fill: var(--series-6); }
.spread.series-1 { stroke: var(--series-1); } .spread.series-2 { stroke: var(--series-2); } .spread.series-3 { stroke: var(--series-3); }
.spread.series-4 { stroke: var(--series-4); } .spread.series-5 { stroke: var(--series-5); } .spread.series-6 { stroke: var(--series-6); }
ul.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.25rem; padding: 0; list-style: none; font-size: .875rem; color: var(--quiet); }
ul.legend svg { vertical-align: -.12em; margin-right: .45em; }
figure { margin: 1rem 0 1.5rem; }
figure.scatter { padding: 0 1.25rem 0 3.25rem; }
figure.scatter svg { margin: .9rem 0 2.1rem; }
.axis-name { color: var(--quiet); font-size: .8125rem; }
.scatter .axis-name:first-child { margin-left: -3.25rem; }
.axis-name.end { text-align: right; }

@media (max-width: 40rem) {
  body { padding-top: 1.5rem; }
  h1 { font-size: 1.4rem; }
  h2 { margin-top: 2.5rem; font-size: 1.15rem; }
  dl.facts { grid-template-columns: 1fr; gap: 0; }
  dl.facts dd { margin-bottom: .4rem; }
  th, td { padding: .35rem .5rem; }
  td.plot-cell svg { inset: 0 .5rem; width: calc(100% - 1rem); }
  th.plot-cell, td.plot-cell { min-width: 6.5rem; }
  .plot .tick.between { display: none; }
}
@media print {
  body { max-width: none; padding: 0; font-size: .8rem; }
  .controls { display: none; }
  h2, h3, summary { break-after: avoid; }
}
`;
