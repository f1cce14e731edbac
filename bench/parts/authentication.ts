import { admit } from '../../shared/data/auth/admit.ts';
import { admitStorefront } from '../../shared/data/auth/admit-storefront.ts';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { tokenHash } from '../../shared/http/auth/signed-token.ts';
import { type Handle, pipeline } from '../../shared/http/pipeline.ts';
import { organisationResource } from '../../shared/mappers/organisation.ts';
import { retrieveOrganisation } from '../../shared/operations/organisation/retrieve-organisation.ts';
import { apiEvent, lambdaContext } from '../../tools/fixtures/api-event.ts';
import { givenKey, givenOrganisation } from '../../tools/fixtures/auth.ts';
import { signingKeys } from '../../tools/fixtures/signing-key.ts';
import { givenStorefrontToken } from '../../tools/fixtures/storefront.ts';
import { startBenchTable } from '../harness/bench-table.ts';
import { CallRecorder, type RecordedCalls } from '../harness/call-recorder.ts';
import type { MeasurePart } from '../measure-part.ts';
import { atMost, median } from '../report/figures.ts';

const orgId = 'org_auth';
const requestsPerRound = 300;
const rounds = 5;
const atOnce = 4;

/** The same operation without authentication. Its handler gets a fixed caller. */
const publicOperation = { ...retrieveOrganisation, auth: { kind: 'public' } } as const;

export const measureAuthentication: MeasurePart = async ({ progress }) => {
  const benchTable = await startBenchTable();
  try {
    const table = benchTable.open();
    await givenOrganisation(table, orgId);
    const key = await givenKey(table, orgId);
    const recorder = new CallRecorder(benchTable.open(), benchTable.open());
    const counted = await measureOne(recorder);
    const storefront = await measureStorefront(recorder);

    // The clock moves as fast as the limit per minute requires, so that every request is admitted.
    let nowMs = Date.now();
    const clock = { nowMs: () => nowMs };
    const retrieve: Handle<typeof retrieveOrganisation> = async (_input, deps) => {
      const found = await readOrganisation(deps.table, orgId);
      if (found === undefined) throw new Error('The organisation of the benchmark is gone.');
      return organisationResource(found);
    };
    const platform = { clock, table: () => table, signingKeys };
    const authenticated = pipeline(retrieveOrganisation, retrieve, platform);
    const unauthenticated = pipeline(
      publicOperation,
      (_input, deps) => retrieve({ params: {}, query: {}, body: {} }, { ...deps, caller }),
      platform,
    );
    const caller = { kind: 'secret', orgId, keyId: '1', scopes: ['read'] } as const;
    const headers = { Authorization: `Bearer ${key.text}` };
    const call = async (run: typeof authenticated | typeof unauthenticated): Promise<void> => {
      nowMs += 250;
      const event = apiEvent({ headers, multiValueHeaders: { Authorization: [headers.Authorization] } });
      const { statusCode }: { statusCode: number } = await run(event, lambdaContext());
      if (statusCode !== 200) throw new Error(`The operation returned ${statusCode}.`);
    };
    const perSecond: { authenticated: number[]; unauthenticated: number[] } = {
      authenticated: [],
      unauthenticated: [],
    };
    for (let round = 0; round <= rounds; round += 1) {
      progress(`round ${round} of ${rounds}`);
      const [one, other] = [await rate(() => call(authenticated)), await rate(() => call(unauthenticated))];
      // The first round warms up.
      if (round > 0) perSecond.authenticated.push(one);
      if (round > 0) perSecond.unauthenticated.push(other);
    }
    const [on, off] = [median(perSecond.authenticated), median(perSecond.unauthenticated)];

    async function measureOne(counter: CallRecorder) {
      const presented = { orgId, keyId: '1', hash: key.hash };
      return counter.record(() => admit(counter.table, presented, Date.now()));
    }

    /** One request with a token that this process knows, and one whose write is the sample. */
    async function measureStorefront(counter: CallRecorder) {
      const { text, tokenId } = await givenStorefrontToken(table, orgId);
      const presented = { orgId, keyId: tokenId, hash: tokenHash(text) };
      const source = { window: 'address_minute', id: 'bench' } as const;
      const admitOnce = () => counter.record(() => admitStorefront(counter.table, presented, source, Date.now()));
      const sampled = await admitOnce();
      // Of a known token, one request in sixty is a sample.
      const others = [await admitOnce(), await admitOnce(), await admitOnce()];
      const usual = others.find(({ readUnits }) => readUnits > 0);
      if (usual === undefined) throw new Error('Three requests in a row were samples.');
      const basket = { window: 'basket_minute', id: 'bench' } as const;
      const ofBasket = await counter.record(() => admitStorefront(counter.table, presented, basket, Date.now()));
      return { usual, sampled, ofBasket };
    }

    return {
      notes: [
        `${rounds} rounds of ${requestsPerRound} requests for the organisation, ${atOnce} at once, alternating with authentication (key and three rate limits) and without; medians.`,
        'With authentication a request makes two table calls one after the other instead of one, so the second call alone explains half as many requests per second.',
      ],
      tables: [
        {
          title: 'Authentication',
          columns: ['what', 'value'],
          rows: [
            ['calls to admit a request', counted.calls],
            ['depth', counted.depth],
            ['read units', counted.readUnits],
            ['write units', counted.writeUnits],
            ['requests per second with authentication', on],
            ['requests per second without', off],
            ['ratio', on / off],
          ],
        },
        {
          title: 'Authentication by token',
          columns: ['token', 'calls', 'depth', 'read units', 'write units'],
          rows: [
            ['API key', ...costOf(counted)],
            ['storefront token', ...costOf(storefront.usual)],
            ['storefront token, sampled for its ceiling', ...costOf(storefront.sampled)],
            ['storefront token with a basket token', ...costOf(storefront.ofBasket)],
          ],
        },
      ],
      curves: [],
      targets: [
        atMost({ name: 'authentication: write units', value: counted.writeUnits, limit: 1 }),
        atMost({ name: 'authentication: read units', value: counted.readUnits, limit: 0 }),
        atMost({ name: 'authentication: depth', value: counted.depth, limit: 1 }),
        atMost({ name: 'storefront token: write units', value: storefront.usual.writeUnits, limit: 1 }),
        atMost({ name: 'storefront token: read units', value: storefront.usual.readUnits, limit: 1 }),
        atMost({ name: 'storefront token: depth', value: storefront.usual.depth, limit: 1 }),
        atMost({ name: 'storefront token, sampled: calls', value: storefront.sampled.calls, limit: 2 }),
      ],
    };
  } finally {
    await benchTable.stop();
  }
};

function costOf({ calls, depth, readUnits, writeUnits }: RecordedCalls): readonly number[] {
  return [calls, depth, readUnits, writeUnits];
}

/** Runs the work several times concurrently and returns the runs per second. */
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
