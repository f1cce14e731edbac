import { issueStorefrontToken, listStorefrontTokens } from '../../shared/data/admin/storefront-tokens.ts';
import { saveEvent } from '../../shared/data/events/save.ts';
import { createOrganisation } from '../../shared/data/organisations/organisation.ts';
import { savePrice } from '../../shared/data/prices/save-price.ts';
import { savePriceCategory } from '../../shared/data/prices/save-price-category.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { defaultStorefrontLimits } from '../../shared/domain/auth/storefront.ts';
import { canaryOrgId } from '../../shared/domain/organisations/canary.ts';
import { storefrontTokenMaker, type TokenSigner } from '../../shared/http/auth/sign-token.ts';
import { type Cli, example, type Program } from '../cli.ts';

const code = 'canary';
/** Far enough that the event is on sale for as long as the service exists. */
const startUnix = Date.UTC(2200, 0, 1) / 1000;

interface CreatedCanary {
  readonly storefrontToken: string;
  readonly priceId: number;
  readonly changed: boolean;
}

export function addCanaryCommands(program: Program, { run }: Cli): void {
  const group = program
    .command('canary')
    .description('Create the organisation in which the canary holds a ticket every minute.');

  group
    .command('create')
    .description('Create the organisation, its event and its storefront token. Repeated, it creates what is missing.')
    .addHelpText('after', example('canary create --stage prod'))
    .action(() =>
      run(async ({ table, signer, clock, show }) => {
        const nowUnix = Math.floor(clock.nowMs() / 1000);
        const { storefrontToken, priceId, changed } = await createCanary(table, await signer(), nowUnix);
        const document = { object: 'canary', org_id: canaryOrgId, price_id: priceId, publishable_key: storefrontToken };
        const setting = `canary: { storefrontToken: '${storefrontToken}', priceId: ${priceId} },`;
        const next = `Set this for the stage in lib/stage-config.ts, commit it and deploy:\n  ${setting}`;
        show({ ...document, changed }, changed ? next : `${next}\n\nNothing changed.`);
      }),
    );
}

/** Everything that the canary needs. It sells nothing: its holds are released within seconds. */
export async function createCanary(table: Table, signer: TokenSigner, nowUnix: number): Promise<CreatedCanary> {
  const nothing = { company: null, businessNumber: null, paymentAccountId: null, backgroundColor: null };
  const pictures = { logoImage: null, backgroundImage: null, favicon: null };
  const where = { country: 'AU', timezone: 'Australia/Sydney' };
  await createOrganisation(table, {
    ...nothing,
    ...pictures,
    ...where,
    orgId: canaryOrgId,
    name: 'Canary',
    createdUnix: nowUnix,
  });
  const { event } = await saveEvent(table, canaryOrgId, {
    code,
    title: 'Canary',
    urlString: code,
    buyTicketsUrl: null,
    bannerImage: null,
    currency: 'AUD',
    venueId: null,
    venueName: null,
    seatMapId: null,
    seatingMapId: null,
    seatingVersion: null,
    allowSingleSeats: false,
    onlineEvent: true,
    publicEvent: true,
    reservedSeating: false,
    startUnix,
    timezone: where.timezone,
    statusId: 1,
  });
  const { eventId } = event;
  const inCategory = await savePriceCategory(table, canaryOrgId, {
    eventId,
    code,
    title: 'Canary',
    status: 'active',
    orderBy: 0,
    zone: null,
  });
  if (!('category' in inCategory)) throw new Error('The price category of the canary was not saved.');
  const saved = await savePrice(table, canaryOrgId, {
    eventId,
    code,
    categoryId: inCategory.category.categoryId,
    title: 'Canary',
    status: 'active',
    orderBy: 0,
    currency: 'AUD',
    priceMinor: 100,
    rebateMinor: 0,
    serviceFeeMinor: 0,
    serviceTaxMinor: 0,
    capacity: 100,
    availableFromUnix: null,
    availableUntilUnix: null,
    showOnline: true,
    showBoxoffice: false,
    membershipTypeId: null,
    ticketsIncluded: 1,
    scanningFlag: 0,
    maxPerOrder: null,
    maxPerMember: null,
    holderNames: 'optional',
    namesUntilHours: null,
    barcodeFromHours: null,
    transfer: null,
    transferUntilHours: null,
    selfCancel: null,
    taxRate: null,
    poolIndex: null,
  });
  if (!('price' in saved)) throw new Error(`The price of the canary was not saved: ${saved.outcome}.`);
  const known = (await listStorefrontTokens(table, canaryOrgId)).find(
    ({ label, revokedUnix }) => label === code && revokedUnix === null,
  );
  const fields = {
    orgId: canaryOrgId,
    nowUnix,
    origins: [],
    mode: 'live',
    label: code,
    ...defaultStorefrontLimits,
  } as const;
  const token = known ?? (await issueStorefrontToken(table, fields, storefrontTokenMaker(signer)));
  const changed = known === undefined || saved.outcome !== 'unchanged';
  return { storefrontToken: token.text, priceId: saved.price.priceId, changed };
}
