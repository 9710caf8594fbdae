"""The style sheet of a report: dark or light as the reader's system is, on a phone, and on paper."""

STYLE_SHEET = """
:root { color-scheme: light dark; --page: #fbfbfa; --text: #1f2328; --dim: #59636e; --line: #d4d9de;
  --card: #ffffff; --bar: #2f6f9f; --fill: #d9e8f3; --bad: #b3261e; --old: #7a5c00 }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --text: #e4e7ea; --dim: #9aa4ae;
  --line: #343b43; --card: #1c2025; --bar: #6fb1de; --fill: #24435a; --bad: #ff8a80; --old: #e0b84c } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { margin: 0; font-size: 1.6rem } h2 { margin: 0 0 .5rem; font-size: 1.25rem }
h3 { margin: 1.25rem 0 .5rem; font-size: 1rem }
a { color: var(--bar) } nav { margin: .75rem 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem }
section { margin: 1rem 0; padding: 1rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 8px }
.note, figcaption, dt, .from { color: var(--dim); font-size: .875rem } p { margin: .5rem 0 }
.query { padding: .5rem .75rem; border-left: 4px solid var(--bar); background: var(--fill) }
.figures { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; margin: 0 } .figures div { min-width: 7rem }
.figures dd { margin: 0; font-size: 1.5rem; font-variant-numeric: tabular-nums }
.wide { overflow-x: auto } table { width: 100%; border-collapse: collapse; font-size: .9375rem }
th, td { padding: .3rem .6rem .3rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line) }
td.text { min-width: 6rem } th { color: var(--dim); font-weight: 600; font-size: .8125rem }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.bar { display: inline-block; height: .7rem; min-width: 1px; background: var(--bar); border-radius: 2px }
.count { margin-left: .5rem; font-variant-numeric: tabular-nums }
figure { margin: 1rem 0 } svg { display: block; width: 100%; min-width: 36rem; height: auto }
svg.graph { min-width: 50rem } svg text { fill: var(--dim) }
svg.graph text { fill: var(--text) }
.grid, .leader { stroke: var(--line); stroke-width: 1 } .column, circle { fill: var(--bar) }
.arrow .line { fill: none; stroke: var(--dim); stroke-width: 1.4 } .arrow polygon { fill: var(--dim) }
.contradicts .line { stroke: var(--bad); stroke-dasharray: 6 4 } .contradicts polygon { fill: var(--bad) }
.supersedes .line { stroke: var(--old); stroke-dasharray: 2 3 } .supersedes polygon { fill: var(--old) }
details { margin: .25rem 0 } summary { color: var(--dim); font-size: .875rem; cursor: pointer }
.pair { margin: .75rem 0; padding-top: .75rem; border-top: 1px solid var(--line); break-inside: avoid }
.sides { display: flex; flex-wrap: wrap; gap: .75rem } .sides > div { flex: 1 1 16rem; min-width: 0 }
blockquote { margin: 0; padding: .25rem .75rem; border-left: 3px solid var(--line); white-space: pre-wrap;
  max-height: 20rem; overflow: auto }
@media screen and (max-width: 40rem) { body { padding: .5rem } section { padding: .75rem }
  .stacked thead { display: none } .stacked tr { display: block; padding: .4rem 0;
  border-bottom: 1px solid var(--line) } .stacked td { display: flex; gap: .5rem; padding: .1rem 0; border: 0;
  text-align: left; white-space: normal } .stacked td::before { content: attr(data-label); flex: 0 0 6rem;
  color: var(--dim) } }
@media print { :root { --page: #fff; --card: #fff; --text: #000; --dim: #444; --line: #bbb; --bar: #2f6f9f;
  --fill: #eef4f9; --bad: #b3261e; --old: #7a5c00 } body { max-width: none; padding: 0; font-size: 11pt }
  nav, details { display: none } section { border: 0; padding: 0 } svg, svg.graph { min-width: 0 }
  figure, tr { break-inside: avoid } blockquote { max-height: none } .wide { overflow: visible }
  .bar { print-color-adjust: exact } }
"""
