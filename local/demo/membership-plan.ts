import type { ConfigRecord, TypeRecord } from '../../shared/data/membership/config-rows.ts';
import { derivedId } from '../../shared/data/table/derived-id.ts';
import { type SeatMap, seatsOf } from '../../shared/domain/seats/seat-map.ts';
import type { SeatMapPlan } from './season-plan.ts';

type Flag = 0 | 1;

interface TypePlan {
  readonly code: string;
  readonly title: string;
  readonly priceMinor: number;
  /** The approximate percentage of members who hold it. */
  readonly weight: number;
  readonly status?: Flag;
  readonly persons?: number;
  readonly termMonths?: number;
  readonly maxEntries?: number;
}

interface MembershipCategoryPlan {
  readonly code: string;
  readonly title: string;
  readonly seatMap?: string;
  readonly hexColor: string;
  readonly gameDayAccess: Flag;
  readonly status?: Flag;
  readonly types: readonly TypePlan[];
}

interface PaymentPlan {
  readonly code: string;
  readonly title: string;
  readonly instalments?: number;
  readonly autoRenewal?: Flag;
  readonly status?: Flag;
}

/** The memberships that a demo organisation offers, in display order. */
export interface MembershipPlan {
  readonly currency: string;
  /** Those without seats only have a name. */
  readonly seatMaps: readonly (Omit<SeatMapPlan, 'map'> & Partial<Pick<SeatMapPlan, 'map'>>)[];
  readonly categories: readonly MembershipCategoryPlan[];
  readonly payments: readonly PaymentPlan[];
}

export interface DemoMembershipType {
  readonly type: TypeRecord;
  readonly categoryTitle: string;
  readonly seatMapId: number | null;
  /** Whether the map has seats: then the members have their own ones. */
  readonly ownSeats: boolean;
  readonly weight: number;
}

interface Season {
  readonly orgId: string;
  readonly endsUnix: number;
}

const step = 10;

export function membershipRecords(memberships: MembershipPlan, season: Season): readonly ConfigRecord[] {
  const { orgId, endsUnix } = season;
  return [
    ...memberships.seatMaps.map(({ code, title, map }) => ({
      kind: 'seatmap' as const,
      seatMapId: derivedId(orgId, 'seatmap', code),
      code,
      title,
      mapVersion: map === undefined ? 0 : 1,
      seats: map === undefined ? 0 : seatsOf(map).length,
      version: 1,
    })),
    ...memberships.categories.map((category, index) => ({
      kind: 'category' as const,
      categoryId: derivedId(orgId, 'category', category.code),
      seatMapId: seatMapIdOf(category, orgId),
      code: category.code,
      title: category.title,
      showOnline: category.status ?? 1,
      image: `https://images.example.com/${category.code}.jpg`,
      gameDayAccess: category.gameDayAccess,
      hexColor: category.hexColor,
      orderBy: (index + 1) * step,
      status: category.status ?? 1,
      version: 1,
    })),
    ...membershipTypes(memberships, season).map(({ type }) => type),
    ...nextSeason(memberships, season),
    ...memberships.payments.map((payment, index) => ({
      kind: 'option' as const,
      code: payment.code,
      title: payment.title,
      autoRenewal: payment.autoRenewal ?? 0,
      fixedEndUnix: payment.autoRenewal === 1 ? null : endsUnix,
      numberOfInstalments: payment.instalments ?? 1,
      orderBy: (index + 1) * step,
      status: payment.status ?? 1,
      version: 1,
    })),
  ];
}

/** A seat map in its only version. */
export interface DemoSeatMap {
  readonly seatMapId: number;
  readonly map: SeatMap;
}

export function seatMapsOf({ seatMaps }: MembershipPlan, orgId: string): readonly DemoSeatMap[] {
  return seatMaps.flatMap(({ code, map }) =>
    map === undefined ? [] : [{ seatMapId: derivedId(orgId, 'seatmap', code), map }],
  );
}

/** Every membership type with the fields that its members copy from it. */
export function membershipTypes(
  memberships: MembershipPlan,
  { orgId, endsUnix }: Season,
): readonly DemoMembershipType[] {
  let position = 0;
  return memberships.categories.flatMap((category) =>
    category.types.map(({ code, title, priceMinor, weight, status = 1, ...terms }): DemoMembershipType => {
      position += step;
      return {
        type: {
          kind: 'type',
          typeId: derivedId(orgId, 'type', code),
          categoryId: derivedId(orgId, 'category', category.code),
          code,
          title,
          priceThousandths: priceMinor * 10,
          currency: memberships.currency,
          taxRate: null,
          capacity: null,
          availableFromUnix: null,
          availableUntilUnix: null,
          persons: 1,
          termMonths: null,
          renewsAsTypeId: isOfSeason({ status, ...terms }) ? nextTypeId(orgId, code) : null,
          paymentOptionCodes: null,
          proRata: 'none',
          maxEntries: null,
          graceDays: 14,
          withdrawalDays: 14,
          ...terms,
          expiresUnix: endsUnix,
          offerAutoRenew: priceMinor > 0 ? 1 : 0,
          showOnline: status,
          gameDayAccess: category.gameDayAccess,
          orderBy: position,
          status,
          version: 1,
        },
        categoryTitle: category.title,
        seatMapId: seatMapIdOf(category, orgId),
        ownSeats: memberships.seatMaps.some(
          ({ code: map, map: seats }) => map === category.seatMap && seats !== undefined,
        ),
        weight,
      };
    }),
  );
}

/** A membership of a season is followed by one of the next season. One that lasts for months is followed by itself. */
const isOfSeason = ({ status: isOffered = 1, termMonths }: Pick<TypePlan, 'status' | 'termMonths'>): boolean =>
  isOffered !== 0 && termMonths === undefined;

const nextTypeId = (orgId: string, code: string): number => derivedId(orgId, 'type', `${code}-next`);

const daySeconds = 86_400;

/** The memberships of the next season. They are on sale 90 days before it begins, and nobody holds one yet. */
function nextSeason(memberships: MembershipPlan, season: Season): readonly TypeRecord[] {
  const { orgId, endsUnix } = season;
  return membershipTypes(memberships, season)
    .filter(({ type }) => type.renewsAsTypeId !== null)
    .map(({ type }) => ({
      ...type,
      typeId: nextTypeId(orgId, type.code),
      code: `${type.code}-next`,
      title: `${type.title}, next season`,
      availableFromUnix: endsUnix - 90 * daySeconds,
      renewsAsTypeId: null,
      offerAutoRenew: 0,
      expiresUnix: endsUnix + 365 * daySeconds,
      orderBy: type.orderBy + step / 2,
    }));
}

function seatMapIdOf({ seatMap }: MembershipCategoryPlan, orgId: string): number | null {
  return seatMap === undefined ? null : derivedId(orgId, 'seatmap', seatMap);
}
