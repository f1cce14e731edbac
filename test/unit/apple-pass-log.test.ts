import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { handler } from '../../functions/routes/apple-pass-log.ts';
import { startSample } from '../../shared/platform/sample.ts';
import { lambdaContext } from '../../tools/fixtures/api-event.ts';
import { printedLines } from '../support/printed-lines.ts';

afterEach(() => vi.unstubAllEnvs());

const reports = (lines: readonly unknown[]) =>
  lines.filter((line) => JSON.stringify(line).includes('A device reports a problem with a pass'));

describe('apple-pass-log', () => {
  it('logs one report of a flood, and answers all', async () => {
    const event = {
      resource: '/v1/apple/v1/log',
      httpMethod: 'POST',
      headers: {},
      body: JSON.stringify({ logs: ['The pass has no icon.'] }),
      requestContext: { requestId: 'r' },
    } as unknown as APIGatewayProxyEvent;
    const statuses: number[] = [];
    const lines = await printedLines(async () => {
      for (let count = 0; count < 50; count += 1) statuses.push((await handler(event, lambdaContext())).statusCode);
    });
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(reports(lines)).toMatchObject([{ line: 'The pass has no icon.', reports_left_out: 0 }]);
  });
});

describe('a sample', () => {
  it('is the first of each interval, and says how many were left out', () => {
    let nowMs = 1_000_000;
    const sample = startSample(60_000, { nowMs: () => nowMs });
    expect([sample(), sample(), sample()]).toEqual([{ leftOut: 0 }, undefined, undefined]);
    nowMs += 59_999;
    expect(sample()).toBeUndefined();
    nowMs += 1;
    expect(sample()).toEqual({ leftOut: 3 });
    nowMs += 60_000;
    expect(sample()).toEqual({ leftOut: 0 });
  });
});
