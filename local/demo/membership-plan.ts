import type { ConfigRecord, TypeRecord } from '../../shared/data/membership/config-rows.ts';
import { derivedId } from '../../shared/data/table/derived-id.ts';

type Flag = 0 | 1;

interface OfferedType {
  readonly code: string;
  readonly title: string;
  readonly priceMinor: number;
  /** How many of a hundred members hold it, roughly. */
  readonly weight: number;
  readonly status?: Flag;
}

interface OfferedCategory {
  readonly code: string;
  readonly title: string;
  readonly seatMap?: string;
  readonly hexColor: string;
  readonly gameDayAccess: Flag;
  readonly status?: Flag;
  readonly types: readonly OfferedType[];
}

interface OfferedPayment {
  readonly code: string;
  readonly title: string;
  readonly instalments?: number;
  readonly autoRenewal?: Flag;
  readonly status?: Flag;
}

/** What a demo organisation offers its members, in the order in which it shows it. */
export interface Offer {
  readonly seatMaps: Readonly<Record<string, string>>;
  readonly categories: readonly OfferedCategory[];
  readonly payments: readonly OfferedPayment[];
}

export interface HeldType {
  readonly type: TypeRecord;
  readonly categoryTitle: string;
  readonly seatMapId: number | null;
  readonly weight: number;
}

interface Season {
  readonly orgId: string;
  readonly endsUnix: number;
}

const step = 10;

export function offerRecords(offer: Offer, season: Season): readonly ConfigRecord[] {
  const { orgId, endsUnix } = season;
  return [
    ...Object.entries(offer.seatMaps).map(([code, title]) => ({
      kind: 'seatmap' as const,
      seatMapId: derivedId(orgId, 'seatmap', code),
      code,
      title,
    })),
    ...offer.categories.map((category, index) => ({
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
    })),
    ...heldTypes(offer, season).map(({ type }) => type),
    ...offer.payments.map((payment, index) => ({
      kind: 'option' as const,
      code: payment.code,
      title: payment.title,
      autoRenewal: payment.autoRenewal ?? 0,
      fixedEndUnix: payment.autoRenewal === 1 ? null : endsUnix,
      numberOfInstalments: payment.instalments ?? 1,
      orderBy: (index + 1) * step,
      status: payment.status ?? 1,
    })),
  ];
}

/** Every type with what its members carry of it. */
export function heldTypes(offer: Offer, { orgId, endsUnix }: Season): readonly HeldType[] {
  let position = 0;
  return offer.categories.flatMap((category) =>
    category.types.map(({ code, title, priceMinor, weight, status = 1 }): HeldType => {
      position += step;
      return {
        type: {
          kind: 'type',
          typeId: derivedId(orgId, 'type', code),
          categoryId: derivedId(orgId, 'category', category.code),
          code,
          title,
          priceMinor,
          expiresUnix: endsUnix,
          offerAutoRenew: priceMinor > 0 ? 1 : 0,
          showOnline: status,
          gameDayAccess: category.gameDayAccess,
          orderBy: position,
          status,
        },
        categoryTitle: category.title,
        seatMapId: seatMapIdOf(category, orgId),
        weight,
      };
    }),
  );
}

function seatMapIdOf({ seatMap }: OfferedCategory, orgId: string): number | null {
  return seatMap === undefined ? null : derivedId(orgId, 'seatmap', seatMap);
}
