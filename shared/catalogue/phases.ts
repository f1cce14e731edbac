import { readCampaign } from '../data/codes/campaigns.ts';
import { readMembershipTypes } from '../data/membership/config.ts';
import { savePhases } from '../data/phases/phases.ts';
import { type PricedEvent, readPricedEvent } from '../data/prices/read.ts';
import { retryRaces } from '../data/table/retry.ts';
import type { VersionChanged } from '../data/table/save-options.ts';
import type { Table } from '../data/table/table.ts';
import { noSideEffects, type SideEffects } from '../data/table/transact.ts';
import { isSameRecord } from '../data/table/version.ts';
import {
  type EventPhases,
  noRequirements,
  overlappingPhase,
  type Phase,
  type PhaseFields,
  phaseLimits,
} from '../domain/phases/phase.ts';

/** What a phase has that is not named. */
const defaults = {
  fromUnix: null,
  untilUnix: null,
  requires: noRequirements,
  priceIndexes: null,
  maxPerPerson: null,
} as const;

type RefusedPhase =
  | { readonly outcome: 'event_missing' | 'phase_missing' | 'too_many_phases' | 'ends_before_start' }
  | { readonly outcome: 'price_missing' | 'type_missing' | 'campaign_missing' }
  | { readonly outcome: 'overlap'; readonly other: Phase };

export type SavedPhase = { readonly outcome: 'saved'; readonly phase: Phase } | RefusedPhase | VersionChanged;

/** The phases after a change, or the same list if there is none, and the phase that it is about. */
interface Changed {
  readonly phases: readonly Phase[];
  readonly phase: Phase;
}

type Rule = (phases: EventPhases) => Changed | RefusedPhase | VersionChanged;

interface NewPhase {
  readonly given: Partial<PhaseFields> & Pick<PhaseFields, 'title'>;
  readonly sideEffects: SideEffects<Phase>;
}

export function createPhase(
  table: Table,
  orgId: string,
  eventId: number,
  { given, sideEffects }: NewPhase,
): Promise<SavedPhase> {
  return changePhases(table, orgId, eventId, {
    rule: ({ phases, lastNumber }) => {
      if (phases.length >= phaseLimits.perEvent || lastNumber >= phaseLimits.everInEvent) {
        return { outcome: 'too_many_phases' };
      }
      const phase = { ...defaults, ...given, number: lastNumber + 1, version: 1 };
      return { phases: [...phases, phase], phase };
    },
    sideEffects,
  });
}

interface PhaseRef {
  readonly eventId: number;
  readonly number: number;
}

/** Changes the given fields of a phase. */
export function updatePhase(
  table: Table,
  orgId: string,
  { eventId, number }: PhaseRef,
  { change, ifMatch }: { readonly change: Partial<PhaseFields>; readonly ifMatch: number | undefined },
): Promise<SavedPhase> {
  const rule: Rule = ({ phases }) => {
    const before = phases.find((one) => one.number === number);
    if (before === undefined) return { outcome: 'phase_missing' };
    const { version } = before;
    if (ifMatch !== undefined && ifMatch !== version) return { outcome: 'version_changed', version };
    const changed = { ...before, ...change };
    if (isSameRecord(before, changed)) return { phases, phase: before };
    const phase = { ...changed, version: version + 1 };
    return { phases: phases.map((one) => (one === before ? phase : one)), phase };
  };
  return changePhases(table, orgId, eventId, { rule });
}

/** Deletes a phase. Its number is not used again: what was bought in it stays counted under it. */
export function deletePhase(table: Table, orgId: string, { eventId, number }: PhaseRef): Promise<SavedPhase> {
  const rule: Rule = ({ phases }) => {
    const phase = phases.find((one) => one.number === number);
    if (phase === undefined) return { outcome: 'phase_missing' };
    return { phases: phases.filter((one) => one !== phase), phase };
  };
  return changePhases(table, orgId, eventId, { rule });
}

/** Changes the phases of an event by a rule, which is asked again if somebody else changed them meanwhile. */
function changePhases(
  table: Table,
  orgId: string,
  eventId: number,
  { rule, sideEffects = noSideEffects }: { readonly rule: Rule; readonly sideEffects?: SideEffects<Phase> },
): Promise<SavedPhase> {
  return retryRaces('phases', async (): Promise<SavedPhase | undefined> => {
    const priced = await readPricedEvent(table, orgId, eventId, { consistent: true });
    if (priced === undefined) return { outcome: 'event_missing' };
    const before = priced.phases;
    const known = before ?? { eventId, phases: [], lastNumber: 0, version: 0 };
    const changed = rule(known);
    if ('outcome' in changed) return changed;
    const { phases, phase } = changed;
    if (phases === known.phases) return { outcome: 'saved', phase };
    if (phases.includes(phase)) {
      const refusal = await refusalOf(table, orgId, priced, changed);
      if (refusal !== undefined) return refusal;
    }
    const lastNumber = Math.max(known.lastNumber, phase.number);
    const after = { ...known, phases, lastNumber, version: known.version + 1 };
    const isSaved = await savePhases(table, orgId, { before, after }, sideEffects(phase));
    return isSaved ? { outcome: 'saved', phase } : undefined;
  });
}

async function refusalOf(
  table: Table,
  orgId: string,
  { prices }: PricedEvent,
  { phase, phases }: Changed,
): Promise<RefusedPhase | undefined> {
  const { fromUnix, untilUnix, priceIndexes, requires } = phase;
  if (fromUnix !== null && untilUnix !== null && untilUnix <= fromUnix) return { outcome: 'ends_before_start' };
  const isPrice = (index: number): boolean => prices.some((price) => price.index === index);
  if (priceIndexes !== null && !priceIndexes.every(isPrice)) return { outcome: 'price_missing' };
  const other = overlappingPhase(phases, phase);
  if (other !== undefined) return { outcome: 'overlap', other };
  const { membershipTypeIds, codeCampaignId } = requires;
  const [types, campaign] = await Promise.all([
    membershipTypeIds.length === 0 ? new Map<number, unknown>() : readMembershipTypes(table, orgId),
    codeCampaignId === null ? true : readCampaign(table, orgId, codeCampaignId),
  ]);
  if (!membershipTypeIds.every((typeId) => types.has(typeId))) return { outcome: 'type_missing' };
  return campaign === undefined ? { outcome: 'campaign_missing' } : undefined;
}
