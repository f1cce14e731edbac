import { beforeAll, describe, expect, it } from 'vitest';
import { handle as handleCreateOption } from '../../../functions/api/catalogue/create-membership-payment-option.ts';
import { handle as handleCreate } from '../../../functions/api/catalogue/create-venue.ts';
import { handle as handleUpdateOption } from '../../../functions/api/catalogue/update-membership-payment-option.ts';
import { handle as handleUpdate } from '../../../functions/api/catalogue/update-venue.ts';
import { handle as handleOptions } from '../../../functions/api/membership/list-membership-payment-options.ts';
import { saveVenue } from '../../../shared/catalogue/save-venue.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { venueItem } from '../../../shared/data/events/row.ts';
import { readVenue, readVenues } from '../../../shared/data/events/venues.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { createMembershipPaymentOption } from '../../../shared/operations/catalogue/create-membership-payment-option.ts';
import { createVenue } from '../../../shared/operations/catalogue/create-venue.ts';
import { updateMembershipPaymentOption } from '../../../shared/operations/catalogue/update-membership-payment-option.ts';
import { updateVenue } from '../../../shared/operations/catalogue/update-venue.ts';
import { listMembershipPaymentOptions } from '../../../shared/operations/membership/list-membership-payment-options.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenEvent } from '../../../tools/fixtures/events.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { checkoutDepsOf } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { CrashPoint, crashingTable } from '../../support/faults/crashing-deps.ts';
import { runDueJobs } from '../../support/jobs.ts';
import { createTestTable } from '../../support/table.ts';
import { crashPoints } from '../../support/thorough.ts';

type Body = Readonly<Record<string, unknown>>;
const orgId = 'org_club';
let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
});

const refused = (code: string, param: string | null) => ({ details: [expect.objectContaining({ code, param })] });
const create = (body: Body) => callHandler(createVenue, handleCreate, { body }, { table, orgId });
const update = (venueId: string, body: Body, ifMatch?: number, of = orgId) =>
  callHandler(updateVenue, handleUpdate, { params: { venue_id: venueId }, body }, { table, orgId: of, ifMatch });

describe('create-venue and update-venue', () => {
  it('create-venue returns the venue with its code as its id, and makes one up if there is none', async () => {
    const meadow = { venue_id: 'meadow', venue_name: 'The Meadow', code: 'meadow', version: 1 };
    expect(await create({ code: 'meadow', venue_name: 'The Meadow' })).toEqual(meadow);
    await expect(create({ code: 'meadow', venue_name: 'Another' })).rejects.toMatchObject(
      refused('code_taken', 'code'),
    );
    expect(await create({ venue_name: 'Unnamed' })).toMatchObject({ venue_name: 'Unnamed', version: 1 });
  });

  it('two people who rename a venue at once do not lose a change, also of a row of an earlier release', async () => {
    const { version: _, ...old } = venueItem(orgId, { venueId: 'old', name: 'Old', version: 1 });
    await putItems(table, [old]);
    expect(await update('old', { venue_name: 'Newer' }, 1)).toMatchObject({ version: 2 });
    await expect(update('old', { venue_name: 'Other' }, 1)).rejects.toMatchObject(
      refused('version_conflict', 'If-Match'),
    );
    const names = ['A', 'B', 'C'];
    await Promise.all(names.map((name) => update('old', { venue_name: name })));
    expect(await readVenue(table, orgId, 'old')).toMatchObject({ version: 5 });
  });

  it('dry_run of both writes nothing', async () => {
    await create({ code: 'dry', venue_name: 'Dry' });
    const before = await readVenues(table, orgId);
    expect(await create({ dry_run: true, code: 'new', venue_name: 'New' })).toMatchObject({ venue_id: 'new' });
    expect(await update('dry', { dry_run: true, venue_name: 'Wet' })).toMatchObject({
      venue_name: 'Wet',
      refresh_job_id: null,
    });
    expect(await readVenues(table, orgId)).toEqual(before);
  });

  it('a venue of another organisation is missing', async () => {
    await create({ code: 'ours', venue_name: 'Ours' });
    const call = update('ours', { venue_name: 'Theirs' }, undefined, 'org_others');
    await expect(call).rejects.toMatchObject(refused('resource_not_found', null));
  });

  it('a new name reaches every event of the venue and no other, whenever the process dies', async () => {
    const of = 'org_renaming';
    await givenOrganisation(table, of);
    const saving = { table, orgId: of, nowUnix: checkoutDepsOf(table, of).nowUnix };
    for (const venueId of ['park', 'hall']) await saveVenue(saving, { venueId, name: venueId });
    const places = ['park', 'hall', 'park', null];
    const events = await Promise.all(
      places.map((venueId, index) => givenEvent(table, of, { code: `e${index}`, venueId, venueName: venueId })),
    );
    const names = async () =>
      Promise.all(events.map(async ({ eventId }) => (await readEvent(table, of, eventId))?.venueName ?? null));
    for (const at of crashPoints()) {
      const name = `Park ${at}`;
      const crashPoint = new CrashPoint(at, at % 2 === 0 ? 'before' : 'after');
      const crashing = crashingTable(table, crashPoint);
      const deps = checkoutDepsOf(table, of);
      const work = async () => {
        await saveVenue({ ...saving, table: crashing }, { venueId: 'park', name });
        deps.nowUnix += 60;
        await runDueJobs({ ...deps, table: crashing });
        return 'ended';
      };
      const ended = await crashPoint.resultOf(work());
      // The client repeats the request, and the worker runs again after the lease.
      const saved = await saveVenue(saving, { venueId: 'park', name });
      for (let minute = 0; minute < 5; minute += 1) {
        deps.nowUnix += 60;
        await runDueJobs(deps);
      }
      expect(saved, `call ${at}`).toMatchObject({ venue: { name } });
      expect(await names(), `call ${at}`).toEqual([name, 'hall', name, null]);
      if (ended === undefined) continue;
      expect(at).toBeGreaterThan(8);
      return;
    }
  });
});

