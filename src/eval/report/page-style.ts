import { runStyle } from '../../html/run-view.ts';

/** What the page of an evaluation has besides the style of all pages. */
export const style = `${runStyle}
nav.contents { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .875rem; margin: 1rem 0 0; }
.number-of {
  display: inline-block; flex: none; white-space: nowrap; min-width: 1.35rem; padding: 0 .3rem; border-radius: .7rem; text-align: center;
  font-size: .75rem; font-weight: 700; line-height: 1.35rem; color: var(--paper); background: var(--quiet);
}
.number-of.of-1 { background: var(--series-1); } .number-of.of-2 { background: var(--series-2); }
.number-of.of-3 { background: var(--series-3); } .number-of.of-4 { background: var(--series-4); }
.number-of.of-5 { background: var(--series-5); } .number-of.of-6 { background: var(--series-6); }
.name-of { display: inline-flex; gap: .5rem; align-items: baseline; max-width: 100%; }
.name-of .label { min-width: 0; overflow-wrap: anywhere; }
tr:has(.plot-cell) .name-of { width: 14rem; }
tr:has(.plot-cell) .label { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; line-height: 1.25; }
.rates { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 0 3rem; }
.rates section { min-width: 0; }
.rates h3 { margin-bottom: 0; }
.rates .of { margin: 0 0 .25rem; }
.confusion td, .confusion th { padding: .3rem .5rem; border-bottom: 0; }
.confusion thead th { font-weight: 500; writing-mode: vertical-rl; transform: rotate(180deg); text-align: left; vertical-align: bottom; max-height: 12rem; padding: .5rem .3rem; }
.confusion thead th:first-child { writing-mode: horizontal-tb; transform: none; }
.confusion tbody th { white-space: nowrap; }
.confusion td { min-width: 2.6rem; text-align: center; }
.confusion .same { background: color-mix(in srgb, var(--series-1) var(--depth), var(--paper)); }
.confusion .other { background: color-mix(in srgb, var(--series-2) var(--depth), var(--paper)); }
.confusion .zero { color: var(--strong-rule); }
.depth-1 { --depth: 12%; } .depth-2 { --depth: 22%; } .depth-3 { --depth: 34%; } .depth-4 { --depth: 48%; }

.task > summary { padding: .45rem .25rem; }
.task-head { display: inline-flex; flex-wrap: wrap; gap: .25rem 1rem; width: calc(100% - 1rem); align-items: baseline; vertical-align: top; }
.task-name { flex: 1 1 20rem; min-width: 0; }
.task-name b { font-weight: 600; margin-right: .4rem; }
.marks { display: flex; flex-wrap: wrap; gap: .25rem; }
.mark { font-size: .75rem; line-height: 1.4rem; padding: 0 .45rem; border-radius: .7rem; border: 1px solid transparent; white-space: nowrap; }
.mark.right { color: var(--good); border-color: color-mix(in srgb, var(--good) 35%, transparent); }
.mark.wrong { color: var(--paper); background: var(--bad); font-weight: 600; }
.mark.partly { color: var(--bad); border-color: var(--bad); }
.task > dl.facts { margin-top: .5rem; }
.asked h3 { margin: 1rem 0 .2rem; font-size: .9375rem; font-weight: 600; }
.asked h3 .quiet { font-weight: 400; font-size: .875rem; margin-left: .4rem; }
.asked p { margin: .1rem 0 .5rem; }
.failure { font-size: .9375rem; }
.failure > dl.facts { margin-top: .3rem; }
.asked h3 .name-of { font-weight: 600; }
.alerts { padding: .6rem .9rem; border-left: 3px solid var(--bad); background: var(--raised); border-radius: 0 .3rem .3rem 0; list-style: none; max-width: none; }
@media (max-width: 40rem) {
  tr .name-of { width: 10rem; }
  tr:has(.plot-cell) .name-of { width: 7.5rem; gap: .35rem; }
  tr:has(.plot-cell) .label { font-size: .8125rem; -webkit-line-clamp: 3; }
  .task-head { width: calc(100% - .5rem); }
}
.count { padding-bottom: .5rem; }
`;
