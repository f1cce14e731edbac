import { MembershipConfigEditor } from '../../shared/data/admin/membership-config-editor.ts';
import type {
  CategoryRecord,
  ConfigRecord,
  PaymentOptionRecord,
  SeatMapRecord,
  TypeRecord,
} from '../../shared/data/membership/config-rows.ts';
import { derivedId } from '../../shared/data/table/derived-id.ts';
import type { Table } from '../../shared/data/table/table.ts';

export function seatMap(orgId: string, code: string, fields: Partial<SeatMapRecord> = {}): SeatMapRecord {
  return { kind: 'seatmap', seatMapId: derivedId(orgId, 'seatmap', code), code, title: `Title of ${code}`, ...fields };
}

export function category(orgId: string, code: string, fields: Partial<CategoryRecord> = {}): CategoryRecord {
  return {
    kind: 'category',
    categoryId: derivedId(orgId, 'category', code),
    seatMapId: null,
    code,
    title: `Title of ${code}`,
    showOnline: 1,
    image: null,
    gameDayAccess: 0,
    hexColor: null,
    orderBy: 0,
    status: 1,
    ...fields,
  };
}

export function membershipType(orgId: string, code: string, fields: Partial<TypeRecord> = {}): TypeRecord {
  return {
    kind: 'type',
    typeId: derivedId(orgId, 'type', code),
    categoryId: derivedId(orgId, 'category', 'season'),
    code,
    title: `Title of ${code}`,
    priceThousandths: 240_500,
    expiresUnix: null,
    offerAutoRenew: 0,
    showOnline: 1,
    gameDayAccess: 0,
    orderBy: 0,
    status: 1,
    ...fields,
  };
}

export function paymentOption(code: string, fields: Partial<PaymentOptionRecord> = {}): PaymentOptionRecord {
  return {
    kind: 'option',
    code,
    title: `Title of ${code}`,
    autoRenewal: 0,
    fixedEndUnix: null,
    numberOfInstalments: 1,
    orderBy: 0,
    status: 1,
    ...fields,
  };
}

/** Saves the records in order. A record must come after those it refers to. */
export async function givenConfig(table: Table, orgId: string, ...records: readonly ConfigRecord[]): Promise<void> {
  const editor = await MembershipConfigEditor.open(table, orgId);
  for (const record of records) await editor.save(record);
}

/** One record of each kind, with every optional field set. */
export async function givenFullConfig(table: Table, orgId: string): Promise<void> {
  const map = seatMap(orgId, 'park');
  await givenConfig(
    table,
    orgId,
    map,
    category(orgId, 'season', {
      seatMapId: map.seatMapId,
      image: 'https://images.example.com/season.jpg',
      hexColor: '#c8102e',
    }),
    membershipType(orgId, 'full', { expiresUnix: 1_793_451_600 }),
    paymentOption('monthly', { fixedEndUnix: 1_793_451_600, numberOfInstalments: 6 }),
  );
}

let organisations = 0;

/** A new organisation with one record of each kind. */
export async function newOrganisation(table: Table): Promise<string> {
  organisations += 1;
  const orgId = `org_full${organisations}`;
  await givenFullConfig(table, orgId);
  return orgId;
}
