/** Colours of the segments and curves. Each has the contrast of text on its background, light and dark. */
const light = ['#0b6e99', '#b3541e', '#3f7d20', '#7b4fa3', '#8a6d00', '#a3325c', '#1d7a7a', '#5b5b66'];
const dark = ['#58b8e3', '#f0925a', '#86c965', '#bb93e0', '#d9b84a', '#ee84ab', '#5cc4c4', '#b3b3bf'];

const colours = (values: readonly string[]): string => values.map((value, at) => `--s${at}:${value}`).join(';');
const classes = light
  .map((_, at) => `.s${at}{fill:var(--s${at});color:var(--s${at})}.s${at} polyline,i.s${at}{stroke:var(--s${at})}`)
  .join('');

/** The style of the report. It follows the reader's choice of light or dark. */
export const style = `:root{--text:#1c1c22;--soft:#62626d;--page:#fff;--card:#f6f6f8;--rule:#dcdce2;--bad:#b3261e;--bad-row:#fdecea;${colours(light)}}
@media(prefers-color-scheme:dark){:root{--text:#ececf1;--soft:#a5a5b2;--page:#141417;--card:#1e1e23;--rule:#36363f;--bad:#ff8a80;--bad-row:#3a1f1d;${colours(dark)}}}
*{box-sizing:border-box}body{font:16px/1.55 system-ui,sans-serif;margin:0 auto;max-width:72rem;padding:2.5rem 1.25rem 5rem;color:var(--text);background:var(--page)}
h1{font-size:2.1rem;line-height:1.15;letter-spacing:-.02em;margin:0 0 .6rem}h2{font-size:1.35rem;margin:3rem 0 .4rem;letter-spacing:-.01em}h3{font-size:1rem;margin:1.6rem 0 .3rem}
header p,.about,small{color:var(--soft)}header p{max-width:46rem}small{font-size:.85em;font-weight:400}li{max-width:60rem;color:var(--soft);font-size:.9rem}
.hero strong{display:block;font-size:3.4rem;line-height:1.1;letter-spacing:-.03em;font-variant-numeric:tabular-nums}
.shares{display:flex;gap:3px;margin:1.2rem 0 .8rem}.shares div{height:2.6rem;border-radius:6px}
figure{margin:1rem 0 1.6rem;padding:1rem 1.2rem;background:var(--card);border-radius:10px}figcaption{font-weight:600;margin-bottom:.5rem}
.wide{overflow-x:auto}svg{display:block;width:100%;min-width:40rem;font:12.5px system-ui,sans-serif;fill:var(--text)}svg .axis,svg .value{fill:var(--soft);font-variant-numeric:tabular-nums}
.grid{stroke:var(--rule)}.lead{fill:none;stroke:var(--rule)}.limit{stroke:var(--text);stroke-width:1.6;stroke-dasharray:3 2}.missed{fill:var(--bad)}polyline{fill:none!important;stroke-width:2;stroke-linejoin:round}
.key{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;margin:0 0 .6rem;font-size:.85rem;color:var(--soft)}.key i{display:inline-block;width:.75em;height:.75em;border-radius:2px;margin-right:.45em;background:currentColor}.key b{color:var(--text)}
${classes}${light.map((_, at) => `.shares .s${at}{background:var(--s${at})}`).join('')}
table{border-collapse:collapse;margin:.2rem 0 1.2rem;font-size:13px}th,td{padding:.25rem .8rem .25rem 0;border-bottom:1px solid var(--rule);text-align:left;vertical-align:top}
th{color:var(--soft);font-weight:600}td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}tr.no td{background:var(--bad-row)}`;
