/** The style of the page at /docs: the colours and sizes of the pages (src/pages/styles/tokens.css), light and dark. */
export const DOCS_STYLE = `
:root { color-scheme: light dark; --brand: #3d4fd6;
--accent: light-dark(oklch(from var(--brand) min(l, 0.49) min(c, 0.24) h), oklch(from var(--brand) max(l, 0.78)
min(c, 0.12) h));
--tint: light-dark(oklch(from var(--brand) 0.963 min(c, 0.02) h), oklch(from var(--brand) 0.3 min(c, 0.06) h));
--paper: light-dark(#f9fafb, #0f1013); --card: light-dark(#fff, #17191c); --hover: light-dark(#eff0f2, #202226);
--ink: light-dark(#1b1e25, #ececee); --soft: light-dark(#5b5f68, #a5a9b1); --line: light-dark(#e3e4e7, #2d3035);
--field: light-dark(#84878e, #71757d); --good: light-dark(#0b6440, #74dba6); --warn: light-dark(#804700, #f2c76f);
--bad: light-dark(#b01f1f, #ffa8a5); --radius: 0.5rem;
--sans: system-ui, "Segoe UI", Roboto, sans-serif; --mono: ui-monospace, Menlo, Consolas, monospace; }
*, ::before, ::after { box-sizing: border-box; }
html { font: 100%/1.5 var(--sans); background: var(--paper); color: var(--ink); scroll-padding-block-start: 1rem; }
body { margin: 0; font-size: .9375rem; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
[hidden] { display: none !important; }
.skip { position: absolute; inset-block-start: -9rem; } .skip:focus { inset-block-start: 0; background: var(--card);
padding: .5rem; }
h1, h2, h3 { line-height: 1.3; letter-spacing: -.01em; font-weight: 600; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; } h2 { font-size: 1.0625rem; margin: 0; }
h3 { font-size: .8125rem; margin: 1.25rem 0 .25rem; color: var(--soft); }
p { margin: .5rem 0; text-wrap: pretty; } .soft, .what { color: var(--soft); font-size: .8125rem; }
code, pre { font: .92em/1.6 var(--mono); }
pre { margin: 0; padding: .75rem 1rem; overflow-x: auto; white-space: pre; }
.code { position: relative; border: 1px solid var(--line); border-radius: var(--radius); background: var(--paper); }
button, input, select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--field);
border-radius: var(--radius); min-height: 2.375rem; padding: .25rem .75rem; }
.code button { position: absolute; inset: .375rem .375rem auto auto; min-height: 1.75rem; font-size: .8125rem;
cursor: pointer; }
@media (scripting: none) { .scripted { display: none !important; } }
.bar { display: grid; gap: .5rem; margin: 1rem 0; } .bar label { font-size: .8125rem; color: var(--soft); }
.bar :is(input, select) { width: 100%; }
nav a { display: block; padding: .25rem .5rem; border-radius: var(--radius); color: var(--ink); text-decoration: none; }
nav a:hover { background: var(--hover); }
main { padding: 1.5rem clamp(1rem, 4vw, 2.5rem) 4rem; min-width: 0; max-width: 60rem; }
.side { padding: 1.5rem 1rem; border-block-end: 1px solid var(--line); }
section { margin-block-start: 2rem; }
.list { margin-block-start: .75rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); }
.operation + .operation { border-block-start: 1px solid var(--line); }
summary { cursor: pointer; padding: .625rem 1rem; display: flex; gap: .25rem .75rem; align-items: baseline;
flex-wrap: wrap; list-style: none; }
summary::-webkit-details-marker { display: none; } summary:hover { background: var(--hover); }
.method { font: 600 .75rem/1.5 var(--mono); min-width: 3.75rem; color: var(--accent); }
.method.GET { color: var(--good); } .method.DELETE { color: var(--bad); } .method:is(.PUT, .PATCH) { color:
var(--warn); }
.what { margin-inline-start: auto; } @media (max-width: 40rem) { .what { margin: 0; flex-basis: 100%; } } .inside {
padding: 0 1rem 1.25rem; }
table { border-collapse: collapse; width: 100%; } td { padding: .375rem .75rem .375rem 0; vertical-align: top;
border-block-start: 1px solid var(--line); }
td:first-child { width: 11rem; } @media (max-width: 40rem) { td { display: block; } td + td { border: 0;
padding-block-start: 0; } td:first-child { width: auto; } }
@media (min-width: 60rem) { body { display: grid; grid-template-columns: 16rem minmax(0, 1fr); }
.side { position: sticky; inset-block-start: 0; height: 100vh; overflow-y: auto; border-block-end: 0;
border-inline-end: 1px solid var(--line); } }
@media (max-width: 59.99rem) { nav { display: flex; gap: .25rem; overflow-x: auto; } nav a { flex: none; } }
@media print { .side, .code button { display: none; } }
`;
