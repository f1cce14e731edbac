import { expect, it } from 'vitest';
import { openApiDocument } from '../../shared/openapi/document.ts';
import { operations } from '../../shared/operations/registry.ts';
import { resolved } from '../support/openapi-inputs.ts';
import { probe } from '../support/probe-operation.ts';

const monthsBetween = (from: Date, to: Date): number =>
  (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();

it('a deprecated operation names whole days, and works for at least twelve months', () => {
  for (const { id, deprecation } of [...operations, probe]) {
    if (deprecation === undefined) continue;
    const { since, sunset } = deprecation;
    const [from, to] = [new Date(since), new Date(sunset)];
    expect([id, from.toISOString().slice(0, 10), to.toISOString().slice(0, 10)]).toEqual([id, since, sunset]);
    expect({ id, months: monthsBetween(from, to) }).toEqual({ id, months: expect.toSatisfy((months) => months >= 12) });
  }
});

it('the OpenAPI document marks a deprecated operation, and says when it ends and what replaces it', () => {
  const document: unknown = JSON.parse(JSON.stringify(resolved(openApiDocument([probe], 'https://api.example.com'))));
  expect(document).toMatchObject({
    paths: {
      '/v1/probes/{probe_id}': {
        post: {
          deprecated: true,
          description: expect.stringContaining(
            '**Deprecated since 2026-01-01.** It ends on 2027-02-01. Use another probe.',
          ),
          responses: { 201: { headers: { Deprecation: expect.anything(), Sunset: expect.anything() } } },
        },
      },
    },
  });
});
