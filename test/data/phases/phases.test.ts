import { beforeAll, describe, expect, it } from 'vitest';
import { copyEvent } from '../../../shared/catalogue/copy-event.ts';
import { readEventWithPhases } from '../../../shared/data/phases/phases.ts';
import { readPricedEvent } from '../../../shared/data/prices/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { idText } from '../../../shared/domain/ids.ts';
import { phaseLimits } from '../../../shared/domain/phases/phase.ts';
import { priceIdOf } from '../../../shared/domain/prices/price.ts';
import { noonUnix } from '../../support/baskets.ts';
import { PhaseOffice } from '../../support/phase-office.ts';
import { givenPhasedSale } from '../../support/phased-sale.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

let table: Table;
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

const hour = 3_600;
const morning = { from_unix: noonUnix - hour, until_unix: noonUnix };
const afternoon = { from_unix: noonUnix, until_unix: noonUnix + hour };

describe('phases of an event', () => {
  it('are created, listed in the order of their opening, changed and deleted', async () => {
    const { phases, typeId, price, event } = await givenPhasedSale(table);
    const later = await phases.created({ title: 'Everyone', ...afternoon });
    const first = await phases.create({
      title: ' Members first ',
      ...morning,
      max_per_person: 4,
      price_ids: [price.priceId],
      requires: { membership_type_ids: [String(typeId)], attribute: { name: 'points', at_least: 100 } },
    });
    expect(first).toEqual({
      status: 201,
      body: {
        phase_id: priceIdOf(event.eventId, 2),
        title: 'Members first',
        ...morning,
        max_per_person: 4,
        version: 1,
        requires: {
          membership_type_ids: [typeId],
          code_campaign_id: null,
          attribute: { name: 'points', at_least: 100 },
        },
        price_ids: [price.priceId],
      },
    });
    expect((await phases.list()).body).toMatchObject({ data: [first.body, { phase_id: later }] });
    const changed = await phases.update(first.body.phase_id, { requires: null, price_ids: null });
    expect(changed.body).toMatchObject({
      title: 'Members first',
      price_ids: null,
      version: 2,
      max_per_person: 4,
      requires: { membership_type_ids: null, code_campaign_id: null, attribute: null },
    });
    expect((await phases.update(first.body.phase_id, { requires: {} })).body.version).toBe(2);
    expect(await phases.remove(later)).toEqual({ status: 200, body: { phase_id: later, deleted: true } });
    expect((await phases.list()).body.data).toHaveLength(1);
    expect((await phases.created({ title: 'Everyone', ...afternoon })) - later).toBe(2);
  });

  it('do not overlap for one price, also if two are created at the same time', async () => {
    const { phases, price, junior } = await givenPhasedSale(table);
    const overlap = { status: 400, body: { error: { code: 'phase_overlap', param: 'from_unix' } } };
    const ofPrice = (priceId: number) => ({ price_ids: [priceId] });
    const twins = await Promise.all([1, 2].map(() => phases.create({ ...morning, ...ofPrice(price.priceId) })));
    expect(twins.map(({ status }) => status).toSorted()).toEqual([201, 400]);
    for (const fields of [{}, morning, { from_unix: noonUnix - 1 }, { until_unix: noonUnix - hour + 1 }]) {
      expect(await phases.create(fields)).toMatchObject(overlap);
      expect(await phases.create({ ...fields, ...ofPrice(price.priceId) })).toMatchObject(overlap);
    }
    await phases.created({ until_unix: noonUnix - hour });
    await phases.created({ ...morning, ...ofPrice(junior.priceId) });
    const last = await phases.created({ from_unix: noonUnix });
    expect(await phases.update(last, { from_unix: noonUnix - 1 })).toMatchObject(overlap);
    expect((await phases.update(last, { until_unix: noonUnix + 1 })).status).toBe(200);
  });

  it('are refused with what does not exist by reading alone, so no race of writers can make it a 503', async () => {
    const { phases, event } = await givenPhasedSale(table);
    const phase = await phases.created(morning);
    const sent: string[] = [];
    table.client.middlewareStack.add(
      (next, { commandName = '' }) =>
        (args) => {
          if (JSON.stringify(args.input).includes(idText(event.eventId))) sent.push(commandName);
          return next(args);
        },
      { step: 'initialize', name: 'sent' },
    );
    try {
      for (const fields of [
        { price_ids: [priceIdOf(event.eventId, 9)] },
        { requires: { membership_type_ids: [9] } },
        { requires: { code_campaign_id: 9 } },
      ]) {
        expect(await phases.update(phase, fields)).toMatchObject({ status: 400 });
      }
    } finally {
      table.client.middlewareStack.remove('sent');
    }
    expect([...new Set(sent)]).toEqual(['QueryCommand']);
  });

  it('are refused with what does not exist, without a time between start and end, and beyond their number', async () => {
    const { phases, event, key } = await givenPhasedSale(table);
    const { price: elsewhere } = await givenPhasedSale(table);
    for (const [fields, code, param] of [
      [{ price_ids: [elsewhere.priceId] }, 'resource_missing', 'price_ids'],
      [{ price_ids: [priceIdOf(event.eventId, 9)] }, 'resource_missing', 'price_ids'],
      [{ requires: { membership_type_ids: [9] } }, 'resource_missing', 'requires.membership_type_ids'],
      [{ requires: { code_campaign_id: 9 } }, 'resource_missing', 'requires.code_campaign_id'],
      [{ requires: { attribute: { name: 'Points', at_least: 1 } } }, 'parameter_invalid', 'requires.attribute.name'],
      [{ from_unix: noonUnix, until_unix: noonUnix }, 'parameter_conflict', 'until_unix'],
      [{ max_per_person: 0 }, 'parameter_invalid', 'max_per_person'],
      [{ price_ids: [] }, 'parameter_invalid', 'price_ids'],
    ] as const) {
      expect(await phases.create(fields)).toMatchObject({ status: 400, body: { error: { code, param } } });
    }
    expect((await phases.list()).body).toEqual({ data: [] });
    for (let index = 0; index < phaseLimits.perEvent; index += 1) {
      await phases.created({ from_unix: noonUnix + index, until_unix: noonUnix + index + 1 });
    }
    const tooMany = { status: 409, body: { error: { code: 'too_many_phases' } } };
    expect(await phases.create({ from_unix: noonUnix + hour })).toMatchObject(tooMany);
    const missing = { status: 404, body: { error: { code: 'resource_not_found' } } };
    expect(await new PhaseOffice(table, key, event.eventId + 512).create(morning)).toMatchObject(missing);
    for (const id of [elsewhere.priceId, priceIdOf(event.eventId, 400), 'x']) {
      expect(await phases.update(id, { title: 'X' })).toMatchObject(missing);
      expect(await phases.remove(id)).toMatchObject(missing);
    }
  });

  it('are changed only in the version of If-Match, and created once by a repeated request', async () => {
    const { phases } = await givenPhasedSale(table);
    const [one, again] = [await phases.create(morning, 'once'), await phases.create(morning, 'once')];
    expect(again).toEqual(one);
    const { phase_id } = one.body;
    expect((await phases.update(phase_id, { title: 'A' }, { 'If-Match': '"1"' })).body.version).toBe(2);
    expect(await phases.update(phase_id, { title: 'B' }, { 'If-Match': '"1"' })).toMatchObject({
      status: 412,
      body: { error: { code: 'version_conflict' } },
    });
  });

  it('are shown to a shop with the prices that it sees, and not of a hidden event', async () => {
    const { phases, codes, storefront, price, junior } = await givenPhasedSale(table);
    await codes.word('SECRET', { effect: { kind: 'none' }, reveals_price_ids: [junior.priceId] });
    await phases.created({ ...morning, price_ids: [price.priceId, junior.priceId] });
    await phases.created({ ...afternoon, price_ids: [junior.priceId] });
    expect((await phases.list(storefront)).body).toMatchObject({ data: [{ price_ids: [price.priceId] }] });
    expect((await phases.list()).body.data).toHaveLength(2);
  });

  it('are copied with their event, and move with its start', async () => {
    const { phases, orgId, event, junior } = await givenPhasedSale(table);
    await phases.created({ ...morning, price_ids: [junior.priceId], max_per_person: 4 });
    await phases.created({ title: 'Everyone', from_unix: noonUnix });
    const week = 7 * 86_400;
    const copy = { title: 'Next', startUnix: event.startUnix - week, code: 'next', nowUnix: 0, sideEffects: () => [] };
    for (let time = 0; time < 2; time += 1) {
      const copied = await copyEvent(table, orgId, event.eventId, copy);
      if (copied.outcome !== 'copied') throw new Error(copied.outcome);
      const found = await readEventWithPhases(table, orgId, copied.event.eventId);
      expect(found?.phases?.phases).toMatchObject([
        { fromUnix: morning.from_unix - week, untilUnix: noonUnix - week, priceIndexes: [2], maxPerPerson: 4 },
        { fromUnix: noonUnix - week, untilUnix: null, priceIndexes: null, title: 'Everyone' },
      ]);
    }
  });

  it('keep their numbers in a copy, as prices do, and a price that a code reveals is hidden there', async () => {
    const { phases, codes, orgId, event, junior } = await givenPhasedSale(table);
    await codes.word('SECRET', { effect: { kind: 'none' }, reveals_price_ids: [junior.priceId] });
    await phases.remove(await phases.created(morning));
    await phases.created({ ...afternoon, price_ids: [junior.priceId] });
    await phases.remove(await phases.created(morning));
    const copy = { title: 'Next', startUnix: event.startUnix, code: 'next', nowUnix: 0, sideEffects: () => [] };
    const copied = await copyEvent(table, orgId, event.eventId, copy);
    if (copied.outcome !== 'copied') throw new Error(copied.outcome);
    const { eventId } = copied.event;
    const found = await readPricedEvent(table, orgId, eventId, { consistent: true });
    expect(found?.phases).toMatchObject({ phases: [{ number: 2, priceIndexes: [junior.index] }], lastNumber: 3 });
    expect(found?.prices).toMatchObject([
      { index: 1, priceId: priceIdOf(eventId, 1), showOnline: true },
      { index: 2, priceId: priceIdOf(eventId, 2), code: 'junior', showOnline: false },
    ]);
  });
});
