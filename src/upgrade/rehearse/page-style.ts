/**
 * How the page of a rehearsal looks, light and dark.
 */

export const pageStyle = `
:root {
  color-scheme: light dark;
  --back: #f6f7f9; --card: #ffffff; --line: #dfe3e8; --text: #1b2330; --dim: #5b6675; --link: #2457c5;
  --none: #5b6675; --inPlace: #1d7a46; --restarts: #946200; --rolls: #a85b00; --replaces: #b4480c; --deletes: #b3261e; --losesData: #8c1414;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #12161c; --card: #1a2029; --line: #2c3542; --text: #e4e8ee; --dim: #97a3b3; --link: #8fb3ff;
    --none: #97a3b3; --inPlace: #6fd19a; --restarts: #e6bd5a; --rolls: #f0a860; --replaces: #f39a6b; --deletes: #f28b82; --losesData: #ff8f8f;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 70rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .75rem; }
p { margin: .25rem 0; }
.dim { color: var(--dim); }
code { font: .87em ui-monospace, monospace; overflow-wrap: anywhere; }
.card, details.tenant { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
.card { padding: .9rem 1.1rem; }
.note { border-left: .3rem solid var(--rolls); margin: 1.25rem 0; }
.stop { border-left: .3rem solid var(--deletes); margin: .6rem 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .75rem; margin: 1.25rem 0; padding: 0; list-style: none; }
.tiles li { padding: .7rem 1rem; }
.tiles b { display: block; font-size: 1.6rem; line-height: 1.15; font-variant-numeric: tabular-nums; }
details.tenant { margin: .6rem 0; }
details.tenant > summary { cursor: pointer; padding: .75rem 1.1rem; display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; }
details.tenant > summary b { flex: 1 1 14rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; border-top: 1px solid var(--line); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .55rem 1.1rem; border-bottom: 1px solid var(--line); }
tr:last-child > td { border-bottom: 0; }
th { font-size: .8rem; font-weight: 600; color: var(--dim); }
td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
td ul { margin: .4rem 0 0; padding-left: 1.1rem; }
td summary { cursor: pointer; color: var(--link); }
.impact { font-weight: 600; white-space: nowrap; }
.none { color: var(--none); } .inPlace { color: var(--inPlace); } .restarts { color: var(--restarts); } .rolls { color: var(--rolls); }
.replaces { color: var(--replaces); } .deletes { color: var(--deletes); } .losesData { color: var(--losesData); }
@media print { body { background: none; } details.tenant { break-inside: avoid; } }
`;
