import { describe, expect, it } from 'vitest';
import { readStack } from '../support/template.ts';

const prod = readStack('prod');

describe('dashboard', () => {
  const dashboard = JSON.stringify(prod.ofType('AWS::CloudWatch::Dashboard')[0]?.Properties.DashboardBody);

  it('the dashboard shows one p99 for each operation that sells and admits, of its own stage', () => {
    expect(dashboard).toContain('{Gateline,operation,stage} MetricName=');
    expect(dashboard).toContain(`'p99', 60)`);
    const searches = [...dashboard.matchAll(/SEARCH\('[^']*'/g)].map(([search]) => search);
    expect(searches.length).toBeGreaterThan(5);
    for (const search of searches) expect(search).toMatch(/stage=\W*prod/);
  });

  it('the dashboard shows every objective', () => {
    for (const objective of ['availability: 99.9 %', 'check-out-basket: 99 %', 'record-scan: 99 %'])
      expect(dashboard).toContain(objective);
  });
});