describe('create- and update-membership-payment-option', () => {
  const createOption = (body: Body) =>
    callHandler(createMembershipPaymentOption, handleCreateOption, { body }, { table, orgId });
  const updateOption = (id: string, body: Body, ifMatch?: number, of = orgId) => {
    const input = { params: { membership_payment_option_id: id }, body };
    return callHandler(updateMembershipPaymentOption, handleUpdateOption, input, { table, orgId: of, ifMatch });
  };
  const listed = async () => {
    const { data } = await callHandler(listMembershipPaymentOptions, handleOptions, {}, { table, orgId });
    return JSON.stringify(data);
  };

  it('every field can be set, changed and cleared; an absent one stays', async () => {
    const every = { auto_renewal: 1, fixed_end_date: 1_790_000_000, number_of_instalments: 6, order_by: 3, status: 0 };
    const six = { title: 'Six parts', code: 'six', membership_payment_option_id: 'six', version: 1, ...every };
    expect(await createOption({ title: 'Six parts', code: 'six', ...every })).toEqual(six);
    const changed = { title: 'Six', fixed_end_date: null, status: 1 };
    expect(await updateOption('six', changed, 1)).toEqual({ ...six, ...changed, version: 2 });
    await expect(updateOption('six', { title: 'S' }, 1)).rejects.toMatchObject(refused('version_conflict', 'If-Match'));
    await expect(createOption({ title: 'S', code: 'six' })).rejects.toMatchObject(refused('code_taken', 'code'));
    expect(await createOption({ title: 'In full' })).toMatchObject({ number_of_instalments: 1, status: 1 });
  });

  it('dry_run of both writes nothing, and an option of another organisation is missing', async () => {
    await createOption({ title: 'Dry', code: 'dry' });
    const before = await listed();
    expect(await createOption({ dry_run: true, title: 'New', code: 'new' })).toMatchObject({ code: 'new', version: 1 });
    expect(await updateOption('dry', { dry_run: true, title: 'Wet' })).toMatchObject({ title: 'Wet', version: 2 });
    const call = updateOption('dry', { title: 'Theirs' }, undefined, 'org_others');
    await expect(call).rejects.toMatchObject(refused('resource_not_found', null));
    expect(await listed()).toBe(before);
  });
});
