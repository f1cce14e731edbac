import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Results } from '../../bench/report/figures.ts';
import { reportPage } from '../../bench/report/report-page.ts';

const folder = new URL('../../bench/results/', import.meta.url);
const results = v.parse(Results, JSON.parse(readFileSync(new URL('latest.json', folder), 'utf8')));
const page = reportPage(results);

describe('the report of the benchmark', () => {
  it('shows the cost of a ticket, growth, operations and the comparison before the first table', () => {
    const titles = ['A ticket', 'Growth', 'Operations', 'Compared with the least possible', 'Targets'];
    const places = [...titles.map((title) => page.indexOf(`<h2>${title}</h2>`)), page.indexOf('<table>')];
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(page).toContain('prefers-color-scheme:dark');
  });

  it('has one bar for each measured operation', () => {
    const measured = results.parts.operations?.tables.find(({ title }) => title === 'Operations')?.rows.length ?? 0;
    expect(measured).toBeGreaterThan(30);
    const chart = page.slice(page.indexOf('<h2>Operations</h2>'), page.indexOf('<h2>Compared'));
    expect(chart.match(/class="value"/g)).toHaveLength(measured);
  });

  it('loads nothing, and has no number that is none', () => {
    expect(page).not.toMatch(/<(script|link|img)|url\(|https?:/);
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('leaves out what has not been measured', () => {
    expect(reportPage({ targets: [], parts: {} })).not.toContain('<figure');
  });
});
