import { admit } from '../../shared/data/auth/admit.ts';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { type Handle, pipeline } from '../../shared/http/pipeline.ts';
import { organisationResource } from '../../shared/mappers/organisation.ts';
import { retrieveOrganisation } from '../../shared/operations/organisation/retrieve-organisation.ts';
import { apiEvent, lambdaContext } from '../../test/support/api-event.ts';
import { givenKey, givenOrganisation } from '../../test/support/auth.ts';
import { startStand } from '../harness/bench-table.ts';
import { Recorder } from '../harness/call-recorder.ts';
import type { MeasurePart } from '../parts.ts';
import { atMost, median } from '../report/figures.ts';

const orgId = 'org_door';
const requestsPerRound = 300;
const rounds = 5;
const atOnce = 4;

/** Without a door the handler would not know who asks; it is told. */
const open = { ...retrieveOrganisation, auth: { kind: 'public' } } as const;

export const measureAuthentication: MeasurePart = async ({ progress }) => {
  const stand = await startStand();
  try {
    const table = stand.open();
    await givenOrganisation(table, orgId);
    const key = await givenKey(table, orgId);
    const recorder = new Recorder(stand.open(), stand.open());
    const counted = await measureOne(recorder);

    // Every request is admitted: the clock moves on as fast as the limit of a minute allows.
    let nowMs = Date.now();
    const clock = { nowMs: () => nowMs };
    const retrieve: Handle<typeof retrieveOrganisation> = async (_input, deps) => {
      const found = await readOrganisation(deps.table, orgId);
      if (found === undefined) throw new Error('The organisation of the benchmark is gone.');
      return organisationResource(found);
    };
    const platform = { clock, table: () => table };
    const withDoor = pipeline(retrieveOrganisation, retrieve, platform);
    const without = pipeline(
      open,
      (_input, deps) => retrieve({ params: {}, query: {}, body: {} }, { ...deps, caller }),
      platform,
    );
    const caller = { orgId, keyId: '1', scopes: ['read'] as const };
    const headers = { Authorization: `Bearer ${key.text}` };
    const ask = async (run: typeof withDoor | typeof without): Promise<void> => {
      nowMs += 250;
      const event = apiEvent({ headers, multiValueHeaders: { Authorization: [headers.Authorization] } });
      const answer: { statusCode: number } = await run(event, lambdaContext());
      if (answer.statusCode !== 200) throw new Error(`The door answered ${answer.statusCode}.`);
    };
    const perSecond: { withDoor: number[]; without: number[] } = { withDoor: [], without: [] };
    for (let round = 0; round <= rounds; round += 1) {
      progress(`round ${round} of ${rounds}`);
      const [one, other] = [await rate(() => ask(withDoor)), await rate(() => ask(without))];
      // The first round warms up.
      if (round > 0) perSecond.withDoor.push(one);
      if (round > 0) perSecond.without.push(other);
    }
    const [on, off] = [median(perSecond.withDoor), median(perSecond.without)];

    async function measureOne(counter: Recorder) {
      const presented = { orgId, keyId: '1', hash: key.hash };
      return counter.during(() => admit(counter.table, presented, Date.now()));
    }

    return {
      notes: [
        `${rounds} rounds of ${requestsPerRound} requests for the organisation, ${atOnce} at once, with the door's three limits and without a door, in turns; medians.`,
        'With the door a request makes two calls of the table one after the other instead of one, so half of the requests per second is what a second call costs by itself.',
      ],
      tables: [
        {
          title: 'The door',
          columns: ['what', 'value'],
          rows: [
            ['calls to admit a request', counted.calls],
            ['depth', counted.depth],
            ['read units', counted.readUnits],
            ['write units', counted.writeUnits],
            ['requests per second with the door', on],
            ['requests per second without', off],
            ['ratio', on / off],
          ],
        },
      ],
      curves: [],
      targets: [
        atMost({ name: 'door: write units', value: counted.writeUnits, limit: 1 }),
        atMost({ name: 'door: read units', value: counted.readUnits, limit: 0 }),
        atMost({ name: 'door: depth', value: counted.depth, limit: 1 }),
      ],
    };
  } finally {
    await stand.stop();
  }
};

/** How many times a second something can be done, a few at once. */
async function rate(work: () => Promise<void>): Promise<number> {
  let left = requestsPerRound;
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left > 0) {
        left -= 1;
        await work();
      }
    }),
  );
  return requestsPerRound / ((performance.now() - startedMs) / 1000);
}
