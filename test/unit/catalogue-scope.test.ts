import { describe, expect, it } from 'vitest';
import { scopes } from '../../shared/domain/auth/scopes.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { toJson } from '../support/resource-contract.ts';

const isOpenTo = ({ auth }: Operation): boolean =>
  auth.kind === 'metered' && [auth.scope, auth.orScope].includes('catalogue:write');
const open = operations.filter(isOpenTo);
const ids = (some: readonly Operation[]) => some.map(({ id }) => id).sort();

/** What says who somebody is. Titles and codes of the catalogue do not. */
const personal = /"(email_address|email|first_name|last_name|mobile_number|ticket_name|user_id|barcode)"/;

describe('the scope catalogue:write', () => {
  it('reads events, prices, pools, categories, codes, venues, membership lists and the figures of an event', () => {
    expect(ids(open.filter(({ method }) => method === 'GET'))).toEqual([
      'event-sales-summary',
      'event-stats-by-price',
      'event-stats-by-price-category',
      'list-code-campaigns',
      'list-codes',
      'list-event-prices',
      'list-events',
      'list-membership-categories',
      'list-membership-payment-options',
      'list-membership-types',
      'list-phases',
      'list-pools',
      'list-price-categories',
      'list-seat-blocks',
      'list-seat-maps',
      'list-venues',
      'retrieve-code-campaign',
      'retrieve-event',
      'retrieve-event-seats',
      // A job shows how far a change of the catalogue is.
      'retrieve-job',
      'retrieve-seat-map',
    ]);
  });

  it.each(open)('shows no data of a person and moves no money: $id', ({ output, effects }) => {
    expect(JSON.stringify(toJson(output.schema))).not.toMatch(personal);
    expect(effects.usesPayments).toBe(false);
  });

  it('what it writes needs this scope, and no storefront or gate token will do', () => {
    const writes = open.filter(({ method }) => method !== 'GET');
    expect(writes.length).toBeGreaterThan(8);
    for (const { auth } of writes) expect(auth).toEqual({ kind: 'metered', scope: 'catalogue:write' });
  });

  it('no other scope writes the catalogue', () => {
    const others = operations.filter(({ resource, method }) => resource === 'catalogue' && method !== 'GET');
    expect(ids(others.filter((operation) => !isOpenTo(operation)))).toEqual([]);
    expect(scopes).toContain('catalogue:write');
  });
});
